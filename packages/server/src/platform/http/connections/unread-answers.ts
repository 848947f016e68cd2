import type { HeldCounts } from '../../workers/counts/held-counts.ts';
import { networkOf } from '../../network/network-address.ts';
import type { Exchange } from '../exchange.ts';
import { createByteShares } from '../shares/byte-shares.ts';
import { cutOff } from './connection-limits.ts';
import { STALLED_READER_MS } from './steady-reader.ts';

const MIB = 1024 * 1024;

/** Answers that wait in memory for their readers: an address has room for forty of 400 KB. */
const SHARES = {
  name: 'unread answers',
  max_bytes: 128 * MIB,
  max_bytes_by_kind: { 'ip:': 16 * MIB },
};

/**
 * Bounds the memory for clients that do not read. A connection is cut when its client takes nothing
 * for 30 seconds, or when its address leaves more than its share unread. The system's own buffers,
 * 100 KB to 4 MB for each connection, are not counted.
 * @returns A function to call when Node has written as much of an answer as the system takes.
 */
export function limitUnreadAnswers(held: HeldCounts): (exchange: Exchange) => void {
  const shares = createByteShares(held, SHARES);
  return ({ answer, ip }) => {
    const { socket } = answer;
    const unread_bytes = socket?.writableLength ?? 0;
    if (socket === null || unread_bytes === 0) return;
    const owners = [`ip:${networkOf(ip)}`];
    if (!shares.take(owners, unread_bytes)) {
      // If the others have taken all, this client is cut too, but is not to blame.
      if (shares.hasRoom(owners[0]!, unread_bytes)) return void socket.destroy();
      return cutOff(socket);
    }
    socket.setTimeout(STALLED_READER_MS);
    answer.once('close', () => {
      shares.give(owners, unread_bytes);
      // Node sets a timeout of its own for the next request, but none while a request is at work.
      if (socket.timeout === STALLED_READER_MS) socket.setTimeout(0);
    });
  };
}
