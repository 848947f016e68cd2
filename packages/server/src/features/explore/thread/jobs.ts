import type { ConnectionSettings } from '../../../platform/database/database.ts';
import type { BreakdownInput, BreakdownReport } from '../reports/breakdown.ts';
import type { ExportInput } from '../files/event-export.ts';
import type { FunnelInput, FunnelReport } from '../reports/funnel.ts';
import type { SegmentInput, SegmentPage } from '../reports/segment.ts';
import type { SharedLoad } from './server-load.ts';

/** The reports that the thread makes, with their inputs and results. */
export interface Reports {
  funnel: { input: FunnelInput; result: FunnelReport };
  breakdown: { input: BreakdownInput; result: BreakdownReport };
  segment: { input: SegmentInput; result: SegmentPage };
}

/** The streams that the thread makes, with their inputs. */
export interface Streams {
  export: ExportInput;
  segment_csv: SegmentInput;
}

export interface ThreadOptions {
  connection: ConnectionSettings;
  /**
   * Whether PostgreSQL is the embedded one, so that its processes are on this machine and belong to
   * us.
   */
  is_embedded: boolean;
  /** How busy the thread is that answers games. */
  load: SharedLoad;
}

/** A job for the thread. A port for the messages about it goes with it. */
export interface JobMessage {
  kind: keyof Reports | keyof Streams;
  input: unknown;
}

/** A message of the thread about a job: its result, a part of its bytes, its end, or its error. */
export type Progress =
  | { type: 'result'; result: unknown }
  | { type: 'chunk'; bytes: Uint8Array }
  | { type: 'end' }
  | { type: 'failed'; failure: Failure };

/** An error in a form that can be sent to another thread. */
export type Failure =
  | { kind: 'answer'; status: number; error: string }
  | { kind: 'database'; message: string; code: string | undefined; severity: string | undefined }
  | { kind: 'other'; message: string; stack: string | undefined };
