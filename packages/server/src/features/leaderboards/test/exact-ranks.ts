import assert from 'node:assert/strict';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { BoardClient } from './board-client.ts';

const plain = (entries: object[]) =>
  entries.map((entry) => {
    const { updated_at: _updated_at, ...rest } = entry as { updated_at: string };
    return rest;
  });

/**
 * Checks that all servers show the stored entries of the board `b`, on every page and for every player.
 * @param has_waiting True if some players see their own scores that wait for a decision.
 */
export async function assertExactRanks(
  nodes: readonly TestServer[],
  board: BoardClient,
  expected_entries?: number,
  has_waiting = false,
): Promise<void> {
  const stored = await nodes[0]!.database.query<{
    player_id: string;
    tie_value: number | null;
  }>(sql`
    SELECT player_id, score, tie_value, player_name, metadata::json AS metadata,
      row_number() OVER (
        ORDER BY CASE sort_order WHEN 'ascending' THEN score ELSE -score END,
          CASE tie_break WHEN 'lower' THEN coalesce(tie_value, 'Infinity')
            WHEN 'higher' THEN coalesce(-tie_value, 'Infinity') ELSE 0 END, seq) AS rank
    FROM leaderboard_entries JOIN (
      SELECT * FROM leaderboard_seasons
      WHERE game_id = ${board.game.game_id} AND environment = 'production' AND board_name = 'b'
      ORDER BY season DESC LIMIT 1
    ) AS season USING (game_id, environment, board_name, season)
    ORDER BY rank`);
  const rows = stored.map(({ tie_value, ...row }) =>
    tie_value === null ? row : { ...row, tie_value },
  );
  if (expected_entries !== undefined) assert.equal(rows.length, expected_entries);
  for (const node of nodes) {
    for (let offset = 0; offset <= rows.length; offset += 100) {
      const { body } = await board.page('b', `limit=100&offset=${offset}`, node);
      assert.equal(body.total_entries, rows.length);
      assert.deepEqual(plain(body.entries), rows.slice(offset, offset + 100));
    }
    if (has_waiting) continue;
    const players = await Promise.all(
      rows.map(({ player_id }) => board.page('b', `limit=1&player_id=${player_id}`, node)),
    );
    players.forEach(({ body }, index) => {
      assert.deepEqual(plain([body.player]), [rows[index]]);
      assert.deepEqual(plain(body.around), rows.slice(Math.max(0, index - 5), index + 6));
    });
  }
}
