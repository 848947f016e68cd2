import type { Redis } from 'ioredis';
import type { Background } from '../background/background.ts';
import { listTaskStates } from '../background/task-store.ts';
import type { TaskState } from '../background/task-store.ts';
import type { Database } from '../database/database.ts';
import { roundInterval } from '../database/each-group.ts';
import type { GroupedDatabase } from '../database/game-groups.ts';
import type { Metrics } from './metrics.ts';
import { shareReading } from './shared-reading.ts';

/** Gauges of one reading of the metrics share one look at the tasks. */
const TASKS_KEPT_MS = 1_000;

/** Defines the counters of the parts that all features share. */
export function defineCounts({ addLabelledCounter }: Metrics) {
  return {
    rateRefused: addLabelledCounter({
      name: 'overworld_rate_limit_refusals_total',
      help: 'Requests that were refused because their key, access token, account or IP address sent too many, or their player or network more than its share.',
      label: 'counted_by',
    }),
    backgroundFailed: addLabelledCounter({
      name: 'overworld_background_failures_total',
      help: 'Runs of housekeeping that failed.',
      label: 'work',
    }),
  };
}

/** Adds gauges of the tasks in the background: those of all servers, whichever server is asked. */
export function showTasks({ addGauge }: Metrics, database: Database, background: Background): void {
  const readStates = shareReading(
    () => listTaskStates(database, [...background.tasks.keys()]),
    TASKS_KEPT_MS,
  );
  const ofTasks = (read: (state: TaskState) => number | null) => ({
    of_workers: 'first' as const,
    label: 'work',
    async read() {
      const values = (await readStates()).map((state) => [state.name, read(state)] as const);
      return Object.fromEntries(values.filter(([, value]) => value !== null)) as Record<
        string,
        number
      >;
    },
  });
  addGauge({
    name: 'overworld_background_late_seconds',
    help: 'Time since a run of the task was due that no server has begun, or that has not ended.',
    ...ofTasks(({ next_run_at, late_seconds }) => (next_run_at === null ? null : late_seconds)),
  });
  addGauge({
    name: 'overworld_background_run_seconds',
    help: 'Duration of the last run of the task.',
    ...ofTasks(({ last_run_ms }) => (last_run_ms === null ? null : last_run_ms / 1_000)),
  });
}

/** The lag of timelines and analytics behind the acknowledged events. */
export interface InboxLag {
  /** Requests that wait in the inbox. */
  rows: number;
  /** Age of the oldest waiting request; 0 when none waits. */
  age_seconds: number;
  /** Requests in quarantine, because PostgreSQL could not read them. */
  quarantined_rows: number;
}

export interface Measured {
  database: GroupedDatabase;
  /** Reads the lag of each group, by the number of the group. */
  listInboxLags: () => Promise<ReadonlyMap<number, InboxLag>>;
  countWaitingMails: () => Promise<number>;
  redis: Redis | null;
}

/**
 * Adds gauges of the work that waits in the database, measured when the metrics are read. With several
 * groups, the gauges of the inbox have a value for each group.
 */
export function showBacklogs({ addGauge }: Metrics, measured: Measured): void {
  const { database } = measured;
  const listInboxLags = shareReading(measured.listInboxLags, roundInterval(0, database));
  const ofInbox = (read: (lag: InboxLag) => number) => ({
    of_workers: 'first' as const,
    label: 'group',
    async read() {
      const lags = await listInboxLags();
      if (database.groups.length === 1) return read(lags.get(0)!);
      return Object.fromEntries([...lags].map(([group, lag]) => [group, read(lag)]));
    },
  });
  addGauge({
    name: 'overworld_inbox_age_seconds',
    help: 'Age of the oldest events that timelines and analytics do not show yet.',
    ...ofInbox(({ age_seconds }) => age_seconds),
  });
  addGauge({
    name: 'overworld_inbox_requests',
    help: 'Requests whose events timelines and analytics do not show yet.',
    ...ofInbox(({ rows }) => rows),
  });
  addGauge({
    name: 'overworld_quarantined_requests',
    help: 'Requests in quarantine, because their events could not be read.',
    ...ofInbox(({ quarantined_rows }) => quarantined_rows),
  });
  addGauge({
    name: 'overworld_mails_waiting',
    of_workers: 'first',
    help: 'Mails that wait to be sent.',
    read: measured.countWaitingMails,
  });
  const { redis } = measured;
  if (redis === null) return;
  addGauge({
    name: 'overworld_redis_up',
    of_workers: 'min',
    help: 'Whether Redis is connected; while it is not, requests are not counted for rate limits.',
    read: () => (redis.status === 'ready' ? 1 : 0),
  });
}
