import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { waitForIngest } from '../../../test/inbox.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';
import { openStore } from '../../platform/stores/open-store.ts';
import { makeTestPartition, TEST_DAY } from '../../../test/past-day.ts';
import { beginAllExports } from '../../../test/begin-exports.ts';
import { EXPORT_LOCK, runExport } from './export-run.ts';
import { createFileReader, exportOnce, folderPlace, listStored } from './test/exported-files.ts';

const OPTIONS = { setting: 'EVENTS_EXPORT_TO', spool_folder: null };

let server: TestServer;
let folder: string;
before(async () => {
  server = await startTestServer();
  await makeTestPartition(server);
  folder = await mkdtemp(join(tmpdir(), 'overworld-events-'));
});
after(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Makes a place of its own, which other tests leave alone: they export all games of the server. */
async function makePlace() {
  const place = await mkdtemp(join(folder, 'place-'));
  return {
    place,
    reader: createFileReader(folderPlace(place)),
    store: openStore({ folder: place }, OPTIONS),
  };
}

async function track(key: string, game_id: string, events: object[]) {
  const body = events.map((event) => ({ session_id: 's', player_id: 'p', ...event }));
  const { status, text } = await server.request('POST', '/v1/track', { key, body });
  assert.equal(status, 202, text);
  await waitForIngest(server.database.ofGame(game_id), game_id);
}

test('each stored event is in one file of its day, with all its values', async () => {
  const { place, reader, store } = await makePlace();
  const { game_id, production_key, development_key } = await server.makeGame();
  const game = server.database.ofGame(game_id);
  const names = (...list: string[]) => list.map((event_name) => ({ event_name }));
  await track(production_key, game_id, names('before', 'before'));
  await track(development_key, game_id, names('try'));
  await game.execute(sql`
    INSERT INTO events (id, received_at, occurred_at, environment, game_id, key_id, event_name,
                        session_id, properties)
    VALUES (1, ${TEST_DAY}::timestamptz, ${TEST_DAY}, 'production', ${game_id}, ${game_id}, 'yesterday', 's', '{}')`);
  await exportOnce(server.database, store);
  const files = (await folderPlace(place).list()).filter((name) => name.includes(game_id));
  assert.equal(files.length, 3, files.join(' '));
  assert.match(
    files[2]!,
    /^game=[0-9a-f-]{36}\/environment=production\/day=\d{4}-\d\d-\d\d\/events-00000002-[0-9a-f]{8}\.parquet$/,
  );
  assert.ok(files[1]!.includes(`/day=${TEST_DAY}/events-00000001-`), files[1]);
  assert.deepEqual(await reader.listIds(game_id), await listStored(game, game_id));

  await track(production_key, game_id, [
    { event_name: 'later', properties: { big: 1, text: 'ä"' } },
    ...names('later'),
  ]);
  await exportOnce(server.database, store);
  assert.deepEqual(await reader.listIds(game_id), await listStored(game, game_id));
  const all = [...(await reader.readAll()).values()].flat();
  const later = all.find((event) => String(event.properties).includes('big'))!;
  const stored = await game.queryOne<Record<string, string>>(sql`
    SELECT event_name, session_id, player_id, properties::text FROM events
    WHERE game_id = ${game_id} AND id = ${Number(later.id)}`);
  const { event_name, session_id, player_id, properties } = later;
  assert.deepEqual({ event_name, session_id, player_id, properties }, stored);
  const count = (await folderPlace(place).list()).length;
  assert.deepEqual(await exportOnce(server.database, store), { files: 0, events: 0 });
  assert.equal((await folderPlace(place).list()).length, count, 'nothing new, no new file');
});

test('an event that comes after the files of its day has a file of its own', async () => {
  const { place, reader, store } = await makePlace();
  const { game_id, production_key } = await server.makeGame();
  const game = server.database.ofGame(game_id);
  await track(production_key, game_id, [{ event_name: 'first' }]);
  await exportOnce(server.database, store);
  // A request waits in the inbox over midnight, and one was held up in its transaction: both come late.
  const body = JSON.stringify([{ event_name: 'late', session_id: 's' }]);
  await game.execute(sql`
    INSERT INTO event_inbox (game_id, environment, key_id, received_at, event_count, body)
    SELECT ${game_id}, 'production', ${game_id}, ${TEST_DAY}::timestamptz, 1, ${body}
    FROM generate_series(1, 2)`);
  await track(production_key, game_id, [{ event_name: 'second' }]);
  await exportOnce(server.database, store);
  const files = (await folderPlace(place).list()).filter((name) => name.includes(game_id));
  assert.equal(files.length, 3);
  assert.equal(files.filter((name) => name.includes(`/day=${TEST_DAY}/`)).length, 1);
  assert.deepEqual(await reader.listIds(game_id), await listStored(game, game_id));
});

test('events that were stored while the history was exported come once', async () => {
  const { reader, store } = await makePlace();
  const { game_id, production_key } = await server.makeGame();
  const game = server.database.ofGame(game_id);
  await track(production_key, game_id, [{ event_name: 'before' }]);
  await beginAllExports(server.database);
  const requests = Array.from({ length: 300 }, () => [{ event_name: 'a' }, { event_name: 'b' }]);
  await Promise.all(requests.map((events) => track(production_key, game_id, events)));
  await exportOnce(server.database, store);
  await track(production_key, game_id, [{ event_name: 'after' }]);
  await exportOnce(server.database, store);
  const stored = await listStored(game, game_id);
  assert.equal(stored.length, 602);
  assert.deepEqual(await reader.listIds(game_id), stored);
});

test('an event of the history is not taken for one of a batch with the same number', async () => {
  const { reader, store } = await makePlace();
  const { game_id, production_key } = await server.makeGame();
  const game = server.database.ofGame(game_id);
  await beginAllExports(server.database);
  await track(production_key, game_id, [{ event_name: 'batch' }]);
  // A server of an earlier release stores an event of an imported game, whose ids came along.
  const batch = await game.queryOne<{ id: number; later: string }>(sql`
    SELECT id, (received_at + interval '1 microsecond')::text AS later
    FROM events WHERE game_id = ${game_id}`);
  await game.execute(sql`
    INSERT INTO events (id, received_at, occurred_at, environment, game_id, key_id, event_name,
                        session_id, properties)
    VALUES (${batch!.id + 1}, ${batch!.later}, ${batch!.later}, 'production', ${game_id}, ${game_id},
            'history', 's', '{}')`);
  await exportOnce(server.database, store);
  const stored = await listStored(game, game_id);
  assert.equal(stored.length, 2);
  assert.deepEqual(await reader.listIds(game_id), stored);
});

test('an event that comes late into a file of the history that is being read comes once', async () => {
  const { reader, store } = await makePlace();
  const { game_id } = await server.makeGame();
  const game = server.database.ofGame(game_id);
  await game.execute(sql`
    INSERT INTO events (id, received_at, occurred_at, environment, game_id, key_id, event_name,
                        session_id, properties)
    SELECT 10000000 + number, ${TEST_DAY}::timestamptz + number * interval '1 second', ${TEST_DAY}, 'production',
           ${game_id}, ${game_id}, 'history', 's', '{}'
    FROM generate_series(1, 600) AS number`);
  // After the first page was read, an event of each later page is stored.
  const body = JSON.stringify([{ event_name: 'late', session_id: 's' }]);
  const late = async () => {
    await game.execute(sql`
      INSERT INTO event_inbox (game_id, environment, key_id, received_at, event_count, body)
      SELECT ${game_id}, 'production', ${game_id},
             ${TEST_DAY}::timestamptz + number * interval '1 second', 1, ${body}
      FROM unnest(ARRAY[10, 300, 550]) AS number`);
    await waitForIngest(game, game_id);
  };
  let is_late = false;
  await exportOnce(server.database, {
    ...store,
    async replace(name) {
      if (name.includes(game_id) && !is_late) {
        is_late = true;
        await late();
      }
      return store.replace(name);
    },
  });
  await exportOnce(server.database, store);
  const stored = await listStored(game, game_id);
  assert.equal(stored.length, 603);
  assert.deepEqual(await reader.listIds(game_id), stored);
});

test('only one of several servers exports at a time', async () => {
  const { reader, store } = await makePlace();
  const games = [await server.makeGame(), await server.makeGame()];
  for (const { production_key, game_id } of games) {
    await track(production_key, game_id, [{ event_name: 'before' }, { event_name: 'before' }]);
  }
  const exportAtOnce = async () => {
    const runs = await Promise.allSettled([0, 1, 2].map(() => exportOnce(server.database, store)));
    const refused = runs.filter((run) => run.status === 'rejected');
    for (const { reason } of refused) {
      assert.equal(reason.message, 'Another server exports events now.');
    }
    assert.ok(refused.length < runs.length);
  };
  await exportAtOnce();
  for (const { production_key, game_id } of games) {
    await track(production_key, game_id, [{ event_name: 'after' }]);
  }
  await exportAtOnce();
  for (const { game_id } of games) {
    const stored = await listStored(server.database.ofGame(game_id), game_id);
    assert.deepEqual(await reader.listIds(game_id), stored);
  }
});

test('a server that has lost its lock puts no part in the place of a whole file', async () => {
  const { reader, store } = await makePlace();
  const { game_id, production_key } = await server.makeGame();
  const game = server.database.ofGame(game_id);
  await exportOnce(server.database, store);
  // Of the pages of the file, the first one is read before the server is stopped.
  for (let sent = 0; sent < 4; sent++) {
    const events = Array.from({ length: 100 }, () => ({ event_name: 'e' }));
    await track(production_key, game_id, events);
  }
  const stopped = Promise.withResolvers<void>();
  const goes_on = Promise.withResolvers<void>();
  const first = exportOnce(server.database, {
    ...store,
    async replace(name) {
      stopped.resolve();
      await goes_on.promise;
      return store.replace(name);
    },
  });
  await stopped.promise;
  await server.database.execute(sql`
    SELECT pg_terminate_backend(pid) FROM pg_locks
    WHERE locktype = 'advisory' AND objid = ${EXPORT_LOCK}
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
  await waitUntil('the second server exports', () =>
    exportOnce(server.database, store).then(
      () => true,
      () => false,
    ),
  );
  goes_on.resolve();
  await assert.rejects(first, { message: 'Another server exports events now.' });
  const stored = await listStored(game, game_id);
  assert.equal(stored.length, 400);
  assert.deepEqual(await reader.listIds(game_id), stored);
});

test('an export begins only when servers of an earlier release have ended', async () => {
  const { place, store } = await makePlace();
  const { game_id, production_key } = await server.makeGame();
  await track(production_key, game_id, [{ event_name: 'before' }]);
  await beginAllExports(server.database);
  const listOwn = async () =>
    (await folderPlace(place).list()).filter((name) => name.includes(game_id));
  await runExport(server.database, store);
  assert.deepEqual(await listOwn(), []);
  await server.database.ofGame(game_id).execute(sql`
    UPDATE event_exports SET created_at = now() - interval '51 minutes'
    WHERE game_id = ${game_id}`);
  await runExport(server.database, store);
  assert.equal((await listOwn()).length, 1);
});

test('a long history keeps no other game waiting: a run ends after its time, and the next one goes on', async () => {
  const { reader, store } = await makePlace();
  const long = await server.makeGame();
  const other = await server.makeGame();
  const game = server.database.ofGame(long.game_id);
  const days = [3, 2, 1].map((ago) =>
    new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10),
  );
  for (const [index, day] of days.entries()) {
    await makeTestPartition(server, day);
    await game.execute(sql`
      INSERT INTO events (id, received_at, occurred_at, environment, game_id, key_id, event_name,
                          session_id, properties)
      VALUES (${index + 1}, ${day}::timestamptz, ${day}, 'production', ${long.game_id}, ${long.game_id},
              'history', 's', '{}')`);
  }
  await beginAllExports(server.database);
  const runOnce = () => runExport(server.database, store, { settling_minutes: 0, run_ms: 0 });
  await runOnce();
  await runOnce();
  assert.deepEqual(await reader.listIds(long.game_id), [1, 2], 'one file a round');
  await track(other.production_key, other.game_id, [{ event_name: 'later' }]);
  await runOnce();
  const stored = await listStored(server.database.ofGame(other.game_id), other.game_id);
  assert.deepEqual(await reader.listIds(other.game_id), stored);
  assert.deepEqual(await reader.listIds(long.game_id), [1, 2, 3]);
});

test('forks are not exported', async () => {
  const { game_id } = await server.makeGame();
  await server.database.execute(sql`
    UPDATE games SET forked_from = ${randomUUID()} WHERE id = ${game_id}`);
  await beginAllExports(server.database);
  const begun = await server.database.ofGame(game_id).query(sql`
    SELECT FROM event_exports WHERE game_id = ${game_id}`);
  assert.equal(begun.length, 0);
});

test('a player who was erased before a file was written is not in it', async () => {
  const { reader, store } = await makePlace();
  const { game_id, production_key } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  await beginAllExports(server.database);
  await track(production_key, game_id, [
    { event_name: 'kept', player_id: 'other' },
    { event_name: 'erased', player_id: 'gone' },
  ]);
  const path = `/v1/games/${game_id}/players/gone?environment=production`;
  assert.equal((await server.request('DELETE', path, { token })).status, 204);
  await exportOnce(server.database, store);
  const events = [...(await reader.readAll())].filter(([name]) => name.includes(game_id));
  assert.deepEqual(
    events.flatMap(([, list]) => list.map(({ event_name }) => event_name)),
    ['kept'],
  );
});

test('a player who was erased is in no file that a killed server has left', async () => {
  const { place, store } = await makePlace();
  const { game_id, production_key } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  await beginAllExports(server.database);
  await track(production_key, game_id, [{ event_name: 'erased', player_id: 'gone' }]);
  const killed = exportOnce(server.database, {
    ...store,
    async replace(name) {
      const target = await store.replace(name);
      const publish = async () => {
        await target.publish();
        throw new Error('killed');
      };
      return { ...target, publish };
    },
  });
  await assert.rejects(killed, { message: 'killed' });
  const listOwn = async () =>
    (await folderPlace(place).list()).filter((name) => name.includes(game_id));
  assert.equal((await listOwn()).length, 1);
  const path = `/v1/games/${game_id}/players/gone?environment=production`;
  assert.equal((await server.request('DELETE', path, { token })).status, 204);
  await exportOnce(server.database, store);
  assert.deepEqual(await listOwn(), []);
});

test('a problem of the place ends the run with a sentence, and the next run goes on', async () => {
  const { place, reader, store } = await makePlace();
  const { game_id, production_key } = await server.makeGame();
  await track(production_key, game_id, [{ event_name: 'a' }]);
  await beginAllExports(server.database);
  await track(production_key, game_id, [{ event_name: 'b' }]);
  const missing = openStore({ folder: join(place, 'missing') }, OPTIONS);
  await assert.rejects(exportOnce(server.database, missing), {
    message: `Cannot use the folder ${join(place, 'missing')} (there is no such folder): check EVENTS_EXPORT_TO, and that the user of the server may write there.`,
  });
  await writeFile(join(place, `game=${game_id}`), 'in the way');
  await assert.rejects(exportOnce(server.database, store), /^Error: Cannot use the folder/);
  await rm(join(place, `game=${game_id}`));
  await exportOnce(server.database, store);
  const stored = await listStored(server.database.ofGame(game_id), game_id);
  assert.deepEqual(await reader.listIds(game_id), stored);
});

test('remains of a killed server are removed', async () => {
  const { place, store } = await makePlace();
  await mkdir(join(place, '.writing'));
  await writeFile(join(place, '.writing/day=2026-01-01,events-1.parquet.0.unfinished'), 'half');
  const target = await store.replace('day=2026-01-01/events-1.parquet');
  target.stream.end('whole');
  await waitUntil('it is written', async () => target.stream.closed);
  await target.publish();
  assert.deepEqual(await readdir(join(place, '.writing')), []);
  assert.deepEqual(await readdir(join(place, 'day=2026-01-01')), ['events-1.parquet']);
});

test('nothing stays of a file that was begun, and whose players were then erased', async () => {
  const { place, store } = await makePlace();
  const { game_id, production_key } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  await exportOnce(server.database, store);
  await track(production_key, game_id, [{ event_name: 'erased', player_id: 'gone' }]);
  const killed = exportOnce(server.database, {
    ...store,
    async replace(name) {
      const publish = () => Promise.reject(new Error('killed'));
      return { ...(await store.replace(name)), publish, discard: async () => undefined };
    },
  });
  await assert.rejects(killed, { message: 'killed' });
  const listRemains = () => readdir(join(place, '.writing'));
  assert.equal((await listRemains()).length, 1);
  const path = `/v1/games/${game_id}/players/gone?environment=production`;
  assert.equal((await server.request('DELETE', path, { token })).status, 204);
  await exportOnce(server.database, store);
  assert.deepEqual(await listRemains(), []);
});

test('remains of games that are gone are removed after a day', async () => {
  const { place, store } = await makePlace();
  const day_ago = new Date(Date.now() - 86_400_000 - 60_000);
  const names = ['old', 'young'].map((age) => `game=${age},events-1.parquet.0.unfinished`);
  const writing = join(place, '.writing');
  await mkdir(writing);
  for (const name of names) await writeFile(join(writing, name), 'half');
  await utimes(join(writing, names[0]!), day_ago, day_ago);
  await exportOnce(server.database, store);
  assert.deepEqual(await readdir(writing), [names[1]]);
});
