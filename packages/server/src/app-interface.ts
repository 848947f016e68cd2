import type { BaseLogger } from 'pino';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import type { ConnectionSettings } from './platform/database/open-database.ts';
import type { Route } from './platform/http/exchange.ts';
import type { OnAnswer } from './platform/http/server.ts';
import type { WorkerPool } from './platform/workers/worker-pool.ts';

/** The parts that a server is built from. */
export interface AppOptions {
  config: Config;
  /** A database to which all migrations were applied. */
  connection: ConnectionSettings;
  logger: BaseLogger;
  /** All workers of the server, this one included; by default there is only this one. */
  workerPool?: WorkerPool;
  clock?: Clock;
  /** Receives every answer; tests compare the answers with the contract. */
  onAnswer?: OnAnswer;
  /**
   * A client that receives no part of a file for this time (by default 30 s) is cut off. Tests shorten
   * it.
   */
  stalled_reader_ms?: number;
  /**
   * A request may wait this long (by default 5 s) until its password is checked. Tests lengthen this
   * time, because they run on busy machines.
   */
  password_wait_ms?: number;
}

export interface App {
  /** Starts to serve; resolves to the URL, such as `http://127.0.0.1:8080`. */
  listen(): Promise<string>;
  /** Tells load balancers that this server is about to stop, but continues to serve for this time. */
  drain(duration_ms: number): Promise<void>;
  /** Answers the requests that were already accepted, and refuses new ones. */
  finishRequests(): Promise<void>;
  /** Finishes the accepted requests, and closes all connections. */
  close(): Promise<void>;
}

/** The part of a server that runs in one thread. */
export interface BuiltApp extends App {
  /** All routes that the server has. */
  readonly routes: readonly Route[];
}
