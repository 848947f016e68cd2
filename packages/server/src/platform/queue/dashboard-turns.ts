import { availableParallelism } from 'node:os';
import type { Database } from '../database/database.ts';
import { createFairQueue } from './fair-queue.ts';
import type { FairQueue } from './fair-queue.ts';

/** Waits for a turn, and then runs `work` with a database that can only be read. */
export type ReadInTurn<Given = Database> = <T>(work: (database: Given) => Promise<T>) => Promise<T>;

const READ_SLOTS = 5;
const CHANGE_SLOTS = 2;
/** A network may have no more reads at the same time than there are cores, and an account or a game half as many. */
const CORES = availableParallelism();
const NETWORK_READS = Math.min(4, Math.max(2, CORES));
const ACCOUNT_READS = Math.min(3, Math.max(1, Math.floor(CORES / 2)));

/** The part of a number of places that each worker has. */
const partOf = (places: number, workers: number) => Math.max(1, Math.floor(places / workers));

/** Returns the number of long changes that may be made at the same time in each worker. */
export const countChangeSlots = (workers: number): number => partOf(CHANGE_SLOTS, workers);

/** Returns the number of reads that may run at the same time in each worker. */
export const countReadSlots = (workers: number): number => partOf(READ_SLOTS, workers);

/**
 * Makes the queue for reads that take more than a few milliseconds: reports, searches, a player's data. If
 * there are several workers, each worker has such a queue, and a part of the slots. The reads are queued by
 * network, then by account, then by game, and each of these has its own limits.
 */
export const createReadTurns = (workers: number): FairQueue =>
  createFairQueue({
    name: 'dashboard_reads',
    slots: countReadSlots(workers),
    max_waiting: 400,
    // On a small machine, one slow report may run before the others of an account.
    deadline_ms: 30_000,
    limits: [
      { max_running: partOf(NETWORK_READS, workers), max_waiting: 100 },
      { max_running: partOf(ACCOUNT_READS, workers), max_waiting: 50 },
      { max_running: partOf(ACCOUNT_READS, workers), max_waiting: 50 },
    ],
    refusal: 'Too many reports and searches are waiting, try again in a few seconds',
  });

/**
 * Makes the queue for changes that may take seconds, such as the erasure of a player. They have turns of their
 * own, so that an erasure that waits for a lock keeps nobody from the reports.
 */
export const createChangeTurns = (workers: number): FairQueue => {
  const slots = countChangeSlots(workers);
  return createFairQueue({
    name: 'dashboard_changes',
    slots,
    max_waiting: 200,
    deadline_ms: 30_000,
    limits: [
      { max_running: slots, max_waiting: 100 },
      { max_running: 1, max_waiting: 50 },
      { max_running: 1, max_waiting: 50 },
    ],
    refusal: 'Too many long changes are waiting, try again in a few seconds',
  });
};
