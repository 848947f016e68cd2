import type { Clock } from '../../platform/clock.ts';
import { forEachGroup } from '../../platform/database/each-group.ts';
import type { Platform } from '../../platform/platform.ts';
import type { WorkerPool } from '../../platform/workers/worker-pool.ts';
import { shareBoards } from './board-homes.ts';
import { BoardCopies } from './copies/board-copies.ts';
import { createBoardOpener } from './copies/board-opener.ts';
import { createChangeTrimmer } from './submits/change-trimmer.ts';
import { createSubmitKeyTrimmer } from './submits/key-trimmer.ts';
import { createPageReader } from './pages/page-reader.ts';
import { SCORE_SOURCES } from './player-data.ts';
import { deleteOldDecisions, trimLedgers } from './quarantine/housekeeping.ts';
import { trimFullLedgers } from './quarantine/ledger-limit.ts';
import { giveSeasonRewards } from './rewards/give-rewards.ts';
import type { SendRewards } from './rewards/give-rewards.ts';
import { createScoreWriter } from './submits/score-writer.ts';
import { deleteExpiredKeys } from './submits/submit-keys.ts';
import { announceSeasonEnds } from './seasons/season-ends.ts';

interface LeaderboardServices extends Pick<Platform, 'hot' | 'database'> {
  clock: Clock;
  workerPool: WorkerPool;
  /**
   * The maximum memory, in bytes, for the copies of boards in use, which hold the order of the entries. An
   * entry takes 22 bytes.
   */
  max_copy_bytes: number;
}

export function createLeaderboards(services: LeaderboardServices) {
  const { hot, database, clock, workerPool, max_copy_bytes } = services;
  // `copies` does not use the pool `hot`: while it reads a large board, it must not occupy a connection that
  // requests of games need.
  const copies = new BoardCopies(database, max_copy_bytes);
  const trimmer = createChangeTrimmer(database);
  const keys = createSubmitKeyTrimmer(database);
  const opener = createBoardOpener({ database, copies, clock, workers: workerPool.workers });
  const scores = createScoreWriter({ hot, copies, opener, trimmer, keys, clock });
  const pages = createPageReader({ hot, database, copies, opener, clock });
  return {
    clock,
    ...shareBoards(database, workerPool, { scores, pages }),
    /** The scores of players, with ledgers and bans. */
    sources: SCORE_SOURCES,
    /** Deletes logged changes that no server needs any more, and old keys of submits; called by a timer. */
    async trimChanges() {
      await trimmer.trim();
      await keys.trim();
    },
    /**
     * Deletes old rows of ledgers, decisions that cannot be undone any more, and keys of submits that are no
     * longer recognised; called by a timer.
     */
    async deleteOld() {
      await forEachGroup(database.groups, trimLedgers);
      await forEachGroup(database.groups, trimFullLedgers);
      await forEachGroup(database.groups, deleteOldDecisions);
      await forEachGroup(database.groups, deleteExpiredKeys);
    },
    /** Sends the rewards of seasons that have ended; called by a timer. */
    giveRewards: (send: SendRewards) =>
      forEachGroup(database.groups, (group) => giveSeasonRewards(group, send)),
    /** Tells webhooks about seasons that have ended by their schedules; called by a timer. */
    announceSeasonEnds: () =>
      forEachGroup(database.groups, (group) => announceSeasonEnds(group, clock())),
    /** Refuses new requests and resolves when all accepted ones are answered. */
    async close() {
      await Promise.all([scores.close(), pages.close()]);
    },
  };
}

export type Leaderboards = ReturnType<typeof createLeaderboards>;
