import type { Database, Queryable } from '../../../platform/database/database.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import type { ExperimentKey } from '../store.ts';
import type { DayOutcomes, Outcomes } from '../../../platform/reports/experiment-outcomes.ts';

/** A day (UTC) of first exposures. */
export interface Day {
  day: string;
  /** The number of merges and erasures that have changed the outcomes of players of the day. */
  changes: number;
  /** Null if the outcomes must be counted. */
  outcomes: Outcomes | null;
  /** True if all events of the players of the day are stored, and none was dropped for its age. */
  has_all_events: boolean;
  /** True if events of a merged player of the day still wait to be moved: reports do not count them yet. */
  has_moving_events: boolean;
}

/**
 * SQL, true for days whose events are all stored. An event may be received up to an hour before its own time.
 */
const hasAllEvents = (day: Sql): Sql => sql`
  (events_kept_since IS NULL
   OR (${day}::timestamp - interval '1 hour') AT TIME ZONE 'UTC' >= events_kept_since)`;

/**
 * All days of a range, with their outcomes where outcomes are stored.
 * @param basis A name for the settings by which outcomes are counted.
 */
export const listDays = (
  database: Database,
  { game_id, environment, experiment_id }: ExperimentKey,
  { from, to, basis }: { from: string; to: string; basis: string },
): Promise<Day[]> =>
  database.query<Day>(sql`
    SELECT day::text AS day, COALESCE(changes, 0) AS changes,
           CASE WHEN basis = ${basis} THEN outcomes END AS outcomes,
           ${hasAllEvents(sql`day`)} AS has_all_events,
           moving.day IS NOT NULL AS has_moving_events
    FROM (SELECT ${from}::date + place AS day
          FROM generate_series(0, ${to}::date - ${from}::date) AS place) AS calendar
    CROSS JOIN (SELECT events_kept_since FROM games WHERE id = ${game_id}) AS game
    LEFT JOIN (
      SELECT day, changes, basis, outcomes FROM experiment_days
      WHERE game_id = ${game_id} AND environment = ${environment}
        AND experiment_id = ${experiment_id}) AS kept USING (day)
    LEFT JOIN (
      SELECT DISTINCT day
      FROM player_merges AS merge
      CROSS JOIN LATERAL (
        SELECT (exposed_at AT TIME ZONE 'UTC')::date AS day
        FROM experiment_exposures AS exposure
        WHERE exposure.game_id = merge.game_id AND exposure.environment = merge.environment
          AND exposure.player_id = merge.player_id AND experiment_id = ${experiment_id}
        OFFSET 0) AS exposed
      WHERE game_id = ${game_id} AND environment = ${environment} AND completed_at IS NULL
    ) AS moving USING (day)
    ORDER BY day`);

/**
 * Stores outcomes, except those of days that have changed or lost events since they were listed. Stores
 * nothing if the time zone of the game was changed meanwhile.
 */
export async function keepDays(
  database: Database,
  { game_id, environment, experiment_id, time_zone }: ExperimentKey & { time_zone: string },
  basis: string,
  counted: readonly (DayOutcomes & { changes: number })[],
): Promise<void> {
  const rows = counted.map(({ day, changes, ...outcomes }) => {
    return { day, changes, outcomes: JSON.stringify(outcomes) };
  });
  const columns = { day: 'date', changes: 'integer', outcomes: 'text' } as const;
  // The experiment may have been deleted meanwhile.
  await database.execute(sql`
    INSERT INTO experiment_days AS known
      (game_id, environment, experiment_id, day, changes, basis, outcomes)
    SELECT game_id, environment, experiment_id, day, changes, ${basis}, outcomes::jsonb
    FROM (
      SELECT game_id, environment, experiment_id FROM experiments
      WHERE game_id = ${game_id} AND environment = ${environment}
        AND experiment_id = ${experiment_id}
      FOR KEY SHARE
    ) AS experiment
    JOIN games ON games.id = game_id
    CROSS JOIN ${rowsAs('counted', rows, columns)}
    WHERE time_zone = ${time_zone} AND ${hasAllEvents(sql`day`)}
    ORDER BY day
    ON CONFLICT (game_id, environment, experiment_id, day) DO UPDATE
    SET basis = EXCLUDED.basis, outcomes = EXCLUDED.outcomes
    WHERE known.changes = EXCLUDED.changes`);
}

/**
 * Deletes the stored outcomes of the days on which these players were first exposed, because the players are
 * being merged or erased. Days whose events were dropped cannot be counted again, so they keep their
 * outcomes.
 */
export async function forgetDaysOf(
  tx: Queryable,
  players: readonly [PlayerKey, ...PlayerKey[]],
): Promise<void> {
  const [{ game_id, environment }] = players;
  const ids = players.map(({ player_id }) => player_id);
  await tx.execute(sql`
    INSERT INTO experiment_days AS known (game_id, environment, experiment_id, day, changes)
    SELECT DISTINCT game_id, environment, experiment_id, (exposed_at AT TIME ZONE 'UTC')::date, 1
    FROM experiment_exposures
    JOIN experiments USING (game_id, environment, experiment_id)
    JOIN games ON games.id = game_id
    WHERE game_id = ${game_id} AND environment = ${environment}
      AND player_id = ANY(${ids}::text[])
      AND ${hasAllEvents(sql`(exposed_at AT TIME ZONE 'UTC')::date`)}
    ORDER BY experiment_id, 4
    ON CONFLICT (game_id, environment, experiment_id, day) DO UPDATE
    SET changes = known.changes + 1, basis = NULL, outcomes = NULL`);
}

/**
 * Deletes the stored outcomes of all days of a game whose rollups are made again. Days whose events were
 * dropped keep their outcomes, as above.
 */
export async function forgetDaysOfGame(tx: Queryable, game_id: string): Promise<void> {
  await tx.execute(sql`
    INSERT INTO experiment_days AS known (game_id, environment, experiment_id, day, changes)
    SELECT game_id, environment, experiment_id, day, 1
    FROM experiments
    JOIN games ON games.id = game_id
    CROSS JOIN LATERAL (
      SELECT (started_at AT TIME ZONE 'UTC')::date + place AS day
      FROM generate_series(0, (LEAST(clock_timestamp(), stopped_at) AT TIME ZONE 'UTC')::date
                              - (started_at AT TIME ZONE 'UTC')::date) AS place
    ) AS calendar
    WHERE game_id = ${game_id} AND started_at IS NOT NULL AND ${hasAllEvents(sql`day`)}
    ORDER BY environment, experiment_id, day
    ON CONFLICT (game_id, environment, experiment_id, day) DO UPDATE
    SET changes = known.changes + 1, basis = NULL, outcomes = NULL`);
}
