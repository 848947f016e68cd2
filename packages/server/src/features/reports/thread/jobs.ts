import type { MessagePort } from 'node:worker_threads';
import type { Failure } from '../../../platform/workers/failures.ts';
import type { MadeReport, MadeStream } from './makers.ts';

/** A job for the explore thread. */
export interface Job {
  kind: MadeReport | MadeStream;
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
