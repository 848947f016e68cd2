import type { Database, Queryable } from '../../../platform/database/database.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import type { ExperimentKey } from '../store.ts';
import type { DayOutcomes, Outcomes } from '../../../platform/reports/experiment-outcomes.ts';

/**
 * A day (UTC) of an experiment, with the outcomes of the players who were first exposed to a variant on this
 * day. They are called the players of the day.
 */
export interface Day {
  day: string;
  /**
   * How many times the outcomes of the day have become invalid. Causes are a merge or an erasure of players,
   * and rollups that were made again.
   */
  changes: number;
  /** Null if no valid outcomes are stored, so that they must be counted. */
  outcomes: Outcomes | null;
  /**
   * True if the database still has all events of the players of the day. Events are dropped when they are too
   * old.
   */
  has_all_events: boolean;
  /**
   * True if a player of the day was merged and some of the events have not been moved yet. Reports do not
   * count these events.
   */
  has_moving_events: boolean;
}

/**
 * SQL that is true if all events since the beginning of the day are still stored. The time in an event may be
 * up to an hour after the time of its receipt.
 */
const hasAllEvents = (day: Sql): Sql => sql`
  (events_kept_since IS NULL
   OR (${day}::timestamp - interval '1 hour') AT TIME ZONE 'UTC' >= events_kept_since)`;

/**
 * Lists all days of a range, with their outcomes if valid ones are stored.
 * @param basis A name for the settings with which outcomes are counted. Outcomes with a different basis are
 * not valid.
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
 * Stores the outcomes of days. Leaves out days that were changed or whose events were dropped after they were
 * listed. Stores nothing if the time zone of the game has changed since then.
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
  // If the experiment was deleted in the meantime, this stores nothing.
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
  // The lock keeps the experiments from being deleted before the days are stored, and leaves out those that
  // have just been deleted.
  await tx.execute(sql`
    INSERT INTO experiment_days AS known (game_id, environment, experiment_id, day, changes)
    SELECT DISTINCT game_id, environment, experiment_id, (exposed_at AT TIME ZONE 'UTC')::date, 1
    FROM (
      SELECT game_id, environment, experiment_id, exposed_at
      FROM experiment_exposures
      JOIN experiments USING (game_id, environment, experiment_id)
      WHERE game_id = ${game_id} AND environment = ${environment}
        AND player_id = ANY(${ids}::text[])
      FOR KEY SHARE OF experiments
    ) AS exposed
    JOIN games ON games.id = game_id
    WHERE ${hasAllEvents(sql`(exposed_at AT TIME ZONE 'UTC')::date`)}
    ORDER BY experiment_id, 4
    ON CONFLICT (game_id, environment, experiment_id, day) DO UPDATE
    SET changes = known.changes + 1, basis = NULL, outcomes = NULL`);
}

/**
 * Deletes the stored outcomes of all days of a game, because its rollups are made again. As above, days whose
 * events were dropped keep their outcomes.
 */
export async function forgetDaysOfGame(tx: Queryable, game_id: string): Promise<void> {
  await tx.execute(sql`
    INSERT INTO experiment_days AS known (game_id, environment, experiment_id, day, changes)
    SELECT game_id, environment, experiment_id, day, 1
    FROM (
      SELECT game_id, environment, experiment_id, started_at, stopped_at FROM experiments
      WHERE game_id = ${game_id} AND started_at IS NOT NULL
      FOR KEY SHARE
    ) AS experiment
    JOIN games ON games.id = game_id
    CROSS JOIN LATERAL (
      SELECT (started_at AT TIME ZONE 'UTC')::date + place AS day
      FROM generate_series(0, (LEAST(clock_timestamp(), stopped_at) AT TIME ZONE 'UTC')::date
                              - (started_at AT TIME ZONE 'UTC')::date) AS place
    ) AS calendar
    WHERE ${hasAllEvents(sql`day`)}
    ORDER BY environment, experiment_id, day
    ON CONFLICT (game_id, environment, experiment_id, day) DO UPDATE
    SET changes = known.changes + 1, basis = NULL, outcomes = NULL`);
}
