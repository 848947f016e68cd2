import type { Authenticator } from '../auth/authenticate.ts';
import type { CalendarSources } from '../calendar-sources.ts';
import type { DefinitionKinds } from '../definitions/definition-kind.ts';
import type { DefinitionUses } from '../definition-uses.ts';
import type { Platform } from '../platform.ts';
import type { FairQueue } from '../queue/fair-queue.ts';
import type { PinnedReports } from '../reports/pinned-reports.ts';
import type { HttpServer, OnAnswer } from './server.ts';

/** The HTTP server on which features mount their operations, and the services that the operations use. */
export interface Api extends Platform {
  server: HttpServer;
  authenticate: Authenticator;
  /** The queue of `call.read`. */
  readTurns: FairQueue;
  /** The queue of `call.change`. */
  changeTurns: FairQueue;
  public_url: string;
  uses: DefinitionUses;
  /** The kinds of definitions that can be kept as files. */
  definitions: DefinitionKinds;
  /** The features whose things stand in the calendar. */
  calendar: CalendarSources;
  /** The reports that can be pinned to dashboards. */
  pinned: PinnedReports;
  /** Is called with every answer. Tests use this to compare answers with the contract. */
  onAnswer?: OnAnswer;
  /**
   * If a client that downloads a file reads nothing for this time, its connection is closed. Default: 30 s.
   */
  stalled_reader_ms?: number;
}
