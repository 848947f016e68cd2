import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { SeasonChange } from '../seasons/season-changes.ts';
import type { LockedSeason } from '../seasons/season-store.ts';
import { isEntryOf } from '../seasons/season-versions.ts';
import { ofSeason } from '../store.ts';
import type { EntryChange } from '../store.ts';
import type { DecidedScore } from './decision-store.ts';
import { isBanned, isHeldOf } from './hidden-entries.ts';

/** The scores that one transaction has accepted or removed. */
export interface Decided {
  change: SeasonChange;
  count: number;
  scores: DecidedScore[];
  /** The greatest `seq` of these scores; null if there are no scores. */
  last_seq: number | null;
}

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
  const rows = await tx.query<
    DecidedScore & { number: number; seq: number; is_new: boolean; is_better: boolean }
  >(sql`
    WITH waiting AS MATERIALIZED (${selectWaiting(season, choice)}), compared AS (
      SELECT waiting.*, entry.*, entry_number IS NULL AS is_new,
        entry_number IS NULL OR CASE ${season.sort_order}::leaderboard_order
          WHEN 'ascending' THEN score < entry_score ELSE score > entry_score END AS is_better
      FROM waiting
      LEFT JOIN LATERAL (
        SELECT entry_number, entry.score AS entry_score, entry.seq AS entry_seq,
          entry.player_name AS entry_name, entry.metadata AS entry_metadata, updated_at
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
        player_name = coalesce(chosen.player_name, entry.player_name),
        metadata = coalesce(chosen.metadata, entry.metadata)
      FROM chosen
      WHERE ${isEntryOf(sql`chosen`, sql`chosen.player_id`)} AND is_better AND NOT is_new
    ), inserted AS (
      INSERT INTO leaderboard_entries
        (game_id, environment, player_id, board_name, season, entry_number, score, seq,
          player_name, metadata, updated_at)
      SELECT game_id, environment, player_id, board_name, season, number, score, seq,
        player_name, metadata, reached_at
      FROM chosen
      WHERE is_new
    ), decided AS (
      UPDATE leaderboard_held_scores AS held
      -- The entry's content never changes without its seq, also when the score is accepted again.
      SET player_name = coalesce(chosen.player_name, CASE WHEN is_better THEN entry_name END),
        metadata = coalesce(chosen.metadata, CASE WHEN is_better THEN entry_metadata END),
        state = 'accepted', decision_id = ${decision_id}, replaced_score = entry_score,
        replaced_seq = entry_seq, replaced_player_name = entry_name,
        replaced_metadata = entry_metadata, replaced_reached_at = updated_at
      FROM chosen
      WHERE ${isHeldOf(sql`chosen`)}
    )
    SELECT number, player_id, player_name, score, seq, is_new, is_better FROM chosen ORDER BY seq`);
  const added = rows.filter(({ is_new }) => is_new).length;
  return {
    count: rows.length,
    scores: rows.map(toDecidedScore),
    last_seq: rows.at(-1)?.seq ?? null,
    change: {
      season,
      entries: rows
        .filter(({ is_better }) => is_better)
        .map(({ number, score, seq }): EntryChange => [number, score, seq]),
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

/**
 * Undoes the acceptance of scores. The season must be locked. The entry that an accepted score
 * has replaced is public again, and the accepted score waits again. If the player has reached
 * another score since or is banned, the undo skips the accepted score and deletes its record.
 */
export async function undoAccepted(
  tx: Queryable,
  season: LockedSeason,
  decision_id: string,
  limit: number,
): Promise<{ change: SeasonChange; restored: number; skipped: number }> {
  const rows = await tx.query<{
    entry_number: number;
    replaced_score: number | null;
    replaced_seq: number | null;
    action: 'replace' | 'wait' | 'skip';
  }>(sql`
    WITH chosen AS MATERIALIZED (
      SELECT held.*, entry.entry_number, CASE
          WHEN ${isBanned(season, sql`held.player_id`, decision_id)} THEN 'skip'
          WHEN entry.entry_seq = held.seq THEN 'replace'
          WHEN entry.entry_seq IS NOT DISTINCT FROM held.replaced_seq THEN 'wait'
          ELSE 'skip' END AS action,
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
    ), replaced AS (
      UPDATE leaderboard_entries AS entry
      SET score = replaced_score, seq = replaced_seq, player_name = replaced_player_name,
        metadata = replaced_metadata, updated_at = replaced_reached_at
      FROM chosen
      WHERE ${ofSeason(season, sql`entry`)} AND entry.player_id = chosen.player_id
        AND action = 'replace' AND replaced_seq IS NOT NULL
    ), removed AS (
      DELETE FROM leaderboard_entries AS entry
      USING chosen
      WHERE ${ofSeason(season, sql`entry`)} AND entry.player_id = chosen.player_id
        AND action = 'replace' AND replaced_seq IS NULL
    ), waiting AS (
      UPDATE leaderboard_held_scores AS held
      SET state = 'waiting', decision_id = NULL, replaced_score = NULL, replaced_seq = NULL,
        replaced_player_name = NULL, replaced_metadata = NULL, replaced_reached_at = NULL
      FROM chosen
      WHERE ${isHeldOf(sql`chosen`)} AND action <> 'skip' AND NOT has_newer
    ), gone AS (
      DELETE FROM leaderboard_held_scores AS held
      USING chosen
      WHERE ${isHeldOf(sql`chosen`)} AND (action = 'skip' OR has_newer)
    )
    SELECT entry_number, replaced_score, replaced_seq, action FROM chosen`);
  const undone = rows.filter(({ action }) => action === 'replace');
  const removed = undone.filter(({ replaced_seq }) => replaced_seq === null).length;
  const skipped = rows.filter(({ action }) => action === 'skip').length;
  return {
    restored: rows.length - skipped,
    skipped,
    change: {
      season,
      entries: undone.map(({ entry_number, replaced_score, replaced_seq }): EntryChange =>
        replaced_seq === null ? [entry_number] : [entry_number, replaced_score!, replaced_seq],
      ),
      added_entries: -removed,
      new_numbers: 0,
    },
  };
}
