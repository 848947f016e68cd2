import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { setLimits } from '../../../../test/limits/limited-game.ts';
import type { Database } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { foldStorageChanges } from '../../../platform/limits/use-store.ts';
import { makeBoardClient } from '../test/board-client.ts';
import type { BoardClient } from '../test/board-client.ts';
import { findCap, trimFullLedgers } from './ledger-limit.ts';

let server: TestServer;
let client: BoardClient;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());
beforeEach(async () => {
  client = await makeBoardClient(server);
  const { status } = await client.manage('PUT', '/b', { keeps_ledger: true });
  assert.equal(status, 200);
});

const submitOften = async (player_id: string, count: number) => {
  for (let score = 1; score <= count; score++) {
    const { status } = await client.submit({ board_name: 'b', player_id, score });
    assert.ok(status < 300);
  }
};
/** Returns the database of the game. */
const findDatabase = () => server.database.ofGame(client.game.game_id);
const trimAt = async (ledger_rows: number) => {
  await setLimits(server, client.game.game_id, { ledger_rows });
  await foldStorageChanges(findDatabase());
  await trimFullLedgers(findDatabase());
};
const listScores = async (player_id: string) => {
  const rows = await server.database.query<{ score: number }>(sql`
    SELECT score FROM leaderboard_submits
    WHERE game_id = ${client.game.game_id} AND player_id = ${player_id}
    ORDER BY version, place`);
  return rows.map(({ score }) => score);
};
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

test('a player who floods a full ledger loses their oldest submits, and other players lose none', async () => {
  await submitOften('early', 4);
  await submitOften('flooder', 40);
  await submitOften('late', 6);
  await trimAt(50);
  assert.equal((await listScores('flooder')).length, 40, 'the limit is not passed');
  await trimAt(40);
  assert.deepEqual(await listScores('early'), range(1, 4));
  assert.deepEqual(await listScores('late'), range(1, 6));
  assert.deepEqual(await listScores('flooder'), range(15, 40));
});

test('two servers that trim at the same time delete no more than one server would', async () => {
  await submitOften('flooder', 40);
  const database = findDatabase();
  let trimmed: Promise<void> | undefined;
  // Stands for the database of a server that has counted the rows of the ledgers. Before the server deletes
  // any rows, another server trims the ledgers.
  const overtaken: Database = {
    ...database,
    async execute(statement) {
      trimmed ??= trimFullLedgers(database);
      await trimmed;
      return database.execute(statement);
    },
  };
  await setLimits(server, client.game.game_id, { ledger_rows: 20 });
  await foldStorageChanges(database);
  await trimFullLedgers(overtaken);
  assert.deepEqual(await listScores('flooder'), range(23, 40));
});

test('with a limit of zero rows, submits are accepted and the newest row of each player stays', async () => {
  await submitOften('a', 3);
  await submitOften('b', 1);
  await trimAt(0);
  assert.deepEqual([await listScores('a'), await listScores('b')], [[3], [1]]);
  await submitOften('c', 2);
  const { token } = await server.makeAccount({ game_id: client.game.game_id });
  const path = `/v1/games/${client.game.game_id}/usage`;
  const { body } = await server.request('GET', path, { token });
  assert.deepEqual(body.limits.ledger_rows, { used: 4, limit: 0 });
});

test('a ledger is trimmed below its limit even if it has more rows than one statement counts', async () => {
  await submitOften('early', 2);
  await submitOften('late', 2);
  const { game_id } = client.game;
  await server.database.execute(sql`
    INSERT INTO leaderboard_submits
      (game_id, environment, player_id, board_name, version, place, season, score, outcome,
        submitted_at, key_id, is_verified, network)
    SELECT ${game_id}, 'production', 'flooder', 'b', n, 0, 1, n, 'kept', now(), ${game_id}, false, ''
    FROM generate_series(1, 100500) AS n`);
  await trimAt(100);
  const left = await listScores('flooder');
  assert.deepEqual([left.length, left[0], left.at(-1)], [86, 100_415, 100_500]);
  assert.deepEqual(
    [await listScores('early'), await listScores('late')],
    [range(1, 2), range(1, 2)],
  );
});

test('the cap is the largest number of rows per ledger with which all ledgers together stay within the limit', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 0, max: 600 }), (row_counts, kept_rows) => {
      const counts = new Map<number, number>();
      for (const row_count of row_counts) counts.set(row_count, (counts.get(row_count) ?? 0) + 1);
      const cap = findCap(counts, kept_rows);
      const kept = (most: number) =>
        row_counts.reduce((sum, row_count) => sum + Math.min(row_count, most), 0);
      assert.ok(cap === 1 || kept(cap) <= kept_rows);
      assert.ok(cap === Infinity || kept(cap + 1) > kept_rows);
    }),
  );
});
