import { sql } from '../packages/server/src/platform/database/sql.ts';
import type { BenchServer } from './bench-server.ts';

/** Adds entries of player-2, player-3… with random scores to the board `board`, as rows. */
export async function seedBoardRows(
  { database }: BenchServer,
  game_id: string,
  size: number,
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute(sql`
      INSERT INTO leaderboard_entries (game_id, environment, player_id, board_name, season,
                                       entry_number, score, seq, updated_at)
      SELECT ${game_id}, 'production', 'player-' || n, 'board', season,
             next_entry_number + n, floor(random() * 1000000), next_seq + n, now()
      FROM leaderboard_seasons, generate_series(1, ${size - 1}::integer) AS n
      WHERE game_id = ${game_id} AND board_name = 'board'`);
    await tx.execute(sql`
      UPDATE leaderboard_seasons SET
        total_entries = ${size},
        next_entry_number = next_entry_number + ${size}::integer,
        next_seq = next_seq + ${size}::integer,
        version = version + 1
      WHERE game_id = ${game_id} AND board_name = 'board'`);
  });
  const client = await database.connect();
  await client.query('ANALYZE leaderboard_entries').finally(() => client.release());
}
