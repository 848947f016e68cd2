import type { Background } from '../../platform/background.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { PlayerDataSource } from '../../platform/players/player-data-source.ts';
import { ANALYTICS_STEPS } from './rollups/ingest-steps.ts';
import { createActivitySource } from './rollups/player-data.ts';
import { createRebuilder } from './rollups/rebuilder.ts';
import { createTrackProblems } from './rollups/track-problems.ts';
import type { TrackProblem } from '../../platform/track-problem.ts';

/** What keeps the rollups, for app.ts to pass on. */
export interface Analytics {
  /** For the transaction that stores arriving events. */
  ingest_steps: readonly ((tx: Queryable) => Promise<unknown>)[];
  /** Notes what was wrong with the events of a request. */
  noteProblem(problem: TrackProblem): void;
  /** To be erased before the player's events and sessions are. */
  source: PlayerDataSource;
  close(): Promise<void>;
}

export function createAnalytics(options: {
  database: Database;
  background: Background;
  /** Keeps events from arriving until the transaction ends. */
  lockIngest: (tx: Queryable) => Promise<void>;
}): Analytics {
  const { database, background, lockIngest } = options;
  const problems = createTrackProblems(database);
  const rebuilder = createRebuilder(database);
  background.every(1_000, 'rebuilding analytics', () => rebuilder.run());
  background.every(2_000, 'writing problems of events', () => problems.flush());
  return {
    ingest_steps: ANALYTICS_STEPS,
    noteProblem: problems.note,
    source: createActivitySource(database, lockIngest),
    async close() {
      rebuilder.close();
      await problems.flush();
    },
  };
}
