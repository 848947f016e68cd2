import { availableParallelism } from 'node:os';
import type { Database } from '../database/database.ts';
import { createFairQueue } from './fair-queue.ts';
import type { FairQueue } from './fair-queue.ts';

/** Waits for a turn, and then runs `work` with a database that can only be read. */
export type ReadInTurn<Given = Database> = <T>(work: (database: Given) => Promise<T>) => Promise<T>;

const SLOTS = 6;
/** A network may have no more reads at the same time than there are cores, and an account or a game half as many. */
const CORES = availableParallelism();
const NETWORK_READS = Math.min(4, CORES);
const ACCOUNT_READS = Math.min(3, Math.max(1, Math.floor(CORES / 2)));

/** The part of a number of places that each worker has. */
const partOf = (places: number, workers: number) => Math.max(1, Math.floor(places / workers));

/** Returns the number of reads that may run at the same time in each worker. */
export const countReadSlots = (workers: number): number => partOf(SLOTS, workers);

/**
 * Makes the queue for work that takes more than a few milliseconds: reports, searches, a player's data. If
 * there are several workers, each worker has such a queue, and a part of the slots. The work is queued by
 * network, then by account, then by game, and each of these has its own limits.
 */
export const createReadTurns = (workers: number): FairQueue =>
  createFairQueue({
    name: 'dashboard_reads',
    slots: countReadSlots(workers),
    max_waiting: 400,
    deadline_ms: 10_000,
    limits: [
      { max_running: partOf(NETWORK_READS, workers), max_waiting: 100 },
      { max_running: partOf(ACCOUNT_READS, workers), max_waiting: 50 },
      { max_running: partOf(ACCOUNT_READS, workers), max_waiting: 50 },
    ],
    refusal: 'Too many reports and searches are waiting, try again in a few seconds',
  });
