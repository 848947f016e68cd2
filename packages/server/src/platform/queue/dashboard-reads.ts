import { createFairQueue } from './fair-queue.ts';
import type { FairQueue } from './fair-queue.ts';

/**
 * The queue for reads of more than a few milliseconds: reports, searches, a player's data. It takes six
 * of the dashboard's ten connections and leaves four to logins and everything else. An owner's path is
 * network, account, game.
 */
export const createDashboardReads = (): FairQueue =>
  createFairQueue({
    name: 'dashboard_reads',
    slots: 6,
    max_waiting: 400,
    deadline_ms: 10_000,
    shares: [
      { max_running: 4, max_waiting: 100 },
      { max_running: 3, max_waiting: 50 },
      { max_running: 3, max_waiting: 50 },
    ],
    refusal: 'Too many reports and searches are waiting, try again in a few seconds',
  });
