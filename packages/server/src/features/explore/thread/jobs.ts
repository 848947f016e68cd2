import type { MessagePort } from 'node:worker_threads';
import type { ConnectionSettings } from '../../../platform/database/database.ts';
import type { BreakdownInput, BreakdownReport } from '../reports/breakdown.ts';
import type { ExportInput } from '../files/event-export.ts';
import type {
  DayOutcomes,
  ExperimentInput,
} from '../../../platform/reports/experiment-outcomes.ts';
import type { FunnelInput, FunnelReport } from '../reports/funnel.ts';
import type { PathsInput, PathsReport } from '../reports/paths/paths.ts';
import type { RevenueInput, RevenueReport } from '../reports/revenue/revenue.ts';
import type { SegmentInput, SegmentPage, SegmentSelection } from '../reports/segment.ts';
import type { Failure } from '../../../platform/workers/failures.ts';
import type { EventSliceInput } from '../slices/events.ts';
import type { SliceInput, SliceResult } from '../slices/slice-input.ts';
import type { SharedLoad } from './server-load.ts';

/** The reports that the thread makes, with their inputs and results. */
export interface Reports {
  funnel: { input: FunnelInput; result: FunnelReport };
  breakdown: { input: BreakdownInput; result: BreakdownReport };
  segment: { input: SegmentInput; result: SegmentPage };
  slice_active_days: { input: SliceInput; result: SliceResult<'active_days'> };
  slice_retention: { input: SliceInput; result: SliceResult<'retention'> };
  slice_sessions: { input: SliceInput; result: SliceResult<'sessions'> };
  slice_events: { input: EventSliceInput; result: SliceResult<'events'> };
  paths: { input: PathsInput; result: PathsReport };
  revenue: { input: RevenueInput; result: RevenueReport };
  experiment: { input: ExperimentInput; result: DayOutcomes[] };
}

/** The streams that the thread makes, with their inputs. */
export interface Streams {
  export: ExportInput;
  segment_csv: SegmentInput;
  segment_ids: SegmentSelection;
}

export interface ThreadOptions {
  connection: ConnectionSettings;
  /** The number of groups of games. */
  group_count: number;
  /** True if PostgreSQL is the embedded one, so its processes are on this machine and belong to us. */
  is_embedded: boolean;
  /** How busy the threads that answer games are. */
  load: SharedLoad;
}

/** A job for the thread. */
export interface Job {
  kind: keyof Reports | keyof Streams;
  input: { game_id: string };
  /** For the messages about the job. */
  port: MessagePort;
}

/**
 * A message of the thread about a job: the share of the work that is done, its result, a part of its
 * bytes, its end, or its error.
 */
export type Progress =
  | { type: 'share'; share: number }
  | { type: 'result'; result: unknown }
  | { type: 'chunk'; bytes: Uint8Array }
  | { type: 'end' }
  | { type: 'failed'; failure: Failure };
