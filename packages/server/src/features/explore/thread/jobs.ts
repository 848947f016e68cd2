import type { ConnectionSettings } from '../../../platform/database/database.ts';
import type { BreakdownInput, BreakdownReport } from '../reports/breakdown.ts';
import type { ExportInput } from '../files/event-export.ts';
import type { FunnelInput, FunnelReport } from '../reports/funnel.ts';
import type { SegmentInput, SegmentPage } from '../reports/segment.ts';
import type { SharedLoad } from './server-load.ts';

/** What the thread of explorations is asked for one report: its input and its result. */
export interface Reports {
  funnel: { input: FunnelInput; result: FunnelReport };
  breakdown: { input: BreakdownInput; result: BreakdownReport };
  segment: { input: SegmentInput; result: SegmentPage };
}

/** What it is asked for a stream of bytes: its input. */
export interface Streams {
  export: ExportInput;
  segment_csv: SegmentInput;
}

export interface ThreadOptions {
  connection: ConnectionSettings;
  /** Whether PostgreSQL is the embedded one, whose processes are on this machine and ours. */
  is_embedded: boolean;
  /** How busy the thread is that answers games. */
  load: SharedLoad;
}

/** What goes to the thread: a job, and the port on which the two talk about it. */
export interface JobMessage {
  kind: keyof Reports | keyof Streams;
  input: unknown;
}

/** What the thread says of a job: its result, a part of its bytes, its end, or why it failed. */
export type Progress =
  | { type: 'result'; result: unknown }
  | { type: 'chunk'; bytes: Uint8Array }
  | { type: 'end' }
  | { type: 'failed'; failure: Failure };

/** An error as it crosses threads. */
export type Failure =
  | { kind: 'answer'; status: number; error: string }
  | { kind: 'database'; message: string; code: string | undefined; severity: string | undefined }
  | { kind: 'other'; message: string; stack: string | undefined };
