import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

/** A client that takes nothing of a file for so long is cut off. */
export const STALLED_READER_MS = 30_000;

/** Handed over at a time: the more of it, the longer a slow client seems to take nothing. */
const SLICE_BYTES = 16 * 1024;

/**
 * The content of a file for a client that keeps taking it, however slowly: one that takes nothing for
 * `stalled_ms` loses its connection, and the content is destroyed, which gives back what it holds.
 * Time in which the content itself is not ready does not count. Bytes in buffers on the way count as
 * taken: on loopback these hold a megabyte, so a client that reads less than 30 KB/s may seem to stop.
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
  async function* slices() {
    try {
      for await (const chunk of source as AsyncIterable<Buffer>) {
        for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
          waitForReader();
          yield chunk.subarray(at, at + SLICE_BYTES);
        }
        clearTimeout(timer);
      }
    } catch (error) {
      // It was destroyed as nobody reads it any more.
      if (!answer.closed) throw error;
    }
    // For what is still on its way, until the answer closes.
    if (!answer.closed) waitForReader();
  }
  return Readable.from(slices(), { objectMode: false, highWaterMark: SLICE_BYTES });
}
