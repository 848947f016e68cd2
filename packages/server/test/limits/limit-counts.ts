import type { Database } from '../../src/platform/database/database.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { listCountedUses } from '../../src/platform/limits/use-store.ts';
import type { CountedUses } from '../../src/platform/limits/use-store.ts';

/** Reads from the counters how much of each limit a game uses. */
export async function readCounters(database: Database, game_id: string): Promise<CountedUses> {
  const games = await listCountedUses(database, [game_id]);
  return games.get(game_id)!.uses;
}

/** Counts row by row how much of each limit a game uses. */
export async function countRows(database: Database, game_id: string): Promise<CountedUses> {
  const row = await database.queryOne<CountedUses>(sql`
    SELECT (SELECT coalesce(sum(octet_length(data)), 0)::bigint
            FROM (SELECT game_id, data FROM save_versions
                  UNION ALL SELECT game_id, data FROM older_save_versions) AS kept
            WHERE game_id = ${game_id}) AS save_bytes,
           (SELECT count(*) FROM players WHERE game_id = ${game_id} AND counted_at IS NOT NULL) AS players,
           (SELECT count(*)
            FROM (SELECT game_id FROM leaderboard_entries
                  UNION ALL
                  SELECT game_id FROM leaderboard_held_scores WHERE state = 'waiting') AS entries
            WHERE game_id = ${game_id}) AS leaderboard_entries,
           (SELECT count(*) FROM leaderboard_submits WHERE game_id = ${game_id}) AS ledger_rows`);
  return row!;
}
