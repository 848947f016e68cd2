import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import type { SeasonChange } from '../seasons/season-changes.ts';
import { lockedColumns, seasonsWith } from '../seasons/season-store.ts';
import type { LockedSeason } from '../seasons/season-store.ts';
import { isEntryOf } from '../seasons/season-versions.ts';
import { insertEntriesOf, ofSeason, seasonArrays } from '../store.ts';
import type { DecidedScore } from './decision-store.ts';

/** The reason why an entry is no longer public; null when it is erased. */
type HiddenAs = { state: 'waiting' | 'removed' | 'banned'; decision_id: string } | null;

/** A player's entries that were removed from seasons. */
interface HiddenEntries {
  /** Changes that the caller must store. */
  changes: SeasonChange[];
  scores: DecidedScore[];
}

/** Removes a player's entries from locked seasons. */
export async function hideEntries(
  tx: Queryable,
  seasons: readonly LockedSeason[],
  player_id: string,
  hidden_as: HiddenAs,
): Promise<HiddenEntries> {
  const waits = hidden_as?.state === 'waiting';
  const gone = await tx.query<DecidedScore & { place: number; entry_number: number }>(sql`
    WITH gone AS (
      DELETE FROM leaderboard_entries AS entry
      USING unnest(${seasonArrays(seasons)})
        WITH ORDINALITY AS asked (game_id, environment, board_name, season, ordinality)
      WHERE ${isEntryOf(sql`asked`, sql`${player_id}`)}
      RETURNING entry.*, ordinality::integer - 1 AS place
    ), hidden AS (
      INSERT INTO leaderboard_held_scores
        (game_id, environment, player_id, board_name, season, state, score, seq, player_name,
          metadata, reached_at, decision_id, quarantined_by, rule)
      SELECT game_id, environment, player_id, board_name, season,
        ${hidden_as?.state}::leaderboard_held_state, score, seq, player_name, metadata, updated_at,
        ${waits ? null : hidden_as?.decision_id}::uuid, ${waits ? hidden_as.decision_id : null}::uuid,
        ${waits ? 'by_hand' : null}::text
      FROM gone
      WHERE ${hidden_as !== null}
    )
    SELECT place, entry_number, player_name, score FROM gone`);
  return {
    changes: gone.map(({ place, entry_number }) => ({
      season: seasons[place]!,
      entries: [[entry_number]],
      added_entries: -1,
      new_numbers: 0,
    })),
    scores: gone.map(({ player_name, score }) => ({ player_id, player_name, score })),
  };
}

/** SQL that is true if a ban of the player is in force. A ban by this decision does not count. */
export const isBanned = (
  { game_id, environment, board_name }: LockedSeason,
  player_id: Sql,
  decision_id: string,
): Sql => sql`
  EXISTS (
    SELECT FROM leaderboard_decisions AS ban
    WHERE ban.game_id = ${game_id} AND ban.environment = ${environment}
      AND ban.player_id = ${player_id} AND ban.board_name = ANY(ARRAY['', ${board_name}])
      AND ban.kind = 'ban' AND ban.undone_at IS NULL AND ban.decision_id <> ${decision_id})`;

/**
 * SQL that compares keys: it is true if `held`, a row of `leaderboard_held_scores`, is the row from which
 * `row` was read.
 */
export const isHeldOf = (row: Sql): Sql => sql`
  held.game_id = ${row}.game_id AND held.environment = ${row}.environment
  AND held.player_id = ${row}.player_id AND held.board_name = ${row}.board_name
  AND held.season = ${row}.season AND held.held_id = ${row}.held_id`;

/** The result of undoing a decision in one season. */
export interface Restored {
  change: SeasonChange;
  restored: number;
  skipped: number;
}

/**
 * Undoes a removal or a ban in a locked season: entries become public again, and scores that waited for a
 * decision wait for one again. An entry never becomes public again if its player meanwhile has a newer entry,
 * or is banned.
 */
export async function restoreHidden(
  tx: Queryable,
  season: LockedSeason,
  decision_id: string,
  limit: number,
): Promise<Restored> {
  const rows = await tx.query<{
    entry_number: number | null;
    score: number;
    seq: number;
    is_restored: boolean;
  }>(sql`
    WITH chosen AS MATERIALIZED (
      SELECT * FROM leaderboard_held_scores
      WHERE ${ofSeason(season)} AND decision_id = ${decision_id}
      ORDER BY seq
      LIMIT ${limit}
    ), judged AS MATERIALIZED (
      SELECT chosen.*, rule IS NULL AS was_public, CASE
        WHEN ${isBanned(season, sql`chosen.player_id`, decision_id)} THEN false
        WHEN rule IS NULL THEN NOT EXISTS (
          SELECT FROM leaderboard_entries AS entry
          WHERE ${ofSeason(season)} AND entry.player_id = chosen.player_id)
        ELSE NOT EXISTS (
          SELECT FROM leaderboard_held_scores AS other
          WHERE ${ofSeason(season)} AND other.player_id = chosen.player_id
            AND other.state = 'waiting')
        END AS is_restored
      FROM chosen
    ), public AS MATERIALIZED (
      SELECT judged.*, ${season.next_entry_number} - 1
        + (row_number() OVER (ORDER BY seq))::integer AS entry_number
      FROM judged
      WHERE was_public AND is_restored
    ), stored AS (
      ${insertEntriesOf(sql`public`, sql`reached_at`)}
    ), waiting AS (
      UPDATE leaderboard_held_scores AS held
      SET state = 'waiting', decision_id = NULL
      FROM judged
      WHERE ${isHeldOf(sql`judged`)} AND NOT was_public AND is_restored
    ), gone AS (
      DELETE FROM leaderboard_held_scores AS held
      USING judged
      WHERE ${isHeldOf(sql`judged`)} AND (was_public OR NOT is_restored)
    )
    SELECT public.entry_number, judged.score, judged.seq, judged.is_restored
    FROM judged
    LEFT JOIN public USING (player_id, held_id)`);
  const shown = rows.filter(({ entry_number }) => entry_number !== null);
  const restored = rows.filter(({ is_restored }) => is_restored).length;
  return {
    restored,
    skipped: rows.length - restored,
    change: {
      season,
      entries: shown.map(({ entry_number, score, seq }) => [entry_number!, score, seq]),
      added_entries: shown.length,
      new_numbers: shown.length,
    },
  };
}

/** Locks the seasons in which the player has a score, in the same order as submits lock seasons. */
export async function lockSeasonsOf(tx: Queryable, player: PlayerKey): Promise<LockedSeason[]> {
  return tx.query(sql`
    SELECT ${lockedColumns}
    FROM leaderboard_seasons AS season
    WHERE ${isOfTenant(player)} AND (board_name, season) IN (${seasonsWith(player)})
    ORDER BY board_name COLLATE "C", season
    FOR NO KEY UPDATE OF season`);
}
