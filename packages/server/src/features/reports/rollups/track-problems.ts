import type { TrackProblem } from '../../../platform/track-problem.ts';
import type { Database } from '../../../platform/database/database.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';

/**
 * Collects the problems of events that games sent, by game, API key and event name. Writes the problems to
 * the database every few seconds. A crash loses the problems that are not yet written.
 */
export function createTrackProblems(database: Database) {
  let noted = new Map<string, TrackProblem>();

  const note = (problem: TrackProblem) => {
    const { game_id, environment, key_id, event_name, kind } = problem;
    const name = `${game_id} ${environment} ${key_id} ${kind} ${event_name}`;
    const known = noted.get(name);
    if (known === undefined) noted.set(name, { ...problem });
    else known.event_count += problem.event_count;
  };

  return {
    /** Keeps a problem in memory, so no request waits for the database. */
    note,
    /** Writes the collected problems. A timer and the shutdown call this. */
    async flush() {
      if (noted.size === 0) return;
      const problems = [...noted.values()];
      noted = new Map();
      try {
        await addProblems(database, problems);
      } catch (error) {
        problems.forEach(note);
        throw error;
      }
    },
  };
}

async function addProblems(database: Database, problems: readonly TrackProblem[]): Promise<void> {
  await database.execute(sql`
    INSERT INTO daily_track_problems AS known
      (game_id, environment, day, key_id, event_name, warned_count, refused_count, repeated_count)
    SELECT game_id, problem.environment, (clock_timestamp() AT TIME ZONE time_zone)::date AS day, key_id,
           event_name,
           COALESCE(sum(event_count) FILTER (WHERE kind = 'warned'), 0),
           COALESCE(sum(event_count) FILTER (WHERE kind = 'refused'), 0),
           COALESCE(sum(event_count) FILTER (WHERE kind = 'repeated'), 0)
    FROM ${rowsAs('problem', problems, {
      game_id: 'uuid',
      environment: 'environment',
      key_id: 'uuid',
      event_name: 'text',
      kind: 'text',
      event_count: 'bigint',
    })}
    JOIN games ON games.id = game_id
    GROUP BY 1, 2, 3, 4, 5
    ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (game_id, environment, day, key_id, event_name) DO UPDATE
    SET warned_count = known.warned_count + EXCLUDED.warned_count,
        refused_count = known.refused_count + EXCLUDED.refused_count,
        repeated_count = known.repeated_count + EXCLUDED.repeated_count`);
}
