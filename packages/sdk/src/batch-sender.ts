import type { EventViolation } from './answers.ts';
import { OverworldError } from './error.ts';
import { readEvents } from './event-queue.ts';
import type { Batch, EventQueue } from './event-queue.ts';
import type { DropReason } from './options.ts';
import { isOffline, makeId } from './platform.ts';
import type { QueueLocks } from './queue-locks.ts';
import type { ServerClock } from './server-clock.ts';
import type { DropDetails, Tell } from './tell.ts';
import type { Transport } from './transport.ts';

export const MAX_BATCH_EVENTS = 100;
/** A page that closes may send 64 kB. */
const MAX_BATCH_BYTES = 56_000;
/** The server knows a batch for seven days; a day is left for clocks that are wrong. */
const MAX_BATCH_AGE_MS = 6 * 24 * 60 * 60 * 1_000;

export interface BatchSender {
  /**
   * Sends the next batch of a queue, and takes from it what the server has stored or will never take.
   * @param how With `isHurried` nothing is asked before.
   * @throws OverworldError when the batch stays, to be sent again.
   */
  send(queue: EventQueue, how: { isOwn: boolean; isHurried: boolean }): Promise<void>;
}

interface TrackAnswer {
  received: number;
  warnings?: EventViolation[];
}

export function createBatchSender(options: {
  transport: Transport;
  clock: ServerClock;
  locks: QueueLocks;
  tell: Tell;
}): BatchSender {
  const { transport, clock, locks, tell } = options;
  let isTimeAsked = false;
  let max_events = MAX_BATCH_EVENTS;

  /** What one request may carry of a queue. */
  const cut = ({ events }: EventQueue): Batch => {
    let to = -1;
    let bytes = 0;
    let count = 0;
    for (const [number, text] of events) {
      bytes += countBytes(text);
      if (count === max_events || (count > 0 && bytes > MAX_BATCH_BYTES)) break;
      to = number;
      count++;
    }
    const { offset_ms } = clock;
    return { to, idempotency_key: makeId(), first_sent_at: Date.now(), offset_ms };
  };

  return {
    async send(queue, { isOwn, isHurried }) {
      // Not one more batch whose outcome is unknown.
      if (isOffline()) throw new OverworldError('The device is offline', 'offline');
      // Times are fixed with the batch; the config is the cheapest way to hear the server's.
      if (!clock.isKnown && !isTimeAsked && !isHurried) {
        await transport.send({ method: 'GET', path: '/v1/config' });
        // A proxy may keep it from us; it is not asked for again then.
        isTimeAsked = true;
      }
      if (!queue.progress.batch) await queue.begin(cut(queue));
      const { to, idempotency_key, first_sent_at, offset_ms } = queue.progress.batch!;
      const numbers = [...queue.events.keys()].filter((number) => number <= to);
      const texts = numbers.map((number) => queue.events.get(number)!);
      const events = readEvents(texts, offset_ms);
      if (events.length === 0) return queue.finish();
      if (Math.abs(Date.now() - first_sent_at) > MAX_BATCH_AGE_MS) {
        tell.drop('outcome_unknown', events);
        return queue.finish();
      }

      const drop = (reason: DropReason, indexes: number[], details?: DropDetails) => {
        const dropped = indexes.map((index) => events[index]!);
        tell.drop(reason, dropped, details);
      };
      try {
        const { body } = await transport.send<TrackAnswer>({
          method: 'POST',
          path: '/v1/track',
          body: events,
          headers: { 'idempotency-key': idempotency_key },
          keepalive: isOwn,
        });
        if (typeof body.received !== 'number') {
          throw new OverworldError('The answer is not from Overworld', 'bad_answer');
        }
        if (!(await locks.isHeld(queue.name))) return;
        if (body.warnings) tell.warn(body.warnings);
        const refused = [...events.keys()].slice(body.received);
        if (refused.length > 0) drop('quota_exceeded', refused);
        await queue.finish();
        max_events = Math.min(MAX_BATCH_EVENTS, max_events + 5);
      } catch (error) {
        const { code, body, message } = error as OverworldError;
        if (!(await locks.isHeld(queue.name))) return;
        if (code === 'quota_exceeded') {
          drop('quota_exceeded', [...events.keys()], { message });
          await queue.finish();
        } else if (code === 'bad_request' && typeof body.error === 'string') {
          const violated = (body.violations ?? []) as EventViolation[];
          const found = violated.filter(({ index }) => events[index]);
          const named = new Set(found.map(({ index }) => index));
          const indexes = [...(named.size > 0 ? named : events.keys())];
          const violations = found.map((each) => ({ ...each, index: indexes.indexOf(each.index) }));
          drop('rejected', indexes, { message, violations });
          // The others go under a new key, since the body is another one.
          await queue.finish(indexes.map((index) => numbers[index]!));
        } else if (code === 'too_large' && events.length > 1) {
          // Of a proxy with a limit of its own.
          max_events = Math.ceil(events.length / 2);
          await queue.finish([]);
        } else if (code === 'too_large') {
          drop('rejected', [0], { message });
          await queue.finish();
        } else {
          throw error;
        }
      }
    },
  };
}

/** At most so many bytes of UTF-8. */
export const countBytes = (text: string) => text.length + 2 * (text.match(/[^ -~]/g)?.length ?? 0);
