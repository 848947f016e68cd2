import { randomInt } from 'node:crypto';
import type { Registry } from 'prom-client';
import { Evictions } from './counts/evictions.ts';
import { InUseCounts } from './counts/in-use-counts.ts';
import { Reservations } from './counts/reservations.ts';
import { WindowCounts } from './counts/window-counts.ts';
import { createPeers } from './peers.ts';
import type { Peers } from './peers.ts';

/** Memory that all workers of a server share. */
export interface PoolMemory {
  /** A random number that makes the places of keys in the tables impossible to guess. */
  seed: number;
  windows: SharedArrayBuffer;
  player_windows: SharedArrayBuffer;
  inUse: SharedArrayBuffer;
  reservations: SharedArrayBuffer;
  evictions: SharedArrayBuffer;
  loads: SharedArrayBuffer;
}

/** All metrics of one worker. */
export type WorkerMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** The worker that had this number before and died. */
interface Predecessor {
  /** The metrics that the predecessor has counted; this worker continues them. */
  readonly counts: WorkerMetrics;
  /** Keeps the metrics of this worker for its replacement. */
  keep(counts: WorkerMetrics): void;
}

/**
 * The link of a worker to the other workers of its server: shared memory, and calls to each other. The
 * workers are event loops that serve the same port.
 */
export interface WorkerPool {
  /** Number of this worker, from 0. */
  readonly worker: number;
  readonly workers: number;
  /** True if this worker does the work that only one worker of a server may do. */
  readonly is_first: boolean;
  readonly windows: WindowCounts;
  /**
   * Counts against the limits of single players (their shares). Callers may name any number of players, and
   * the counts of these players must not push out other counts, so they have their own memory.
   */
  readonly player_windows: WindowCounts;
  readonly inUse: InUseCounts;
  readonly reservations: Reservations;
  /** For each worker, the part of its time in which it was busy lately, 0 to 1. */
  readonly loads: Float64Array<SharedArrayBuffer>;
  /** Null for a server with one worker, whose caches evict their own entries. */
  readonly evictions: Evictions | null;
  readonly peers: Peers;
  readonly predecessor: Predecessor;
}

/**
 * @param max_connections The maximum number of connections, each from another
 * network, that are counted at the same time.
 */
export const makePoolMemory = (workers: number, max_connections: number): PoolMemory => ({
  seed: randomInt(2 ** 32),
  windows: WindowCounts.makeMemory(),
  player_windows: WindowCounts.makeMemory(),
  inUse: InUseCounts.makeMemory(4 * max_connections, workers),
  reservations: Reservations.makeMemory(workers),
  evictions: Evictions.makeMemory(),
  loads: new SharedArrayBuffer(workers * Float64Array.BYTES_PER_ELEMENT),
});

/** Joins the pool as the worker with the number `worker`, in the memory that all workers share. */
export const joinWorkerPool = (
  { seed, ...memory }: PoolMemory,
  {
    worker,
    workers,
    predecessor = { counts: [], keep: () => undefined },
  }: { worker: number; workers: number; predecessor?: Predecessor },
): WorkerPool => ({
  worker,
  workers,
  is_first: worker === 0,
  windows: new WindowCounts(memory.windows, seed),
  player_windows: new WindowCounts(memory.player_windows, seed),
  inUse: new InUseCounts(memory.inUse, { seed, workers, worker }),
  reservations: new Reservations(memory.reservations, { seed, workers, worker }),
  loads: new Float64Array(memory.loads),
  evictions: workers === 1 ? null : new Evictions(memory.evictions),
  peers: createPeers(),
  predecessor,
});

/** The pool of a server with one worker. */
export const makeSoleWorkerPool = ({ max_connections }: { max_connections: number }): WorkerPool =>
  joinWorkerPool(makePoolMemory(1, max_connections), { worker: 0, workers: 1 });
