import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sumOfNodes } from '../../../../test/nodes.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeBoardClient } from '../test/board-client.ts';

const LEDGER_ROWS = 30_000;

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

/** Counts the rows of ledgers that sessions have read. A session adds its reads when it ends. */
const countReads = () =>
  sumOfNodes(
    server.database,
    `SELECT (SELECT coalesce(sum(seq_tup_read), 0) FROM pg_stat_user_tables
             WHERE relname LIKE 'leaderboard_submits%')
          + (SELECT coalesce(sum(idx_tup_read), 0) FROM pg_stat_user_indexes
             WHERE relname LIKE 'leaderboard_submits%')`,
  );

test("the last submit of a player is found without reading the board's ledger", async () => {
  const { game, manage, submit } = await makeBoardClient(server);
  await manage('PUT', '/b', { keeps_ledger: true, min_submit_interval_ms: 1 });
  await submit({ board_name: 'b', player_id: 'seldom', score: 1 });
  // The table has no statistics yet, so the planner must find the row without them.
  await server.database.execute(sql`
    INSERT INTO leaderboard_submits
      (game_id, environment, player_id, board_name, version, place, season, score, outcome,
        submitted_at, key_id, is_verified, network)
    SELECT game_id, environment, 'player-' || n % 3000, board_name, version + n, 0, season, n, 'kept',
      clock_timestamp(), game_id, false, ''
    FROM leaderboard_seasons, generate_series(1, ${LEDGER_ROWS}::integer) AS n
    WHERE game_id = ${game.game_id}`);
  const earlier = await countReads();
  const node = await startTestServer({ database_url: server.database_url });
  const { status } = await submit({ board_name: 'b', player_id: 'seldom', score: 2 }, node);
  await node.close();
  assert.equal(status, 200);
  await waitUntil('the reads are counted', async () => (await countReads()) > earlier);
  const read = (await countReads()) - earlier;
  assert.ok(read < LEDGER_ROWS / 10, `${read} rows`);
});
