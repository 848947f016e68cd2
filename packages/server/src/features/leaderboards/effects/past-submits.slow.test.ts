import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { EffectDatabase } from '../../../platform/definitions/effects.ts';
import type { PastSubmit } from './past-submits.ts';
import { findEarlier, readPastSubmits } from './past-submits.ts';

test('players of a large ledger without statistics are found in one pass through it', async () => {
  const server = await startTestServer();
  const { game_id } = await server.makeGame();
  const game = server.database.ofGame(game_id);
  // Each look-up of a player that reads the whole ledger would take 20 ms, and all of them 100 s.
  await game.execute(sql`
    INSERT INTO leaderboard_submits (game_id, environment, player_id, board_name, version, place,
      season, score, outcome, submitted_at, counted_ms, key_id, is_verified, network)
    SELECT ${game_id}::uuid, 'production', 'p' || number, 'b', number, 0, 1, number, 'new',
      now(), number, ${game_id}::uuid, false, ''
    FROM generate_series(1, 41000) AS number`);
  const database: EffectDatabase = {
    query: (statement) => game.query(statement),
    progress: { expect: () => undefined, add: () => undefined },
  };
  const board = { game_id, environment: 'production' as const, board_name: 'b' };
  const { signal } = new AbortController();
  const all = readPastSubmits(database, board, new Date(0).toISOString(), signal);
  const page = ((await all.next()).value ?? []) as PastSubmit[];
  assert.equal(page.length, 5_000);
  const since = new Date(60_000).toISOString();
  const earlier = await findEarlier(database, board, since, page, signal);
  assert.deepEqual(
    page.map(({ player_id }) => earlier.get(player_id)?.counted_ms),
    page.map(({ score }) => score),
  );
  await all.return(undefined);
  await server.close();
});
