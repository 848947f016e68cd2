import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeBoardClient } from '../test/board-client.ts';
import { scoreOf } from '../test/board-database.ts';
import { readAndImprove } from './player-states.ts';
import { EMPTY_POLICY } from '../rules.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

test("the last submit of a player is found without reading the board's ledger", async () => {
  const { game, manage, submit } = await makeBoardClient(server);
  const { game_id } = game;
  await manage('PUT', '/b', { keeps_ledger: true, min_submit_interval_ms: 1 });
  await submit({ board_name: 'b', player_id: 'seldom', score: 1 });
  // The planner must find the row although the table has no statistics yet.
  await server.database.execute(sql`
    INSERT INTO leaderboard_submits
      (game_id, environment, player_id, board_name, version, place, season, score, outcome,
        submitted_at, key_id, is_verified, network)
    SELECT ${game_id}, 'production', 'player-' || n % 3000, 'b', version + n, 0, 1, n, 'kept', clock_timestamp(), ${game_id},
      false, ''
    FROM leaderboard_submits, generate_series(1, 30000) AS n
    WHERE game_id = ${game_id}`);
  const { version } = (await server.database.queryOne<{ version: number }>(sql`
    SELECT version FROM leaderboard_seasons WHERE game_id = ${game_id}`))!;

  let plan = '';
  const explaining: Queryable = {
    ...server.database,
    async query(statement) {
      const rows = await server.database.query<object>(
        sql`EXPLAIN (ANALYZE, BUFFERS) ${statement}`,
      );
      plan = rows.map((row) => Object.values(row)[0] as string).join('\n');
      return server.database.query(statement);
    },
  };
  const board = { game_id, environment: 'production', board_name: 'b' } as const;
  const [found] = await readAndImprove(
    explaining,
    [
      {
        season: { ...board, season: 1 },
        version,
        next_version: version + 1,
        policy: { ...EMPTY_POLICY, min_submit_interval_ms: 1 },
        players: [{ player_id: 'seldom', best: scoreOf(board, 'seldom', 2) }],
      },
    ],
    new Date().toISOString(),
  );
  assert.ok(typeof found === 'object' && found.players[0]!.last_submit_ms! > 0);
  assert.doesNotMatch(plan, /leaderboard_submits_age/);
});
