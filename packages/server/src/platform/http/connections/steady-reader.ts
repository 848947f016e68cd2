import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

/** The time after which a client that reads nothing of a file is cut off. */
export const STALLED_READER_MS = 30_000;

/**
 * The size of the parts that are passed on. The server notices that a client reads only when a whole part has
 * been taken. So with larger parts, a slow client would look more often as if it had stopped.
 */
const PART_BYTES = 16 * 1024;

/**
 * Passes the content of a file to a client, however slowly the client reads. If the client reads nothing for
 * `stalled_ms`, its connection is closed, and the content is destroyed, which frees its resources. The time
 * in which the client waits for content does not count. Bytes in network buffers count as read. On loopback
 * these buffers hold a megabyte, so a client that reads less than 30 KB/s may look as if it had stopped.
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
      // A closed answer destroys the content, which causes an error that is no problem.
      if (!answer.closed) throw error;
    }
    // The last bytes are still on their way, so the timer runs until the answer closes.
    if (!answer.closed) waitForReader();
  }
  return Readable.from(parts(), { objectMode: false, highWaterMark: PART_BYTES });
}
