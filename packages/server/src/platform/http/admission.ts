import { setTimeout as wait } from 'node:timers/promises';
import type { ApiError } from '../errors.ts';
import { networkOf } from '../network/network-address.ts';
import {
  AT_WORK_MS,
  LEAST_AT_WORK,
  LEAST_OF_A_NETWORK,
  MOST_AT_WORK,
  REFUSAL_DELAY_MS,
} from './limits.ts';

/** The rate of answers is measured over this many answers. */
const MEASURED_ANSWERS = 128;
/** The rate of answers is measured only while at least this many requests are at work. */
const MEASURED_AT_WORK = 256;
/** A measurement older than this is out of date. */
const MEASURE_VALID_MS = 2_000;
/**
 * While fewer requests than this are at work, any network may begin requests, and networks are not counted.
 */
const COUNTED_AT_WORK = 256;
/**
 * A place is the right to have one request at work. This part of all places is divided
 * equally among the networks that have requests at work. The rest is for new networks.
 */
const SHARED_PART = 0.75;

/**
 * Counts and limits the requests at work. The limit follows from the latest rate of answers, so each
 * request takes about 0.2 s at most, even when more than a thousand are at work. No network can take the
 * places of all others. A request is at work from the end of its body to its answer, so clients that send
 * or read slowly take no place.
 */
export function createAdmission(now: () => number = () => performance.now()) {
  let at_work = 0;
  let limit = LEAST_AT_WORK;
  let measured_at = 0;
  let answers = 0;
  let counting_since = 0;
  /** The number of requests at work by network. Requests that began while few were at work are left out. */
  const by_network = new Map<string, number>();

  const measure = () => {
    const ended_at = now();
    const per_ms = answers / Math.max(1, ended_at - counting_since);
    limit = Math.min(MOST_AT_WORK, Math.max(LEAST_AT_WORK, Math.round(per_ms * AT_WORK_MS)));
    measured_at = ended_at;
    answers = 0;
    counting_since = ended_at;
  };

  return {
    /** Tells whether a request from this address may begin now. */
    isOpenFor(ip: string): boolean {
      if (at_work < COUNTED_AT_WORK) return true;
      if (now() - measured_at > MEASURE_VALID_MS) limit = LEAST_AT_WORK;
      if (at_work >= limit) return false;
      const own = by_network.get(networkOf(ip)) ?? 0;
      const networks = by_network.size + (own === 0 ? 1 : 0);
      if (networks === 1) return true;
      return own < Math.max(LEAST_OF_A_NETWORK, (limit * SHARED_PART) / networks);
    },
    /** @returns The network to pass to `end`. */
    begin(ip: string): string {
      const network = at_work < COUNTED_AT_WORK ? '' : networkOf(ip);
      if (network !== '') by_network.set(network, (by_network.get(network) ?? 0) + 1);
      at_work += 1;
      if (at_work === MEASURED_AT_WORK) {
        answers = 0;
        counting_since = now();
      }
      return network;
    },
    end(network: string) {
      if (network !== '') {
        const left = by_network.get(network)! - 1;
        if (left > 0) by_network.set(network, left);
        else by_network.delete(network);
      }
      at_work -= 1;
      if (at_work < MEASURED_AT_WORK - 1) return;
      answers += 1;
      if (answers >= MEASURED_ANSWERS) measure();
    },
  };
}

/** Throws the error after a delay of 0.4 to 0.8 seconds, to slow down a flood. */
export async function refuseLate(error: ApiError): Promise<never> {
  await wait(REFUSAL_DELAY_MS * (1 + Math.random()));
  throw error;
}
