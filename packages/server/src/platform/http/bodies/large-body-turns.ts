import { networkOf } from '../../network/network-address.ts';
import { createFairQueue } from '../../queue/fair-queue.ts';
import type { Exchange } from '../exchange.ts';

/** A body larger than this takes a millisecond or more to check, and another millisecond to store. */
export const LARGE_BYTES = 64 * 1024;

/**
 * A function that waits for the turn of a request whose large body has been received.
 * The turn ends with the answer. If the client hangs up, the request leaves the queue.
 * @throws ApiError 503 with Retry-After when the turn does not come within 5 s, or when too many requests
 * of the caller are waiting.
 */
type TakeLargeBodyTurn = (exchange: Exchange) => Promise<void>;

/**
 * Lets two requests with large bodies proceed at a time: one body can be checked while the database stores
 * the other, and small requests never wait behind more than two large ones. Networks take turns, and so do
 * the keys and accounts of each network.
 */
export function createLargeBodyTurns(): TakeLargeBodyTurn {
  const queue = createFairQueue({
    name: 'large_bodies',
    slots: 2,
    max_waiting: 1_000,
    deadline_ms: 5_000,
    shares: [
      { max_running: 2, max_waiting: 100 },
      { max_running: 2, max_waiting: 100 },
    ],
    refusal: 'Too many large requests are waiting, try again in a few seconds',
  });
  return async (exchange) => {
    const owner = [networkOf(exchange.ip), exchange.counted_as];
    exchange.endLargeBodyTurn = await queue.take(owner, exchange.watchHangUp());
  };
}
