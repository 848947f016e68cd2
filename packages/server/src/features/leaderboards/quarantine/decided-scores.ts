import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { SeasonChange } from '../seasons/season-changes.ts';
import type { LockedSeason } from '../seasons/season-store.ts';
import { isEntryOf, ofSeason } from '../store.ts';
import { selectTieKey } from '../tie-break.ts';
import type { EntryChange } from '../store.ts';
import type { DecidedScore } from './decision-store.ts';

/** The scores that one transaction has accepted or removed. */
export interface Decided {
  change: SeasonChange;
  count: number;
  scores: DecidedScore[];
  /** The greatest `seq` of these scores; null if there are no scores. */
  last_seq: number | null;
}

/**
 * SQL that compares keys: it is true if `held`, a row of `leaderboard_held_scores`, is the row from which
 * `row` was read.
 */
export const isHeldOf = (row: Sql): Sql => sql`
  held.game_id = ${row}.game_id AND held.environment = ${row}.environment
  AND held.player_id = ${row}.player_id AND held.board_name = ${row}.board_name
  AND held.season = ${row}.season AND held.held_id = ${row}.held_id`;

/** The `after_seq` that skips no score, because a `seq` is never negative. */
export const BEFORE_ALL = -1;

/** A choice among the waiting scores of a season. */
interface Choice {
  /** The players whose scores are chosen. If null, the scores that have waited longest are chosen. */
  player_ids: readonly string[] | null;
  /**
   * Scores with a `seq` up to this one are skipped, because an earlier step of the same decision has decided
   * them. Such a score may wait again if the decision was undone meanwhile.
   */
  after_seq: number;
  limit: number;
}

const selectWaiting = (season: LockedSeason, { player_ids, after_seq, limit }: Choice) =>
  sql`
    SELECT * FROM leaderboard_held_scores
    WHERE ${ofSeason(season)} AND state = 'waiting' AND seq > ${after_seq}
      AND (${player_ids === null} OR player_id = ANY(${player_ids}::text[]))
    ORDER BY seq
    LIMIT ${limit}`;

/**
 * Makes waiting scores public. The season must be locked. Among equal scores,
 * an accepted score ranks by the time when it was sent. If the public entry of
 * the player has become better than the waiting score, the public entry stays.
 */
export async function acceptScores(
  tx: Queryable,
  season: LockedSeason,
  decision_id: string,
  choice: Choice,
): Promise<Decided> {
  const tieKeyOf = (tie_value: Sql) => selectTieKey(sql`${season.tie_break}::text`, tie_value);
  const rows = await tx.query<
    DecidedScore & {
      number: number;
      seq: number;
      tie_value: number | null;
      is_new: boolean;
      is_better: boolean;
    }
  >(sql`
    WITH waiting AS MATERIALIZED (${selectWaiting(season, choice)}), compared AS (
      SELECT waiting.*, entry.*, entry_number IS NULL AS is_new,
        entry_number IS NULL OR CASE ${season.sort_order}::leaderboard_order
          WHEN 'ascending' THEN (score, ${tieKeyOf(sql`tie_value`)})
            < (entry_score, ${tieKeyOf(sql`entry_tie_value`)})
          ELSE (-score, ${tieKeyOf(sql`tie_value`)})
            < (-entry_score, ${tieKeyOf(sql`entry_tie_value`)}) END AS is_better
      FROM waiting
      LEFT JOIN LATERAL (
        SELECT entry_number, entry.score AS entry_score, entry.seq AS entry_seq,
          entry.player_name AS entry_name, entry.metadata AS entry_metadata,
          entry.tie_value AS entry_tie_value, updated_at
        FROM leaderboard_entries AS entry
        WHERE ${ofSeason(season)} AND entry.player_id = waiting.player_id
        OFFSET 0
      ) AS entry ON true
    ), chosen AS MATERIALIZED (
      SELECT compared.*, coalesce(entry_number, ${season.next_entry_number} - 1
        + (count(*) FILTER (WHERE is_new) OVER (ORDER BY seq))::integer) AS number
      FROM compared
    ), updated AS (
      UPDATE leaderboard_entries AS entry
      SET score = chosen.score, seq = chosen.seq, updated_at = chosen.reached_at,
        tie_value = chosen.tie_value,
        player_name = coalesce(chosen.player_name, entry.player_name),
        metadata = coalesce(chosen.metadata, entry.metadata)
      FROM chosen
      WHERE ${isEntryOf(sql`chosen`, sql`chosen.player_id`)} AND is_better AND NOT is_new
    ), inserted AS (
      INSERT INTO leaderboard_entries
        (game_id, environment, player_id, board_name, season, entry_number, score, seq,
          player_name, metadata, updated_at, tie_value)
      SELECT game_id, environment, player_id, board_name, season, number, score, seq,
        player_name, metadata, reached_at, tie_value
      FROM chosen
      WHERE is_new
    ), decided AS (
      UPDATE leaderboard_held_scores AS held
      -- The entry's content never changes without its seq, also when the score is accepted again.
      SET player_name = coalesce(chosen.player_name, CASE WHEN is_better THEN entry_name END),
        metadata = coalesce(chosen.metadata, CASE WHEN is_better THEN entry_metadata END),
        state = 'accepted', decision_id = ${decision_id}, replaced_score = entry_score,
        replaced_seq = entry_seq, replaced_player_name = entry_name,
        replaced_metadata = entry_metadata, replaced_reached_at = updated_at,
        replaced_tie_value = entry_tie_value
      FROM chosen
      WHERE ${isHeldOf(sql`chosen`)}
    )
    SELECT number, player_id, player_name, score, seq, tie_value, is_new, is_better FROM chosen ORDER BY seq`);
  const added = rows.filter(({ is_new }) => is_new).length;
  return {
    count: rows.length,
    scores: rows.map(toDecidedScore),
    last_seq: rows.at(-1)?.seq ?? null,
    change: {
      season,
      entries: rows
        .filter(({ is_better }) => is_better)
        .map(({ number, score, seq, tie_value }): EntryChange => [number, score, seq, tie_value]),
      added_entries: added,
      new_numbers: added,
    },
  };
}

/** Removes waiting scores. The season must be locked. */
export async function removeScores(
  tx: Queryable,
  season: LockedSeason,
  decision_id: string,
  choice: Choice,
): Promise<Decided> {
  const rows = await tx.query<DecidedScore & { seq: number }>(sql`
    WITH chosen AS MATERIALIZED (${selectWaiting(season, choice)}), decided AS (
      UPDATE leaderboard_held_scores AS held
      SET state = 'removed', decision_id = ${decision_id}
      FROM chosen
      WHERE ${isHeldOf(sql`chosen`)}
    )
    SELECT player_id, player_name, score, seq FROM chosen ORDER BY seq`);
  return {
    count: rows.length,
    scores: rows.map(toDecidedScore),
    last_seq: rows.at(-1)?.seq ?? null,
    change: { season, entries: [], added_entries: 0, new_numbers: 0 },
  };
}

const toDecidedScore = ({ player_id, player_name, score }: DecidedScore): DecidedScore => ({
  player_id,
  player_name,
  score,
});
