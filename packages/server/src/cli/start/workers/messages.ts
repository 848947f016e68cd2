import type { MessagePort } from 'node:worker_threads';
import type { Config } from '../../../platform/config.ts';
import type { ConnectionSettings } from '../../../platform/database/open-database.ts';
import type { WorkerMetrics } from '../../../platform/workers/worker-pool.ts';
import type { PoolMemory } from '../../../platform/workers/worker-pool.ts';

/** The settings of a worker's thread. */
export interface WorkerOptions {
  config: Config;
  connection: ConnectionSettings;
  memory: PoolMemory;
  worker: number;
  /** The last metrics of the worker that this worker replaces. */
  counts: WorkerMetrics;
  /** Folder of compiled modules. */
  compile_cache: string | undefined;
}

/** A message of the supervisor to a worker. */
export type Order =
  | { kind: 'connect'; worker: number; port: MessagePort }
  | { kind: 'drain'; duration_ms: number }
  /** Answers accepted requests, and refuses new ones. */
  | { kind: 'finish' }
  | { kind: 'close' };

/** A message of a worker to its supervisor. */
export type Report =
  | { kind: 'listening'; address: string }
  /** The worker cannot start. */
  | { kind: 'failed'; error: Error; code: string | undefined }
  | { kind: 'finished' }
  /** The worker's metrics. If the worker dies, its replacement starts with these values. */
  | { kind: 'counts'; counts: WorkerMetrics }
  /** Lines of the log, each with its line break. */
  | { kind: 'log'; lines: string };
