import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { SeasonChange } from '../seasons/season-changes.ts';
import type { LockedSeason } from '../seasons/season-store.ts';
import { insertEntriesOf, ofSeason } from '../store.ts';
import type { EntryChange } from '../store.ts';
import { isHeldOf } from './decided-scores.ts';
import type { ScoreState } from './hidden-scores.ts';

/** The result of undoing a decision in one season. */
interface Undone {
  change: SeasonChange;
  restored: number;
  skipped: number;
}

/**
 * Gives scores that a decision has accepted, removed or banned the state that they had before, in a locked
 * season. `docs/internals.md` has the table of states that this statement follows. The entry that an accepted
 * score has replaced is public again. A score is skipped, and its record is deleted, if its player has
 * reached another score in its place since, or is banned.
 */
export async function undoScores(
  tx: Queryable,
  season: LockedSeason,
  decision_id: string,
  limit: number,
): Promise<Undone> {
  const { game_id, environment, board_name, next_entry_number } = season;
  const rows = await tx.query<{
    /** The number of the entry that changes; null if none does. */
    entry_number: number | null;
    becomes: ScoreState | 'gone';
    score: number;
    seq: number;
    replaced_score: number | null;
    replaced_seq: number | null;
    tie_value: number | null;
    replaced_tie_value: number | null;
    is_restored: boolean;
  }>(sql`
    WITH chosen AS MATERIALIZED (
      SELECT held.*, entry.entry_number AS stored_number,
        coalesce(state = 'accepted' AND entry.entry_seq = held.seq, false) AS is_shown,
        CASE
          WHEN EXISTS (
            SELECT FROM leaderboard_decisions AS ban
            WHERE ban.game_id = ${game_id} AND ban.environment = ${environment}
              AND ban.player_id = held.player_id AND ban.board_name = ANY(ARRAY['', ${board_name}])
              AND ban.kind = 'ban' AND ban.undone_at IS NULL AND ban.decision_id <> ${decision_id}
          ) THEN 'gone'
          WHEN state = 'accepted' THEN
            CASE WHEN entry.entry_seq = held.seq
                   OR entry.entry_seq IS NOT DISTINCT FROM held.replaced_seq THEN 'waiting'
                 ELSE 'gone' END
          WHEN rule IS NOT NULL THEN 'waiting'
          WHEN entry.entry_seq IS NULL THEN 'public'
          ELSE 'gone'
        END AS earlier_state,
        EXISTS (
          SELECT FROM leaderboard_held_scores AS other
          WHERE ${ofSeason(season)} AND other.player_id = held.player_id
            AND other.state = 'waiting') AS has_newer
      FROM (
        SELECT * FROM leaderboard_held_scores
        WHERE ${ofSeason(season)} AND decision_id = ${decision_id}
        ORDER BY seq
        LIMIT ${limit}
      ) AS held
      LEFT JOIN LATERAL (
        SELECT entry_number, seq AS entry_seq
        FROM leaderboard_entries AS entry
        WHERE ${ofSeason(season)} AND entry.player_id = held.player_id
        OFFSET 0
      ) AS entry ON true
    ), judged AS MATERIALIZED (
      SELECT chosen.*,
        -- A player has at most one waiting score: the newer one stays.
        CASE WHEN earlier_state = 'waiting' AND has_newer THEN 'gone' ELSE earlier_state END AS becomes,
        is_shown AND earlier_state = 'waiting' AS is_replaced,
        earlier_state = 'public' OR (earlier_state = 'waiting' AND (state = 'accepted' OR NOT has_newer))
          AS is_restored
      FROM chosen
    ), public AS MATERIALIZED (
      SELECT judged.*, ${next_entry_number} - 1 + (row_number() OVER (ORDER BY seq))::integer
        AS entry_number
      FROM judged
      WHERE becomes = 'public'
    ), shown AS (
      ${insertEntriesOf(sql`public`, sql`reached_at`)}
    ), replaced AS (
      UPDATE leaderboard_entries AS entry
      SET score = replaced_score, seq = replaced_seq, player_name = replaced_player_name,
        metadata = replaced_metadata, updated_at = replaced_reached_at,
        tie_value = replaced_tie_value
      FROM judged
      WHERE ${ofSeason(season, sql`entry`)} AND entry.player_id = judged.player_id
        AND is_replaced AND replaced_seq IS NOT NULL
    ), removed AS (
      DELETE FROM leaderboard_entries AS entry
      USING judged
      WHERE ${ofSeason(season, sql`entry`)} AND entry.player_id = judged.player_id
        AND is_replaced AND replaced_seq IS NULL
    ), waiting AS (
      UPDATE leaderboard_held_scores AS held
      SET state = 'waiting', decision_id = NULL, replaced_score = NULL, replaced_seq = NULL,
        replaced_player_name = NULL, replaced_metadata = NULL, replaced_reached_at = NULL,
        replaced_tie_value = NULL
      FROM judged
      WHERE ${isHeldOf(sql`judged`)} AND becomes = 'waiting'
    ), gone AS (
      DELETE FROM leaderboard_held_scores AS held
      USING judged
      WHERE ${isHeldOf(sql`judged`)} AND becomes <> 'waiting'
    )
    SELECT coalesce(public.entry_number, CASE WHEN judged.is_replaced THEN judged.stored_number END)
        AS entry_number,
      judged.becomes, judged.score, judged.seq, judged.replaced_score, judged.replaced_seq,
      judged.tie_value, judged.replaced_tie_value, judged.is_restored
    FROM judged
    LEFT JOIN public USING (player_id, held_id)`);
  const changed = rows.filter(({ entry_number }) => entry_number !== null);
  const added = changed.filter(({ becomes }) => becomes === 'public').length;
  const removed = changed.filter(
    ({ becomes, replaced_seq }) => becomes !== 'public' && replaced_seq === null,
  ).length;
  const restored = rows.filter(({ is_restored }) => is_restored).length;
  return {
    restored,
    skipped: rows.length - restored,
    change: {
      season,
      entries: changed.map((row): EntryChange => {
        if (row.becomes === 'public') {
          return [row.entry_number!, row.score, row.seq, row.tie_value];
        }
        if (row.replaced_seq === null) return [row.entry_number!];
        return [row.entry_number!, row.replaced_score!, row.replaced_seq, row.replaced_tie_value];
      }),
      added_entries: added - removed,
      new_numbers: added,
    },
  };
}
