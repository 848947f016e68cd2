import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

/** A client that takes nothing of a file for this time is cut off. */
export const STALLED_READER_MS = 30_000;

/**
 * The number of bytes passed on at a time. The larger a part, the longer a slow client seems to take
 * nothing.
 */
const PART_BYTES = 16 * 1024;

/**
 * Passes the content of a file to a client, however slowly the client reads. A client that takes nothing
 * for `stalled_ms` loses its connection, and the content is destroyed, which frees its resources. Time in
 * which the content is not ready does not count. Bytes in the buffers on the way to the client count as
 * taken: on loopback these buffers hold a megabyte, so a client that reads less than 30 KB/s may seem to
 * stop.
 */
export function forSteadyReader(
  answer: ServerResponse,
  content: string | Readable,
  stalled_ms: number,
): Readable {
  let timer: NodeJS.Timeout | undefined;
  const waitForReader = () => {
    clearTimeout(timer);
    timer = setTimeout(() => answer.destroy(), stalled_ms);
  };
  answer.once('close', () => {
    clearTimeout(timer);
    if (typeof content !== 'string') content.destroy();
  });
  const source = typeof content === 'string' ? [Buffer.from(content)] : content;
  async function* parts() {
    try {
      for await (const chunk of source as AsyncIterable<Buffer>) {
        for (let at = 0; at < chunk.length; at += PART_BYTES) {
          waitForReader();
          yield chunk.subarray(at, at + PART_BYTES);
        }
        clearTimeout(timer);
      }
    } catch (error) {
      // The content was destroyed because its answer closed.
      if (!answer.closed) throw error;
    }
    // Watch the bytes that are still on their way, until the answer closes.
    if (!answer.closed) waitForReader();
  }
  return Readable.from(parts(), { objectMode: false, highWaterMark: PART_BYTES });
}
