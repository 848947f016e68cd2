import type { FastifyBaseLogger } from 'fastify';
import type { Background } from '../../platform/background.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Notifications } from '../../platform/database/notifications.ts';
import type { PlayerDataSource } from '../../platform/players/player-data-source.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import type { IngestStep } from './inbox/ingest.ts';
import { dropExpiredPartitions, makeComingPartitions } from './event-partitions.ts';
import { listSessions, listTimeline } from './event-store.ts';
import type { Session, TimelineEvent } from './event-store.ts';
import { deleteExpiredRequests } from './track/idempotency-store.ts';
import { measureInboxLag } from './inbox/inbox-lag.ts';
import type { InboxLag } from './inbox/inbox-lag.ts';
import { createInboxWorker } from './inbox/inbox-worker.ts';
import { createEventSources } from './player-data.ts';
import { createSchemaRegistry } from './schemas/schema-registry.ts';
import type { SchemaRegistry } from './schemas/schema-registry.ts';
import { createWaitForInbox } from './inbox/wait-for-inbox.ts';
import type { WaitForInbox } from './inbox/wait-for-inbox.ts';
import type { OnTrackProblem } from './track/track-problems.ts';
import { createTrackWriter } from './track/track-writer.ts';
import type { TrackObserver } from './track/track-writer.ts';
import { createTracking } from './track/tracking.ts';
import type { Tracking } from './track/tracking.ts';

/** What there is around events, for this feature's routes and for app.ts to pass on. */
export interface Events {
  tracking: Tracking;
  schemas: SchemaRegistry;
  /** Call before reading what events become, so that a read shows what was acknowledged before. */
  waitForInbox: WaitForInbox;
  /** Events of a player, the last received first. */
  listTimeline(player: PlayerKey, limit: number, offset: number): Promise<TimelineEvent[]>;
  /** Sessions of a player, the last begun first. */
  listSessions(player: PlayerKey, limit: number): Promise<Session[]>;
  /** Events and sessions of players, to export and to erase, in this order. */
  sources: readonly PlayerDataSource[];
  measureInboxLag(): Promise<InboxLag>;
  /** Answers the accepted requests first. Events that are not processed yet stay in the inbox. */
  close(): Promise<void>;
}

export interface EventsOptions {
  /** For what clients call. */
  hot: Database;
  /** For the dashboard. */
  database: Database;
  /** For working off the inbox; one connection, prepared statements. */
  inbox: Database;
  notifications: Notifications;
  background: Background;
  logger: FastifyBaseLogger;
  /** Days that events are kept; 0: for ever. */
  retention_days: number;
  /** Work on events as they arrive, in the transaction that stores them. */
  ingest_steps: readonly IngestStep[];
  /** Told of what was wrong with events of a request. */
  onProblem: OnTrackProblem;
  observer: TrackObserver;
}

const HOUSEKEEPING_INTERVAL_MS = 600_000;

/** Starts what works around events, after making the partitions that they need. */
export async function createEvents(options: EventsOptions): Promise<Events> {
  const { hot, database, inbox, notifications, background, logger, retention_days } = options;
  await makeComingPartitions(database);
  background.every(HOUSEKEEPING_INTERVAL_MS, 'making partitions of events', () =>
    makeComingPartitions(database),
  );
  background.every(HOUSEKEEPING_INTERVAL_MS, 'deleting expired idempotency keys', () =>
    deleteExpiredRequests(database),
  );
  if (retention_days > 0) {
    background.every(HOUSEKEEPING_INTERVAL_MS, 'dropping expired events', () =>
      dropExpiredPartitions(database, retention_days),
    );
  }

  const worker = createInboxWorker({ database: inbox, logger, steps: options.ingest_steps });
  worker.wake();
  const writer = createTrackWriter(hot, worker.wake, options.onProblem, options.observer);
  const schemas = createSchemaRegistry(database, notifications);
  return {
    tracking: createTracking({ database: hot, schemas, writer, onProblem: options.onProblem }),
    schemas,
    waitForInbox: createWaitForInbox(hot, worker),
    listTimeline: (player, limit, offset) => listTimeline(hot, player, { limit, offset }),
    listSessions: (player, limit) => listSessions(hot, player, limit),
    sources: createEventSources(database),
    measureInboxLag: () => measureInboxLag(database),
    async close() {
      await writer.close();
      await worker.close();
    },
  };
}
