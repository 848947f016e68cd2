import { createFairQueue } from './fair-queue.ts';
import type { FairQueue } from './fair-queue.ts';

/**
 * The queue for reads of more than a few milliseconds: reports, searches, a player's data. It takes six
 * of the dashboard's ten connections and leaves four to logins and everything else. Several workers
 * have such a queue each, for their part of the connections. An owner's path is network, account, game.
 */
export function createDashboardReads(workers: number): FairQueue {
  const partOf = (places: number) => Math.max(1, Math.floor(places / workers));
  return createFairQueue({
    name: 'dashboard_reads',
    slots: partOf(6),
    max_waiting: 400,
    deadline_ms: 10_000,
    shares: [
      { max_running: partOf(4), max_waiting: 100 },
      { max_running: partOf(3), max_waiting: 50 },
      { max_running: partOf(3), max_waiting: 50 },
    ],
    refusal: 'Too many reports and searches are waiting, try again in a few seconds',
  });
}
