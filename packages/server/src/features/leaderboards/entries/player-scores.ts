import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { JsonText } from '../../../platform/http/implement.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import type { Entry } from '../store.ts';
import { selectTieKey } from '../tie-break.ts';

/** Marks the metadata of a row as JSON text, so `writeJson` writes it unchanged. */
export const withMetadata = <Row extends { metadata: string | null }>(row: Row) => ({
  ...row,
  metadata: row.metadata === null ? null : new JsonText(row.metadata),
});

/** A player's entry in one season of a board. */
export interface PlayerScore extends Omit<
  Entry,
  'entry_number' | 'seq' | 'metadata' | 'tie_value'
> {
  tie_value?: number;
  board_name: string;
  season: number;
  rank: number;
  metadata: JsonText | null;
  total_entries: number;
  ended_at: string | null;
}

const tieKeyIn = (row: Sql) => selectTieKey(sql`season.tie_break`, sql`${row}.tie_value`);

/** Lists the player's entries, at most `count` of them. Of each entry, returns only the season. */
export const listEntriesOf = (
  database: Queryable,
  { game_id, environment, player_id }: PlayerKey,
  count: number,
): Promise<{ season: number }[]> =>
  database.query(sql`
    SELECT season FROM leaderboard_entries
    WHERE game_id = ${game_id} AND environment = ${environment} AND player_id = ${player_id}
    LIMIT ${count}`);

/**
 * Lists the entries of a player, ordered by board name, and within a board from the newest season to the
 * oldest. To find the rank of each entry, PostgreSQL counts the entries ahead of it. That takes 0.8 s on a
 * board of a million entries, which is fast enough for people who look up a player.
 */
export async function listPlayerScores(
  database: Database,
  { game_id, environment, player_id }: PlayerKey,
  after: { board_name: string; season: number } | null,
  limit: number,
  now: Date,
): Promise<PlayerScore[]> {
  const rows = await database.query<
    Omit<PlayerScore, 'metadata' | 'tie_value'> & Pick<Entry, 'metadata' | 'tie_value'>
  >(sql`
    WITH own AS (
      SELECT * FROM leaderboard_entries
      WHERE game_id = ${game_id} AND environment = ${environment} AND player_id = ${player_id}
        AND (${after === null} OR board_name > ${after?.board_name}
          OR (board_name = ${after?.board_name} AND season < ${after?.season}))
      ORDER BY board_name, season DESC
      LIMIT ${limit}
    )
    SELECT board_name, season, ahead.count + 1 AS rank, player_id, player_name, score, metadata,
      own.tie_value, own.updated_at, total_entries,
      coalesce(ended_at, CASE WHEN ends_at <= ${now} THEN ends_at END) AS ended_at
    FROM own
    JOIN leaderboard_seasons AS season USING (game_id, environment, board_name, season)
    CROSS JOIN LATERAL (
      SELECT count(*) FROM leaderboard_entries AS entry
      WHERE entry.game_id = own.game_id AND entry.environment = own.environment
        AND entry.board_name = own.board_name AND entry.season = own.season
        AND CASE season.sort_order
          WHEN 'ascending' THEN (entry.score, ${tieKeyIn(sql`entry`)}, entry.seq)
            < (own.score, ${tieKeyIn(sql`own`)}, own.seq)
          ELSE (-entry.score, ${tieKeyIn(sql`entry`)}, entry.seq)
            < (-own.score, ${tieKeyIn(sql`own`)}, own.seq)
        END
    ) AS ahead
    ORDER BY board_name, season DESC`);
  return rows.map(({ tie_value, ...row }) =>
    withMetadata(tie_value === null ? row : { ...row, tie_value }),
  );
}
