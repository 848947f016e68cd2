import type { Input } from '../../../api/operations.ts';
import { openDownload } from '../../../api/client.ts';
import { unreachable } from '../../../api/failure.ts';

export const EXPORT = 'GET /v1/games/{game_id}/events/export';
export const FORMATS = ['parquet', 'ndjson', 'csv'] as const;
export type FileFormat = (typeof FORMATS)[number];

/** The part of a file that has arrived. */
export interface Received {
  bytes: number;
  /** The lines so far, which are about as many as the events; Parquet has none. */
  lines: number;
}

/** Parts are joined to blobs of this size, because a browser keeps large blobs on the disk. */
const PART_BYTES = 8 * 1024 * 1024;
/** The time between two updates of the progress. */
const TOLD_EVERY_MS = 200;
const LINE_FEED = 10;

/**
 * Loads the events of a game as a file.
 * @param onProgress Called a few times a second.
 * @throws Failure if the file is refused, or if it ends before its last byte.
 */
export async function receiveFile(
  input: Input<typeof EXPORT> & { query: { format: FileFormat } },
  signal: AbortSignal,
  onProgress: (received: Received) => void,
): Promise<Blob> {
  const response = await openDownload(EXPORT, input, signal);
  const reader = response.body!.getReader();
  const hasLines = input.query.format !== 'parquet';
  const whole: Blob[] = [];
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let waiting = 0;
  const received = { bytes: 0, lines: 0 };
  let told_at = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      waiting += value.length;
      received.bytes += value.length;
      if (hasLines) received.lines += countLines(value);
      if (waiting >= PART_BYTES) {
        whole.push(new Blob(parts));
        parts = [];
        waiting = 0;
      }
      if (performance.now() - told_at >= TOLD_EVERY_MS) {
        told_at = performance.now();
        onProgress({ ...received });
      }
    }
  } catch (error) {
    throw signal.aborted ? error : unreachable();
  }
  return new Blob([...whole, ...parts]);
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}
