import type { Background } from '../../../platform/background/background.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { forEachGroup, roundInterval } from '../../../platform/database/each-group.ts';
import { perGroup } from '../../../platform/database/game-groups.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { ROLLUP_STEPS } from './ingest-steps.ts';
import { createActivitySource } from './player-data.ts';
import type { ForgetKept, RecountStats } from './rebuild.ts';
import { createRebuilder } from './rebuilder.ts';
import { createTrackProblems } from './track-problems.ts';
import type { TrackProblem } from '../../../platform/track-problem.ts';

/** Makes the parts that maintain the rollups. `app.ts` passes these parts to other features. */
export function createRollups(options: {
  database: GroupedDatabase;
  background: Background;
  /** Keeps all nodes from ingesting events until the transaction ends. */
  lockIngest: (tx: Queryable) => Promise<void>;
  /**
   * Lets all nodes ingest events, but keeps other transactions from
   * taking the lock of `lockIngest` until this transaction ends.
   */
  joinIngest: (tx: Queryable) => Promise<void>;
  /** Pauses the ingest of a game's events as soon as the transaction has committed. */
  pauseIngest: (tx: Queryable, game_id: string) => Promise<unknown>;
  forgetKept: ForgetKept;
  recountStats: RecountStats;
}) {
  const { database, background, lockIngest, joinIngest, pauseIngest } = options;
  const problems = perGroup(database, createTrackProblems);
  const writeProblems = () => forEachGroup(problems.all, (part) => part.flush());
  const rebuilder = createRebuilder(database, pauseIngest, options);
  background.every(roundInterval(1_000, database), 'rebuilding analytics', () => rebuilder.run());
  background.everyHere(2_000, 'writing problems of events', writeProblems);
  return {
    /** The steps that update the rollups. They run in the transaction that stores new events. */
    ingest_steps: ROLLUP_STEPS,
    /** Notes a problem that several events of a request share. */
    noteProblem: (problem: TrackProblem) => problems.ofGame(problem.game_id).note(problem),
    /** The active days of players. A player's days must be erased before the player's events and sessions. */
    source: createActivitySource(lockIngest, joinIngest),
    async close() {
      rebuilder.close();
      await writeProblems();
    },
  };
}
