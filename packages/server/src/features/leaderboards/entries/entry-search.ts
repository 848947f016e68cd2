import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { patternOf } from '../../../platform/text-pattern.ts';
import { selectTieKey } from '../tie-break.ts';
import { ofSeason, writeEntryMembers } from '../store.ts';
import { writePageMembers } from '../pages/page.ts';
import type { Entry, SeasonKey } from '../store.ts';

/**
 * Finds the entries of players whose id or display name contains a text.
 * @returns JSON in the form of a page. PostgreSQL ranks all entries of the season, a million in a
 * second: fast enough for people who search.
 */
export async function searchEntries(
  database: Queryable,
  key: SeasonKey,
  { search, limit, offset }: { search: string; limit: number; offset: number },
): Promise<string> {
  const pattern = patternOf(search);
  const rows = await database.query<
    Entry & { rank: number; total_entries: number; found_entries: number }
  >(sql`
    WITH season AS (
      SELECT * FROM leaderboard_seasons
      WHERE ${ofSeason(key)}
    ), ranked AS (
      SELECT entry.*, row_number() OVER (
        ORDER BY CASE season.sort_order WHEN 'ascending' THEN score ELSE -score END,
          ${selectTieKey(sql`season.tie_break`, sql`entry.tie_value`)}, seq) AS rank
      FROM season
      JOIN leaderboard_entries AS entry USING (game_id, environment, board_name, season)
    ), found AS (
      SELECT * FROM ranked
      WHERE player_id COLLATE "C" ~ ${pattern}
         OR player_name COLLATE "C" ~ ${pattern}
    ), page AS (
      SELECT * FROM found
      ORDER BY rank
      OFFSET ${offset} LIMIT ${limit}
    )
    SELECT total_entries, (SELECT count(*) FROM found) AS found_entries, page.*
    FROM season LEFT JOIN page ON true
    ORDER BY rank`);
  const { total_entries = 0, found_entries = 0 } = rows[0] ?? {};
  const page = rows.filter(({ rank }) => rank !== null);
  const entries = page.map((row) => `{"rank":${row.rank},${writeEntryMembers(row)}}`).join(',');
  const members = `"found_entries":${found_entries},"entries":[${entries}]`;
  return writePageMembers(key, key.season, total_entries, members);
}
