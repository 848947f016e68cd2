import type { ReportWith } from '@overworld/contract/analytics/reports';
import { countActivePlayers } from '../active-players/count-active-players.ts';
import { makeBreakdown } from '../breakdown/breakdown.ts';
import { countEffects } from '../effects/count-effects.ts';
import { countEvents } from '../events/count-events.ts';
import { makeExperiment } from '../experiment/experiment.ts';
import { exportEvents } from '../files/event-export.ts';
import { makeFunnel } from '../funnel/funnel.ts';
import { makeProgression } from '../progression/progression.ts';
import { countWatchedDays } from '../metric/count-watched-days.ts';
import { makeMetric } from '../metric/metric.ts';
import { makeLifetimeValue } from '../lifetime-value/lifetime-value.ts';
import { makePaths } from '../paths/paths.ts';
import { countRelease } from '../releases/count-release.ts';
import { countRetention } from '../retention/count-retention.ts';
import { makeRevenue } from '../revenue/revenue.ts';
import { findSegment, writeSegment, writeSegmentIds } from '../segment/segment.ts';
import { countSessions } from '../sessions/count-sessions.ts';
import type { ExploreDatabase } from './explore-database.ts';

type Maker<Made> = (database: ExploreDatabase, input: never, signal: AbortSignal) => Made;

/** The functions that make reports in the thread, under the names of the reports. */
export const REPORT_MAKERS = {
  'active-players': countActivePlayers,
  retention: countRetention,
  sessions: countSessions,
  events: countEvents,
  funnel: makeFunnel,
  breakdown: makeBreakdown,
  metric: makeMetric,
  segment: findSegment,
  revenue: makeRevenue,
  'lifetime-value': makeLifetimeValue,
  path: makePaths,
  progression: makeProgression,
  results: makeExperiment,
  effects: countEffects,
  release: countRelease,
  watched_days: countWatchedDays,
} satisfies Record<
  | ReportWith<{ reads: 'events' } | { takes_players: true }>
  | 'effects'
  | 'release'
  | 'watched_days',
  Maker<Promise<object>>
>;

/** The functions that make streams in the thread. */
export const STREAM_MAKERS = {
  export: exportEvents,
  segment_csv: writeSegment,
  segment_ids: writeSegmentIds,
} satisfies Record<string, Maker<AsyncIterable<Uint8Array>>>;

type Reports = typeof REPORT_MAKERS;
export type MadeReport = keyof Reports;
export type ReportInput<K extends MadeReport> = Parameters<Reports[K]>[1];
export type ReportNumbers<K extends MadeReport> = Awaited<ReturnType<Reports[K]>>;

type Streams = typeof STREAM_MAKERS;
export type MadeStream = keyof Streams;
export type StreamInput<K extends MadeStream> = Parameters<Streams[K]>[1];
