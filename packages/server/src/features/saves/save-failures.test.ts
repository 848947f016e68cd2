import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeFailing } from '../../../test/failing-database.ts';
import { startTestServer } from '../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../test/harness.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';
import { storePuts } from './change-store.ts';
import { createSaveWriter } from './save-writer.ts';
import type { SaveWriter } from './save-writer.ts';
import { listSaves } from './store.ts';

/** Saves whose statements PostgreSQL refuses, other writers overtake, or erasures interrupt. */

let server: TestServer;
let game: TestGame;
let token: string;
before(async () => {
  server = await startTestServer();
  game = await server.makeGame();
  ({ token } = await server.makeAccount({ game_id: game.game_id }));
});
after(() => server.close());

const playerOf = (player_id: string) => ({
  game_id: game.game_id,
  environment: 'production' as const,
  player_id,
});
const putBy = (writer: SaveWriter, player_id: string, expected_version: number | null = null) =>
  writer.put(playerOf(player_id), {
    data: '{}',
    size_bytes: 2,
    expected_version,
    limit_reached: null,
  });
const put = (player_id: string, version?: number) =>
  server.request('PUT', '/v1/saves', {
    key: game.production_key,
    body: `{"player_id":"${player_id}","data":{}${version === undefined ? '' : `,"version":${version}`}}`,
  });
const erase = (player_id: string) =>
  server.request('DELETE', `/v1/games/${game.game_id}/players/${player_id}`, { token });

/** Locks a row until released, while other statements come to wait for it. */
async function hold(table: 'saves' | 'players', player_id: string) {
  const holder = await server.database.connect();
  let isHeld = true;
  const release = async () => {
    if (!isHeld) return;
    isHeld = false;
    await holder.query('COMMIT');
    holder.release();
  };
  const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await holder.query('BEGIN');
  await holder.query(`SELECT FROM ${table} WHERE player_id = $1 FOR UPDATE`, [player_id]);
  return {
    waitForWaiting: () =>
      waitUntil(`a statement waits for ${player_id}`, async () => {
        const waiting = await server.database.queryOne(sql`
          SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND query LIKE '%WITH changed AS%'
            AND ${rows[0]!.pid}::integer = ANY(pg_blocking_pids(pid))`);
        return waiting !== null;
      }),
    release,
    [Symbol.asyncDispose]: release,
  };
}

for (const [what, statement] of [
  ['look-up', 'SELECT number, revision, version, is_present'],
  ['write', 'is_present, number)'],
] as const) {
  test(`a refused ${what} in a later round is retried, and stored saves are not stored again`, async () => {
    const database = makeFailing(server.database);
    const writer = createSaveWriter(database);
    const of = (name: string) => `${name} of ${what}`;
    for (const name of ['kept', 'deleted', 'conflict']) await putBy(writer, of(name));
    const under_way = putBy(writer, of('another'));
    database.failNext(statement);
    const answers = await Promise.all([
      putBy(writer, of('kept')),
      writer.delete(playerOf(of('deleted'))),
      putBy(writer, of('conflict'), 7),
      putBy(writer, of('conflict'), 1),
      under_way,
    ]);
    assert.deepEqual(
      answers.map((answer) => {
        if (typeof answer === 'boolean') return answer;
        return answer.kind === 'stored' ? answer.version : answer.save.version;
      }),
      [2, true, 1, 2, 1],
    );
    const saves = await listSaves(server.database, ['kept', 'deleted'].map(of).map(playerOf));
    assert.deepEqual(
      saves.map((save) => save?.version),
      [2, undefined],
    );
    await writer.close();
  });
}

test('a version beyond all integers is a conflict, and does not delay other saves of the batch', async () => {
  for (const version of [2 ** 53, 2 ** 63, 1e19, 1e300]) {
    const player_id = `huge-${version}`;
    const first = await put(player_id, version);
    assert.deepEqual([first.status, first.body.version], [200, 1]);
    assert.equal((await put(player_id, version)).status, 409);
  }
  const database = makeFailing(server.database);
  const writer = createSaveWriter(database);
  const under_way = putBy(writer, 'alone');
  const beside = Array.from({ length: 20 }, (_, index) => putBy(writer, `beside-${index}`));
  const answers = await Promise.all([under_way, ...beside, putBy(writer, 'huge-1e+300', 1e300)]);
  assert.equal(answers.at(-1)!.kind, 'conflict');
  assert.ok(database.sent.length <= 4, `${database.sent.length} statements`);
  await writer.close();
});

test('a first save during the erasure of its player is erased too', async () => {
  for (const player_id of ['b1', 'b2']) {
    const body = { player_id, properties: {} };
    await server.request('POST', '/v1/identify', { key: game.production_key, body });
  }
  // Writes when they were last seen now: later this would wait for the lock, and the erasure for it.
  await server.request('GET', `/v1/games/${game.game_id}/players/b1`, { token });
  await using held = await hold('players', 'b2');
  const stored = storePuts(
    server.database,
    ['b1', 'b2'].map((player_id) => ({
      player: playerOf(player_id),
      expected_version: null,
      data: ['{}'],
    })),
  );
  await held.waitForWaiting();
  const erased = erase('b1');
  await waitUntil('the erasure waits or is done', async () => {
    const waiting = await server.database.queryOne(sql`
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'
        AND query LIKE '%DELETE FROM players%'`);
    return waiting !== null || (await Promise.race([erased, null])) !== null;
  });
  await held.release();
  await stored;
  assert.equal((await erased).status, 204);
  assert.deepEqual(await listSaves(server.database, [playerOf('b1')]), [null]);
});

test('a statement that waited while its player was erased and saved again does not overwrite the save', async () => {
  const puts = (player_id: string, ...data: string[]) => ({
    player: playerOf(player_id),
    expected_version: null,
    data,
  });
  await storePuts(server.database, [puts('a1', '{}'), puts('a2', '{}')]);
  await using held = await hold('saves', 'a1');
  const stale = storePuts(server.database, [puts('a1', '{}'), puts('a2', '{"by":"stale"}')]);
  await held.waitForWaiting();
  assert.equal((await erase('a2')).status, 204);
  const numbers = ['1', '2', '3', '4', '5'];
  const [anew] = await storePuts(server.database, [puts('a2', ...numbers)]);
  assert.equal(anew!.version, 5);
  await held.release();
  assert.deepEqual(
    (await stale).map((change) => change?.version),
    [2, undefined],
  );
  const [save] = await listSaves(server.database, [playerOf('a2')]);
  assert.deepEqual([save!.version, save!.data], [5, '5']);
});
