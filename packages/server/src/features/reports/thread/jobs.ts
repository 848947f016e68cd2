import type { MessagePort } from 'node:worker_threads';
import type { BreakdownInput, BreakdownReport } from '../breakdown/breakdown.ts';
import type { ExportInput } from '../files/event-export.ts';
import type {
  DayOutcomes,
  ExperimentInput,
} from '../../../platform/reports/experiment-outcomes.ts';
import type { FunnelInput, FunnelReport } from '../funnel/funnel.ts';
import type { PathsInput, PathsReport } from '../paths/paths.ts';
import type { RevenueInput, RevenueReport } from '../revenue/revenue.ts';
import type { SegmentInput, SegmentPage, SegmentSelection } from '../segment/segment.ts';
import type { Failure } from '../../../platform/workers/failures.ts';
import type { EventSliceInput } from '../events/count-events.ts';
import type { SliceInput, SliceResult } from '../players/slice-input.ts';

/** The reports that the explore thread makes, with their inputs and results. */
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

/** The streams that the explore thread makes, with their inputs. */
export interface Streams {
  export: ExportInput;
  segment_csv: SegmentInput;
  segment_ids: SegmentSelection;
}

/** A job for the explore thread. */
export interface Job {
  kind: keyof Reports | keyof Streams;
  input: { game_id: string };
  /** The port for the messages about the job. */
  port: MessagePort;
}

/**
 * A message from the explore thread about a job. It contains the share of the work that is done, the result
 * of a report, some bytes of a stream, the end of a stream, or an error.
 */
export type Progress =
  | { type: 'share'; share: number }
  | { type: 'result'; result: unknown }
  | { type: 'chunk'; bytes: Uint8Array }
  | { type: 'end' }
  | { type: 'failed'; failure: Failure };
