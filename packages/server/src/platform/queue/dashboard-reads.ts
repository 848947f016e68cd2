import { createFairQueue } from './fair-queue.ts';
import type { FairQueue } from './fair-queue.ts';

/**
 * Makes the queue for reads that take more than a few milliseconds: reports, searches, a player's data. The
 * queue uses six of the dashboard's ten connections and leaves four for logins and everything else. If there
 * are several workers, each worker has such a queue for its part of the connections. Reads are queued by
 * network, then by account, then by game, and each of these has its own limits.
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
