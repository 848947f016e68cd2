import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { InUseCounts } from '../../workers/counts/in-use-counts.ts';
import { networkOf } from '../../network/network-address.ts';
import type { Exchange } from '../exchange.ts';
import { createByteLimit } from '../byte-limits.ts';
import { STALLED_READER_MS, UNREAD_ANSWERS } from '../limits.ts';
import { cutOff } from './connection-limits.ts';

/**
 * Limits the memory for clients that do not read their answers. A connection is closed if its client reads
 * nothing for 30 seconds, or if all clients of its address have more unread bytes than one address may have.
 * The buffers of the operating system, 100 KB to 4 MB for each connection, are not counted.
 * @returns A function to call if the system has not accepted all bytes of an answer from Node.
 */
export function limitUnreadAnswers(inUse: InUseCounts): (exchange: Exchange) => void {
  const limit = createByteLimit(inUse, UNREAD_ANSWERS);
  return ({ answer, ip }) => {
    const { socket } = answer;
    if (socket === null) return;
    const unread_bytes = socket.writableLength;
    const owners = [`ip:${networkOf(ip)}`];
    if (!limit.take(owners, unread_bytes)) {
      // If the address itself is within its limit, the other addresses have used up the memory. Then the
      // connection is closed too, but does not count as cut off.
      if (limit.hasRoom(owners[0]!, unread_bytes)) return void socket.destroy();
      return cutOff(socket);
    }
    socket.setTimeout(STALLED_READER_MS);
    answer.once('close', () => {
      limit.give(owners, unread_bytes);
      // While Node waits for the next request of a connection, it uses a timeout of its own. While a request
      // is being handled, there must be no timeout.
      if (socket.timeout === STALLED_READER_MS) socket.setTimeout(0);
    });
  };
}

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
