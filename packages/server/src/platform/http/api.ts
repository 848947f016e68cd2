import type { Operation } from '@overworld/contract/operation';
import type { Authenticator } from '../auth/authenticate.ts';
import type { MailOutbox } from '../mail/outbox.ts';
import type { Platform } from '../platform.ts';
import type { FairQueue } from '../queue/fair-queue.ts';
import type { PinnedReports } from '../reports/pinned-reports.ts';
import type { HttpServer } from './server.ts';

/** Is called with every answer of an operation, errors too. */
export type OnAnswer = (operation: Operation, status: number, body: unknown) => void;

/** The server and the services on which features mount their operations. */
export interface Api extends Platform {
  server: HttpServer;
  authenticate: Authenticator;
  /** The turns of the dashboard's reads of more than a few milliseconds. */
  reads: FairQueue;
  outbox: MailOutbox;
  public_url: string;
  /** The reports that dashboards can make by themselves. */
  pinned: PinnedReports;
  /** Is called with every answer; tests compare it with the contract. */
  onAnswer?: OnAnswer;
  /** A client that takes nothing of a file for this time is cut off; 30 s by default. */
  stalled_reader_ms?: number;
}
