import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import type { SeasonChange } from '../seasons/season-changes.ts';
import { lockedColumns, seasonsWith } from '../seasons/season-store.ts';
import type { LockedSeason } from '../seasons/season-store.ts';
import { isEntryOf, seasonArrays } from '../store.ts';
import type { DecidedScore } from './decision-store.ts';

/**
 * The state of a score, which follows from the decisions about it. `docs/internals.md` has the table of all
 * changes. A public score is an entry, a score in any other state a row of `leaderboard_held_scores`. An
 * accepted score is both: its row has the entry that it replaced.
 */
export type ScoreState = 'public' | 'waiting' | 'accepted' | 'removed' | 'banned';

/** The state that public scores get, and the decision that gives it. */
interface HiddenAs {
  state: Exclude<ScoreState, 'public' | 'accepted'>;
  decision_id: string;
}

/** Scores that are hidden from now on. */
interface HiddenScores {
  /** Changes that the caller must store. A season may have a change for each player. */
  changes: SeasonChange[];
  scores: DecidedScore[];
}

/**
 * Takes the public scores of players off locked seasons.
 * @param hidden_as Null if the scores are erased.
 */
export async function hideEntries(
  tx: Queryable,
  seasons: readonly LockedSeason[],
  player_ids: readonly string[],
  hidden_as: HiddenAs | null,
): Promise<HiddenScores> {
  const waits = hidden_as?.state === 'waiting';
  const gone = await tx.query<DecidedScore & { place: number; entry_number: number }>(sql`
    WITH gone AS (
      DELETE FROM leaderboard_entries AS entry
      USING unnest(${seasonArrays(seasons)})
        WITH ORDINALITY AS asked (game_id, environment, board_name, season, ordinality)
      WHERE ${isEntryOf(sql`asked`, sql`ANY(${[...player_ids]}::text[])`)}
      RETURNING entry.*, ordinality::integer - 1 AS place
    ), hidden AS (
      INSERT INTO leaderboard_held_scores
        (game_id, environment, player_id, board_name, season, state, score, seq, player_name,
          metadata, reached_at, tie_value, decision_id, quarantined_by, rule)
      SELECT game_id, environment, player_id, board_name, season,
        ${hidden_as?.state}::leaderboard_held_state, score, seq, player_name, metadata, updated_at,
        tie_value, ${waits ? null : hidden_as?.decision_id}::uuid, ${waits ? hidden_as.decision_id : null}::uuid,
        ${waits ? 'by_hand' : null}::text
      FROM gone
      WHERE ${hidden_as !== null}
    )
    SELECT place, entry_number, player_id, player_name, score FROM gone`);
  return {
    changes: gone.map(({ place, entry_number }) => ({
      season: seasons[place]!,
      entries: [[entry_number]],
      added_entries: -1,
      new_numbers: 0,
    })),
    scores: gone.map(({ player_id, player_name, score }) => ({ player_id, player_name, score })),
  };
}

/** Hides the public and the waiting scores of banned players in locked seasons. */
export async function banScores(
  tx: Queryable,
  seasons: readonly LockedSeason[],
  player_ids: readonly string[],
  decision_id: string,
): Promise<HiddenScores> {
  const { changes, scores } = await hideEntries(tx, seasons, player_ids, {
    state: 'banned',
    decision_id,
  });
  const waiting = await tx.query<DecidedScore>(sql`
    UPDATE leaderboard_held_scores AS held SET state = 'banned', decision_id = ${decision_id}
    FROM unnest(${seasonArrays(seasons)}) AS asked (game_id, environment, board_name, season)
    WHERE held.game_id = asked.game_id AND held.environment = asked.environment
      AND held.player_id = ANY(${[...player_ids]}::text[])
      AND held.board_name = asked.board_name AND held.season = asked.season
      AND state = 'waiting'
    RETURNING player_id, player_name, score`);
  return { changes, scores: [...scores, ...waiting] };
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
