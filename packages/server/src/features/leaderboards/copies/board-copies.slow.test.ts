import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '../../../platform/database/sql.ts';
import { MEGABYTE, openBoardDatabase, submit } from '../test/board-database.ts';
import type { BoardDatabase } from '../test/board-database.ts';

let boards: BoardDatabase;
before(async () => {
  boards = await openBoardDatabase();
});
after(() => boards.close());

test('a board of 70,000 entries is loaded in parts and ranked exactly', async () => {
  const board = await boards.makeBoard();
  const seeding = boards.makeServer();
  await submit(seeding, board, 'first', 0);
  await seeding.close();
  const size = 70_000;
  await boards.database.execute(sql`
    INSERT INTO leaderboard_entries
      (game_id, environment, board_name, season, player_id, entry_number, score, seq, updated_at)
    SELECT ${board.game_id}, 'production', 'b', 1, 'p' || n, n, (n::bigint * 7919) % 100003, n + 1, now()
    FROM generate_series(1, ${size - 1}::integer) AS n`);
  await boards.database.execute(sql`
    UPDATE leaderboard_seasons
    SET version = version + 1, total_entries = ${size}, next_entry_number = ${size},
      next_seq = ${size + 1}
    WHERE game_id = ${board.game_id}`);
  const server = boards.makeServer({ max_copy_bytes: 64 * MEGABYTE });
  for (const number of [1, 65_535, 65_536, 69_999]) {
    const { rank, entry, total_entries } = await submit(server, board, `p${number}`, -1);
    const ahead = await boards.database.queryOne<{ count: number }>(sql`
      SELECT count(*) AS count FROM leaderboard_entries
      WHERE game_id = ${board.game_id} AND (score > ${entry.score}
        OR score = ${entry.score} AND seq < (
          SELECT seq FROM leaderboard_entries
          WHERE game_id = ${board.game_id} AND player_id = ${entry.player_id}))`);
    assert.deepEqual([rank, total_entries], [ahead!.count + 1, size]);
  }
  await server.close();
});
