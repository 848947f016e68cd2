import type { Queryable } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { forEachGroup, roundInterval } from '../../platform/database/each-group.ts';
import type { PlayerDataSource } from '../../platform/players/player-data-source.ts';
import type { PlayerHistory } from '../../platform/players/player-history.ts';
import type { IngestStep } from './inbox/ingest.ts';
import { dropExpiredPartitions, makeComingPartitions } from './event-partitions.ts';
import { listSessions, listTimeline } from './event-store.ts';
import { deleteExpiredRequests } from './track/idempotency-store.ts';
import { listInboxLags } from './inbox/inbox-lag.ts';
import type { InboxLag } from '../../platform/metrics/server-metrics.ts';
import { createIngesters } from './inbox/ingesters.ts';
import { createEventMover } from './merged-events.ts';
import { EVENT_SOURCES } from './player-data.ts';
import { announceQuotaSteps } from './quota.ts';
import { createProblemKinds } from './problems/problem-kinds.ts';
import { deleteOldKinds } from './problems/problem-store.ts';
import { createSchemaRegistry } from './schemas/schema-registry.ts';
import type { SchemaRegistry } from './schemas/schema-registry.ts';
import { createWaitForInbox } from './inbox/wait-for-inbox.ts';
import type { OnTrackProblem } from '../../platform/track-problem.ts';
import { createTracking, createTrackWriter } from './track/tracking.ts';
import { findSessions } from './story.ts';
import type { Tracking } from './track/tracking.ts';

/**
 * The services that work on events. This feature's routes use them, and `app.ts` passes them to other
 * features.
 */
export interface Events extends PlayerHistory {
  tracking: Tracking;
  schemas: SchemaRegistry;
  /**
   * The sources of the events and sessions of players. They are exported, merged and erased in this order.
   */
  sources: readonly PlayerDataSource[];
  /** Returns the lag of each group, by the group's index. */
  listInboxLags(): Promise<ReadonlyMap<number, InboxLag>>;
  /** Answers the accepted requests, then stops. Events that are not processed yet stay in the inbox. */
  close(): Promise<void>;
}

/** The parts of analytics that events call. */
export interface EventAnalytics {
  /** More steps for the transaction that stores events. */
  ingest_steps: readonly IngestStep[];
  /** Called with the problems of a request's events. */
  noteProblem: OnTrackProblem;
  /** A step of batches with events that were received long ago: sealed days that lack them are forgotten. */
  unsealLateDays: IngestStep;
  /** Forgets what reports keep of events that are dropped. */
  forgetDays(tx: Queryable, retention_days: number): Promise<void>;
}

const HOUSEKEEPING_INTERVAL_MS = 600_000;
const MOVE_INTERVAL_MS = 1_000;

/** Makes the partitions that events need, and starts the services that work on events. */
export async function createEvents(
  platform: Platform,
  { ingest_steps: steps, noteProblem: onProblem, unsealLateDays, forgetDays }: EventAnalytics,
): Promise<Events> {
  const { hot, database, inbox, notifications, guard, background, logger, workerPool } = platform;
  const { event_retention_days: retention_days } = platform.config;
  const { groups } = database;
  await forEachGroup(groups, makeComingPartitions);
  background.onOneServer(HOUSEKEEPING_INTERVAL_MS, 'making partitions of events', () =>
    forEachGroup(groups, makeComingPartitions),
  );
  background.onOneServer(HOUSEKEEPING_INTERVAL_MS, 'deleting expired idempotency keys', () =>
    forEachGroup(groups, deleteExpiredRequests),
  );
  if (retention_days > 0) {
    background.onOneServer(HOUSEKEEPING_INTERVAL_MS, 'dropping expired events', () =>
      forEachGroup(groups, async (group) => {
        await group.transaction((tx) => forgetDays(tx, retention_days));
        await dropExpiredPartitions(group, retention_days);
      }),
    );
  }

  background.every(roundInterval(10_000, database), 'announcing use of quotas', () =>
    forEachGroup(groups, announceQuotaSteps),
  );

  const mover = createEventMover(database);
  const move_interval_ms = roundInterval(MOVE_INTERVAL_MS, database);
  background.every(move_interval_ms, 'moving events of merged players', () => mover.run());

  const ingesters = createIngesters(inbox, {
    workerPool,
    logger,
    steps,
    late_step: unsealLateDays,
  });
  ingesters.all.forEach((ingester) => ingester.wake());
  const kinds = createProblemKinds(database);
  background.everyHere(2_000, 'writing kinds of problems of events', () => kinds.flush());
  background.onOneServer(HOUSEKEEPING_INTERVAL_MS, 'deleting old kinds of problems', () =>
    forEachGroup(groups, deleteOldKinds),
  );
  const tell = { onProblem, noteKinds: kinds.note };
  const writer = createTrackWriter(hot, ingesters, tell, platform.metrics);
  const schemas = createSchemaRegistry(database, notifications);
  return {
    tracking: createTracking({ schemas, writer, guard, ...tell }),
    schemas,
    waitForInbox: createWaitForInbox(hot, ingesters),
    listTimeline,
    listSessions,
    findSessions,
    sources: EVENT_SOURCES,
    listInboxLags: () => listInboxLags(database),
    async close() {
      mover.close();
      await writer.close();
      await kinds.flush();
      await Promise.all(ingesters.all.map((ingester) => ingester.close()));
    },
  };
}
