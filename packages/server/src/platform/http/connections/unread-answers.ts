import type { HeldCounts } from '../../workers/counts/held-counts.ts';
import { networkOf } from '../../network/network-address.ts';
import type { Exchange } from '../exchange.ts';
import { createByteShares } from '../shares/byte-shares.ts';
import { cutOff } from './connection-limits.ts';
import { STALLED_READER_MS } from './steady-reader.ts';

const MIB = 1024 * 1024;

/**
 * The limits on the bytes of answers that wait in memory until clients read them. An address has room for
 * forty answers of 400 KB.
 */
const SHARES = {
  name: 'unread answers',
  max_bytes: 128 * MIB,
  max_bytes_by_kind: { 'ip:': 16 * MIB },
};

/**
 * Limits the memory for clients that do not read their answers. A connection is closed if its client reads
 * nothing for 30 seconds, or if all clients of its address have more unread bytes than one address may have.
 * The buffers of the operating system, 100 KB to 4 MB for each connection, are not counted.
 * @returns A function to call after Node has passed to the system as many bytes of an answer as the system
 * accepts.
 */
export function limitUnreadAnswers(held: HeldCounts): (exchange: Exchange) => void {
  const shares = createByteShares(held, SHARES);
  return ({ answer, ip }) => {
    const { socket } = answer;
    const unread_bytes = socket?.writableLength ?? 0;
    if (socket === null || unread_bytes === 0) return;
    const owners = [`ip:${networkOf(ip)}`];
    if (!shares.take(owners, unread_bytes)) {
      // If the address itself is within its limit, the other addresses have used up the memory. Then the
      // connection is closed too, but does not count as cut off.
      if (shares.hasRoom(owners[0]!, unread_bytes)) return void socket.destroy();
      return cutOff(socket);
    }
    socket.setTimeout(STALLED_READER_MS);
    answer.once('close', () => {
      shares.give(owners, unread_bytes);
      // While Node waits for the next request of a connection, it uses a timeout of its own. While a request
      // is being handled, there must be no timeout.
      if (socket.timeout === STALLED_READER_MS) socket.setTimeout(0);
    });
  };
}
