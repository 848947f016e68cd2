import type { EventViolation } from '../answers.ts';
import { readEvents } from './queue.ts';
import type { OverworldError } from '../http/error.ts';
import { makeUnreached } from '../http/error.ts';
import type { Batch, EventQueue, KeptEvent } from './queue.ts';
import { isOffline, makeId } from '../http/platform.ts';
import type { SharedParts } from '../shared-parts.ts';

export const MAX_BATCH_EVENTS = 100;
/** The most bytes of a batch. It is below the 64 kB that a browser lets a closing page send. */
const MAX_BATCH_BYTES = 56_000;
/** The server recognises a repeated batch for seven days. One of these days is left for wrong clocks. */
const MAX_BATCH_AGE_MS = 6 * 24 * 60 * 60 * 1_000;

/**
 * Sends the next batch of a queue, and removes the events that the server has stored or refused.
 * @param isOwn True if the queue belongs to this client. The request may then outlive the page.
 * @param isHurried True to send without first asking the server for its time.
 * @throws OverworldError if the batch stays in the queue, to be sent again later.
 */
export type SendBatch = (queue: EventQueue, isOwn: boolean, isHurried: boolean) => Promise<void>;

interface TrackAnswer {
  received: number;
  warnings?: EventViolation[];
}

export const createBatchSender = ({ transport, clock, tell }: SharedParts): SendBatch => {
  let max_events = MAX_BATCH_EVENTS;

  /** Makes a batch of the first events of a queue, as many as fit into one request. */
  const cut = ({ waiting }: EventQueue): Batch => {
    let to = -1;
    let bytes = 0;
    let count = 0;
    let player_id: string | undefined;
    for (const [number, text] of waiting) {
      // A request carries the token of one player, so all events of a batch have the same player.
      const { player_id: own } = JSON.parse(text) as KeptEvent;
      player_id ??= own;
      if (own !== player_id) break;
      bytes += countBytes(text);
      if (count === max_events || (count > 0 && bytes > MAX_BATCH_BYTES)) break;
      to = number;
      count++;
    }
    const offset_ms = clock.ahead_ms;
    return { to, idempotency_key: makeId(), first_sent_at: Date.now(), offset_ms };
  };

  return async (queue, isOwn, isHurried) => {
    // The device says that it has no network, but may be wrong. A batch that is sent without a network
    // has an unknown outcome. So another request first shows whether there is a network.
    const isFirst = !queue.batch;
    const isDoubtful = isFirst && isOffline();
    if (isDoubtful && isHurried) throw makeUnreached('offline');
    // A batch fixes the times of its events, so the client must know the server's time before it makes a
    // batch. Loading the config is the cheapest call that tells the time.
    if (isDoubtful || (!clock.isKnown && !isHurried)) {
      await transport.send({ path: 'config', gives: 'config' });
    }
    if (isFirst) await queue.begin(cut(queue));
    const { to, idempotency_key, first_sent_at, offset_ms } = queue.batch!;
    const numbers = [...queue.waiting.keys()].filter((number) => number <= to);
    const texts = numbers.map((number) => queue.waiting.get(number)!);
    const events = readEvents(texts, offset_ms);
    if (events.length === 0) return queue.finish();
    if (Math.abs(Date.now() - first_sent_at) > MAX_BATCH_AGE_MS) {
      tell.drop('outcome_unknown', events);
      return queue.finish();
    }
    try {
      const { body } = await transport.send<TrackAnswer>({
        path: 'track',
        gives: 'received',
        body: events,
        headers: { 'idempotency-key': idempotency_key },
        player_id: events[0]!.player_id,
        keepalive: isOwn,
      });
      if (!(await queue.isOurs())) return;
      if (body.warnings) tell.warn(body.warnings);
      const refused = events.slice(body.received);
      if (refused.length > 0) tell.drop('quota_exceeded', refused);
      await queue.finish();
      max_events = Math.min(MAX_BATCH_EVENTS, max_events + 5);
    } catch (error) {
      const { code, body, message } = error as OverworldError;
      if (!(await queue.isOurs())) return;
      if (code === 'too_large' && events.length > 1) {
        // A proxy between client and server has a smaller limit than the server.
        max_events = Math.ceil(events.length / 2);
        return queue.finish([]);
      }
      // The server has surely not stored these events, however long they wait for a login.
      if (isFirst && code === 'unauthorized') await queue.finish([]);
      if (!['bad_request', 'quota_exceeded', 'forbidden', 'too_large'].includes(code)) throw error;
      // The answer may be from a proxy, with anything in this place.
      const violated = [body.violations].flat() as EventViolation[];
      const all = [...events.keys()];
      const found = violated.filter((each) => all.includes(each?.index));
      const named = [...new Set(found.map(({ index }) => index))];
      const indexes = named.length > 0 ? named : all;
      const violations = found.map((each) => ({ ...each, index: named.indexOf(each.index) }));
      const dropped = indexes.map((index) => events[index]!);
      const reason = code === 'quota_exceeded' ? code : 'rejected';
      tell.drop(reason, dropped, { message, violations });
      // The other events need a new idempotency key, because they form a different request.
      await queue.finish(indexes.map((index) => numbers[index]!));
    }
  };
};

/** Returns an upper bound for the number of bytes of a text in UTF-8. */
export const countBytes = (text: string) => text.replace(/[^ -~]/g, '123').length;
