import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { beginAllExports } from '../../../test/begin-exports.ts';
import { waitForIngest } from '../../../test/inbox.ts';
import { TEST_DAY } from '../../../test/past-day.ts';
import { sql } from '../../platform/database/sql.ts';
import { openExportStage } from './test/export-stage.ts';
import type { ExportStage } from './test/export-stage.ts';
import { exportOnce, folderPlace, listStored } from './test/exported-files.ts';

let stage: ExportStage;
before(async () => {
  stage = await openExportStage();
});
after(() => stage.close());

test('each stored event is in one file of its day, with all its values', async () => {
  const { place, reader, store } = await stage.makePlace();
  const { game_id, production_key, development_key } = await stage.server.makeGame();
  const game = stage.server.database.ofGame(game_id);
  const names = (...list: string[]) => list.map((event_name) => ({ event_name }));
  await stage.track(production_key, game_id, names('before', 'before'));
  await stage.track(development_key, game_id, names('try'));
  await game.execute(sql`
    INSERT INTO events (id, received_at, occurred_at, environment, game_id, key_id, event_name,
                        session_id, properties)
    VALUES (1, ${TEST_DAY}::timestamptz, ${TEST_DAY}, 'production', ${game_id}, ${game_id}, 'yesterday', 's', '{}')`);
  await exportOnce(stage.server.database, store);
  const files = (await folderPlace(place).list()).filter((name) => name.includes(game_id));
  assert.equal(files.length, 3, files.join(' '));
  assert.match(
    files[2]!,
    /^game=[0-9a-f-]{36}\/environment=production\/day=\d{4}-\d\d-\d\d\/events-00000002-[0-9a-f]{8}\.parquet$/,
  );
  assert.ok(files[1]!.includes(`/day=${TEST_DAY}/events-00000001-`), files[1]);
  assert.deepEqual(await reader.listIds(game_id), await listStored(game, game_id));

  await stage.track(production_key, game_id, [
    { event_name: 'later', properties: { big: 1, text: 'ä"' } },
    ...names('later'),
  ]);
  await exportOnce(stage.server.database, store);
  assert.deepEqual(await reader.listIds(game_id), await listStored(game, game_id));
  const all = [...(await reader.readAll()).values()].flat();
  const later = all.find((event) => String(event.properties).includes('big'))!;
  const stored = await game.queryOne<Record<string, string>>(sql`
    SELECT event_name, session_id, player_id, properties::text FROM events
    WHERE game_id = ${game_id} AND id = ${Number(later.id)}`);
  const { event_name, session_id, player_id, properties } = later;
  assert.deepEqual({ event_name, session_id, player_id, properties }, stored);
  const count = (await folderPlace(place).list()).length;
  assert.deepEqual(await exportOnce(stage.server.database, store), { files: 0, events: 0 });
  assert.equal((await folderPlace(place).list()).length, count, 'nothing new, no new file');
});

test('an event that comes after the files of its day has a file of its own', async () => {
  const { place, reader, store } = await stage.makePlace();
  const { game_id, production_key } = await stage.server.makeGame();
  const game = stage.server.database.ofGame(game_id);
  await stage.track(production_key, game_id, [{ event_name: 'first' }]);
  await exportOnce(stage.server.database, store);
  // A request waits in the inbox over midnight, and one was held up in its transaction: both come late.
  const body = JSON.stringify([{ event_name: 'late', session_id: 's' }]);
  await game.execute(sql`
    INSERT INTO event_inbox (game_id, environment, key_id, received_at, event_count, body)
    SELECT ${game_id}, 'production', ${game_id}, ${TEST_DAY}::timestamptz, 1, ${body}
    FROM generate_series(1, 2)`);
  await stage.track(production_key, game_id, [{ event_name: 'second' }]);
  await exportOnce(stage.server.database, store);
  const files = (await folderPlace(place).list()).filter((name) => name.includes(game_id));
  assert.equal(files.length, 3);
  assert.equal(files.filter((name) => name.includes(`/day=${TEST_DAY}/`)).length, 1);
  assert.deepEqual(await reader.listIds(game_id), await listStored(game, game_id));
});

test('events that were stored while the history was exported come once', async () => {
  const { reader, store } = await stage.makePlace();
  const { game_id, production_key } = await stage.server.makeGame();
  const game = stage.server.database.ofGame(game_id);
  await stage.track(production_key, game_id, [{ event_name: 'before' }]);
  await beginAllExports(stage.server.database);
  const requests = Array.from({ length: 300 }, () => [{ event_name: 'a' }, { event_name: 'b' }]);
  await Promise.all(requests.map((events) => stage.track(production_key, game_id, events)));
  await exportOnce(stage.server.database, store);
  await stage.track(production_key, game_id, [{ event_name: 'after' }]);
  await exportOnce(stage.server.database, store);
  const stored = await listStored(game, game_id);
  assert.equal(stored.length, 602);
  assert.deepEqual(await reader.listIds(game_id), stored);
});

test('an event of the history is not taken for one of a batch with the same number', async () => {
  const { reader, store } = await stage.makePlace();
  const { game_id, production_key } = await stage.server.makeGame();
  const game = stage.server.database.ofGame(game_id);
  await beginAllExports(stage.server.database);
  await stage.track(production_key, game_id, [{ event_name: 'batch' }]);
  // A server of an earlier release stores an event of an imported game, whose ids came along.
  const batch = await game.queryOne<{ id: number; later: string }>(sql`
    SELECT id, (received_at + interval '1 microsecond')::text AS later
    FROM events WHERE game_id = ${game_id}`);
  await game.execute(sql`
    INSERT INTO events (id, received_at, occurred_at, environment, game_id, key_id, event_name,
                        session_id, properties)
    VALUES (${batch!.id + 1}, ${batch!.later}, ${batch!.later}, 'production', ${game_id}, ${game_id},
            'history', 's', '{}')`);
  await exportOnce(stage.server.database, store);
  const stored = await listStored(game, game_id);
  assert.equal(stored.length, 2);
  assert.deepEqual(await reader.listIds(game_id), stored);
});

test('an event that comes late into a file of the history that is being read comes once', async () => {
  const { reader, store } = await stage.makePlace();
  const { game_id } = await stage.server.makeGame();
  const game = stage.server.database.ofGame(game_id);
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
  await exportOnce(stage.server.database, {
    ...store,
    async replace(name) {
      if (name.includes(game_id) && !is_late) {
        is_late = true;
        await late();
      }
      return store.replace(name);
    },
  });
  await exportOnce(stage.server.database, store);
  const stored = await listStored(game, game_id);
  assert.equal(stored.length, 603);
  assert.deepEqual(await reader.listIds(game_id), stored);
});

test('forks are not exported', async () => {
  const { game_id } = await stage.server.makeGame();
  await stage.server.database.execute(sql`
    UPDATE games SET forked_from = ${randomUUID()} WHERE id = ${game_id}`);
  await beginAllExports(stage.server.database);
  const begun = await stage.server.database.ofGame(game_id).query(sql`
    SELECT FROM event_exports WHERE game_id = ${game_id}`);
  assert.equal(begun.length, 0);
});
