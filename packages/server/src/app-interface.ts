import type { BaseLogger } from 'pino';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import type { ConnectionSettings } from './platform/database/database.ts';
import type { OnAnswer } from './platform/http/api.ts';
import type { Route } from './platform/http/routes.ts';
import type { Crew } from './platform/workers/crew.ts';

/** The parts that a server is built from. */
export interface AppOptions {
  config: Config;
  /** A migrated database. */
  connection: ConnectionSettings;
  logger: BaseLogger;
  /** The workers of the server, of which this is one; by default it is alone. */
  crew?: Crew;
  clock?: Clock;
  /** Receives every answer; tests compare it with the contract. */
  onAnswer?: OnAnswer;
  /** Tests shorten the time after which a client that takes nothing of a file is cut off (30 s). */
  stalled_reader_ms?: number;
  /**
   * Tests run on busy machines, so they lengthen the time for which a password may wait for its check
   * (5 s).
   */
  password_wait_ms?: number;
}

export interface App {
  /** Starts to serve; resolves to the address, such as `http://127.0.0.1:8080`. */
  listen(): Promise<string>;
  /** Tells load balancers that this server stops, and serves on for this time. */
  drain(duration_ms: number): Promise<void>;
  /** Answers requests that were accepted, and refuses new ones. */
  finishRequests(): Promise<void>;
  /** Finishes requests, and closes all connections. */
  close(): Promise<void>;
}

/** The parts of a server in one thread. */
export interface BuiltApp extends App {
  /** All routes that it serves. */
  readonly routes: readonly Route[];
}
