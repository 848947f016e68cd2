import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { lockPlayersOf } from '../../../platform/players/player-lock.ts';
import { seasonArrays } from '../store.ts';
import type { EntryChange, SeasonKey } from '../store.ts';

/** Scores to store on one season of a board, decided on its state at `previous_version`. */
export interface ScoreChanges {
  season: SeasonKey;
  previous_version: number;
  version: number;
  total_entries: number;
  next_entry_number: number;
  next_seq: number;
  scores: ScoreChange[];
}

export interface ScoreChange {
  player_id: string;
  entry_number: number;
  /** Whether the player had no entry. */
  is_new: boolean;
  score: number;
  seq: number;
  /** Null leaves the stored one. */
  player_name: string | null;
  metadata: string | null;
  updated_at: string;
}

/**
 * The version after this one: the time in microseconds since 1970. Unlike a counter, it never repeats
 * a version when a board is deleted and made again, or restored.
 */
export const nextVersion = (version: number): number => Math.max(version + 1, Date.now() * 1000);

/**
 * Stores the changes of each season that is still at the version they were decided on, and none of
 * the others. Seasons must come in the same order in all statements, so that two servers never wait
 * for each other. Players with a new entry are locked, so that their erasure waits and finds it.
 * @returns the places of the changes that were stored.
 */
export async function storeScores(
  database: Queryable,
  changes: readonly ScoreChanges[],
): Promise<Set<number>> {
  if (changes.length === 0) return new Set();
  const seasons = changes.map(({ season }) => season);
  const scores = changes.flatMap((change) => change.scores);
  const places = changes.flatMap((change, place) => change.scores.map(() => place));
  const rows = await database.query<{ place: number }>(sql`
    WITH asked AS (
      SELECT ordinality - 1 AS place, asked.*
      FROM unnest(${seasonArrays(seasons)},
                  ${changes.map(({ previous_version }) => previous_version)}::bigint[],
                  ${changes.map(({ version }) => version)}::bigint[],
                  ${changes.map(({ total_entries }) => total_entries)}::integer[],
                  ${changes.map(({ next_entry_number }) => next_entry_number)}::integer[],
                  ${changes.map(({ next_seq }) => next_seq)}::bigint[],
                  ${changes.map(({ scores: made }) => JSON.stringify(made.map(toEntryChange)))}::text[])
        WITH ORDINALITY AS asked (game_id, environment, board_name, season, previous_version,
          version, total_entries, next_entry_number, next_seq, changes)
    ), locked AS MATERIALIZED (
      SELECT asked.*
      FROM asked
      CROSS JOIN LATERAL (
        SELECT FROM leaderboard_seasons AS season
        WHERE season.game_id = asked.game_id AND season.environment = asked.environment
          AND season.board_name = asked.board_name AND season.season = asked.season
          AND season.version = asked.previous_version
        -- A transaction with the lock is about to overtake, or deletes a board for seconds.
        FOR NO KEY UPDATE SKIP LOCKED
      ) AS season
    ), raised AS (
      UPDATE leaderboard_seasons AS season
      SET version = locked.version, total_entries = locked.total_entries,
        next_entry_number = locked.next_entry_number, next_seq = locked.next_seq
      FROM locked
      WHERE season.game_id = locked.game_id AND season.environment = locked.environment
        AND season.board_name = locked.board_name AND season.season = locked.season
      RETURNING locked.*
    ), logged AS (
      INSERT INTO leaderboard_changes
        (game_id, environment, board_name, season, version, previous_version, changes)
      SELECT game_id, environment, board_name, season, version, previous_version, changes
      FROM raised
    ), made AS MATERIALIZED (
      SELECT game_id, environment, board_name, season, made.*
      FROM unnest(${places}::integer[],
                  ${scores.map(({ player_id }) => player_id)}::text[],
                  ${scores.map(({ entry_number }) => entry_number)}::integer[],
                  ${scores.map(({ is_new }) => is_new)}::boolean[],
                  ${scores.map(({ score }) => score)}::float8[],
                  ${scores.map(({ seq }) => seq)}::bigint[],
                  ${scores.map(({ player_name }) => player_name)}::text[],
                  ${scores.map(({ metadata }) => metadata)}::text[],
                  ${scores.map(({ updated_at }) => updated_at)}::timestamptz[])
        AS made (place, player_id, entry_number, is_new, score, seq, player_name, metadata,
          updated_at)
      JOIN raised USING (place)
    ), stored AS (
      INSERT INTO leaderboard_entries AS stored
        (game_id, environment, player_id, board_name, season, entry_number, score, seq,
          player_name, metadata, updated_at)
      SELECT game_id, environment, player_id, board_name, season, entry_number, score, seq,
        player_name, metadata, updated_at
      FROM made
      ON CONFLICT (game_id, environment, player_id, board_name, season) DO UPDATE
      SET score = EXCLUDED.score, seq = EXCLUDED.seq, updated_at = EXCLUDED.updated_at,
        player_name = coalesce(EXCLUDED.player_name, stored.player_name),
        metadata = coalesce(EXCLUDED.metadata, stored.metadata)
    ), newly_placed AS (
      SELECT * FROM made WHERE is_new
    ), ${lockPlayersOf(sql`newly_placed`)}
    SELECT place, (SELECT count(*) FROM locked_players) FROM raised`);
  return new Set(rows.map(({ place }) => place));
}

const toEntryChange = ({ entry_number, score, seq }: ScoreChange): EntryChange => [
  entry_number,
  score,
  seq,
];

/**
 * Locks the rows of seasons, in the order given, until the transaction ends. Fails after a second,
 * because the submits to all other boards wait meanwhile.
 */
export async function lockSeasons(tx: Queryable, seasons: readonly SeasonKey[]): Promise<void> {
  await tx.execute(sql`SET LOCAL lock_timeout = '1s'`);
  await tx.execute(sql`
    SELECT
    FROM unnest(${seasonArrays(seasons)})
      AS asked (game_id, environment, board_name, season)
    CROSS JOIN LATERAL (
      SELECT FROM leaderboard_seasons AS season
      WHERE season.game_id = asked.game_id AND season.environment = asked.environment
        AND season.board_name = asked.board_name AND season.season = asked.season
      FOR NO KEY UPDATE
    ) AS season`);
}
