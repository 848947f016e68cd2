import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { countCases } from '../long-forms.ts';
import { openDatabase } from '../../src/platform/database/open-database.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { makeEmptyDatabase } from '../copy-database.ts';
import { startTestServer } from '../harness.ts';
import type { TestGame, TestServer } from '../harness.ts';
import { countRows, readCounters } from './limit-counts.ts';
import { waitUntil } from '../wait-until.ts';

/** Tests that the counters, which triggers update, always equal the numbers of rows. */

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

interface Played extends TestGame {
  token: string;
}

const PLAYERS = ['p', 'q', 'r'];
const BOARDS = ['a', 'b'];

/** A request for each way to add or remove players, saves and entries. */
const STEPS: Record<string, (game: Played, number: number) => Promise<unknown>> = {
  identify: ({ production_key: key }, number) =>
    server.request('POST', '/v1/identify', {
      key,
      body: { player_id: player(number), properties: {} },
    }),
  track: ({ production_key: key }, number) =>
    server.request('POST', '/v1/track', {
      key,
      body: { event_name: 'e', session_id: 's', player_id: player(number) },
    }),
  save: ({ production_key: key }, number) =>
    server.request('PUT', '/v1/saves', {
      key,
      body: { player_id: player(number), data: { text: 'ü'.repeat(number) } },
    }),
  deleteSave: ({ production_key: key }, number) =>
    server.request('DELETE', `/v1/saves?player_id=${player(number)}`, { key }),
  restore: ({ game_id, token }, number) =>
    server.request('POST', `/v1/games/${game_id}/players/${player(number)}/saves/1/restore`, {
      token,
    }),
  submit: ({ production_key: key }, number) =>
    server.request('POST', '/v1/leaderboards', {
      key,
      body: { player_id: player(number), board_name: board(number), score: number },
    }),
  decide: ({ game_id, token }, number) =>
    server.request(
      'POST',
      `/v1/games/${game_id}/leaderboards/${board(number)}/quarantine/decisions`,
      { token, body: { decision: number % 3 ? 'accept' : 'remove' } },
    ),
  ban: ({ game_id, token }, number) =>
    server.request('POST', `/v1/games/${game_id}/players/${player(number)}/leaderboard-bans`, {
      token,
      body: {},
    }),
  deleteEntry: ({ game_id, token }, number) =>
    server.request(
      'DELETE',
      `/v1/games/${game_id}/leaderboards/${board(number)}/entries/${player(number)}`,
      { token },
    ),
  reset: ({ game_id, token }, number) =>
    server.request('POST', `/v1/games/${game_id}/leaderboards/${board(number)}/reset`, { token }),
  deleteBoard: ({ game_id, token }, number) =>
    server.request('DELETE', `/v1/games/${game_id}/leaderboards/${board(number)}`, { token }),
  tag: ({ production_key: key }, number) =>
    server.request('POST', `/v1/players/${player(number)}/tags`, { key, body: { tag: 't' } }),
  unlock: ({ production_key: key }, number) =>
    server.request('POST', '/v1/achievements/unlock', {
      key,
      body: { player_id: player(number), achievement_key: 'first' },
    }),
  merge: ({ game_id, token }, number) =>
    server.request('POST', `/v1/games/${game_id}/players/${player(number)}/merge`, {
      token,
      body: { from_player_id: player(number + 1) },
    }),
  erase: ({ game_id, token }, number) =>
    server.request('DELETE', `/v1/games/${game_id}/players/${player(number)}`, { token }),
};
const player = (number: number) => PLAYERS[number % PLAYERS.length]!;
const board = (number: number) => BOARDS[number % BOARDS.length]!;

test('after any simultaneous requests the counters equal a count of all rows', async () => {
  const step = fc.tuple(fc.constantFrom(...Object.keys(STEPS)), fc.integer({ min: 0, max: 40 }));
  const property = fc.asyncProperty(
    fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 12 }),
    async (rounds) => {
      const game = await server.makeGame();
      const { token } = await server.makeAccount({ game_id: game.game_id });
      const played = { ...game, token };
      await server.request('PUT', `/v1/games/${game.game_id}/leaderboards/${BOARDS[0]}`, {
        token,
        body: { max_gain: 10, first_gain_from: 0, on_violation: 'quarantine', keeps_ledger: true },
      });
      await server.request('POST', `/v1/games/${game.game_id}/achievements`, {
        token,
        body: { key: 'first', name: 'First' },
      });
      for (const round of rounds) {
        await Promise.all(round.map(([name, number]) => STEPS[name]!(played, number)));
      }
      // This request waits until the events are processed.
      await server.request('GET', `/v1/games/${game.game_id}/usage`, { token });
      const rows = await countRows(server.database, game.game_id);
      assert.deepEqual(await readCounters(server.database, game.game_id), rows);
    },
  );
  await fc.assert(property, { numRuns: countCases(25) });
});

test('a deleted game leaves neither rows nor counters', async () => {
  const game = await server.makeGame();
  const { token } = await server.makeAccount({ game_id: game.game_id });
  for (let number = 0; number < 5; number++) {
    await STEPS.save!({ ...game, token }, number);
    await STEPS.submit!({ ...game, token }, number);
  }
  await server.request('DELETE', `/v1/games/${game.game_id}`, { token });
  const left = async () =>
    server.database.query(sql`
      SELECT FROM players WHERE game_id = ${game.game_id}
      UNION ALL SELECT FROM game_storage WHERE game_id = ${game.game_id}
      UNION ALL SELECT FROM storage_changes WHERE game_id = ${game.game_id}`);
  await waitUntil('its rows and the changes of its counters are erased', async () => {
    await server.database.execute(sql`
      UPDATE game_deletions SET next_sweep_at = now() WHERE game_id = ${game.game_id}`);
    return (await left()).length === 0;
  });
});

test('the migration counts existing rows, and raises the limits of games that are large for their tier', async () => {
  await using cloned = await emptyDatabase();
  const { database } = cloned;
  await migrate(database, { last: '0015_saved_reports.sql' });
  const game_id = '7d4f0f5e-3f7a-4b58-9f0e-0f5b9a7c1e11';
  await database.execute(sql`
    INSERT INTO games (id, name, time_zone) VALUES (${game_id}, 'Old', 'UTC')`);
  await database.execute(sql`
    INSERT INTO players (game_id, environment, player_id)
    SELECT ${game_id}, 'production', 'p' || n FROM generate_series(1, 3) AS n`);
  await database.execute(sql`
    INSERT INTO save_versions (game_id, environment, player_id, slot, version, data, saved_at)
    SELECT ${game_id}, 'production', 'p1', n, n, repeat('ü', 100), now()
    FROM generate_series(1, 4) AS n`);
  await database.execute(sql`
    INSERT INTO leaderboard_entries (game_id, environment, player_id, board_name, season,
                                     entry_number, score, seq, updated_at)
    VALUES (${game_id}, 'production', 'p1', 'b', 1, 0, 1, 1, now())`);
  await database.execute(sql`
    INSERT INTO leaderboards (game_id, board_name)
    SELECT ${game_id}, 'b' || n FROM generate_series(1, 60) AS n`);
  await migrate(database, { last: '0026_save_slots.sql' });
  await database.execute(sql`
    INSERT INTO leaderboard_held_scores (game_id, environment, player_id, board_name, season, state,
                                         score, seq, reached_at)
    SELECT ${game_id}, 'production', state::text, 'b', 1, state, 1, 1, now()
    FROM unnest(enum_range(NULL::leaderboard_held_state)) AS state`);
  await database.execute(sql`
    INSERT INTO leaderboard_submits (game_id, environment, player_id, board_name, version, place,
                                     season, score, outcome, submitted_at, key_id, is_verified,
                                     network)
    SELECT ${game_id}, 'production', 'p1', 'b', 1, n, 1, n, 'kept', now(), ${game_id}, false, ''
    FROM generate_series(1, 7) AS n`);
  await migrate(database);
  const rows = { players: 3, save_bytes: 800, leaderboard_entries: 2, ledger_rows: 7 };
  assert.deepEqual(await readCounters(database, game_id), rows);
  const game = await database.queryOne<{ limit_overrides: object }>(
    sql`SELECT limit_overrides FROM games WHERE id = ${game_id}`,
  );
  assert.deepEqual(game!.limit_overrides, { leaderboards: 240 });
});

async function emptyDatabase() {
  const { url, drop } = await makeEmptyDatabase();
  const database = openDatabase({ url }, { application_name: 'test', max_connections: 2 });
  return {
    database,
    async [Symbol.asyncDispose]() {
      await database.close();
      await drop();
    },
  };
}
