import type { EventViolation } from './answers.ts';
import { OverworldError } from './error.ts';
import { createQueue, listQueues, loadQueue } from './event-queue.ts';
import type { EventQueue, KeptEvent } from './event-queue.ts';
import type { KeptStore } from './kept-store.ts';
import type { DropReason, QueuedEvent } from './options.ts';
import { isOffline, makeId, platform, startTimer, wait } from './platform.ts';
import { createQueueLocks } from './queue-locks.ts';
import type { ServerClock } from './server-clock.ts';
import type { Tell } from './tell.ts';
import { backOff } from './transport.ts';
import type { Transport } from './transport.ts';

const MAX_BATCH_EVENTS = 100;
/** A page that closes may send 64 kB. */
const MAX_BATCH_BYTES = 56_000;
const MAX_EVENT_BYTES = 50_000;
/** Of all waiting events; `localStorage` has room for five million in all. */
const MAX_QUEUED_CHARACTERS = 2_000_000;
/** The server knows a batch for seven days; a day is left for clocks that are wrong. */
const MAX_BATCH_AGE_MS = 6 * 24 * 60 * 60 * 1_000;
const LONGEST_BACK_OFF_MS = 60_000;
/** What a dead tab wrote last, and that its lock is free, may become visible to others a moment later. */
const SETTLE_MS = 50;

export interface EventSender {
  /** Events that wait or are under way in the queue of this client. */
  readonly length: number;
  append(event: KeptEvent): void;
  stored(): Promise<unknown>;
  /** Sends all that can be sent. @returns whether all was. */
  flush(): Promise<boolean>;
  /** Sends what one request may carry, without waiting for anything before. */
  hurry(): void;
  /** Forgets failures: the network is back. */
  retryNow(): void;
  /** Sends no more, and leaves what is not sent to the next client. */
  close(): Promise<void>;
}

/** What is sent: what earlier clients left and then our own events, or either alone. */
type Scope = 'all' | 'left' | 'own';

interface TrackAnswer {
  received: number;
  warnings?: EventViolation[];
}

export interface SenderOptions {
  store: KeptStore;
  /** What the names of queues and locks begin with. */
  prefix: string;
  transport: Transport;
  clock: ServerClock;
  flush_interval_ms: number;
  max_events: number;
  tell: Tell;
}

export function createEventSender(options: SenderOptions): EventSender {
  const { store, prefix, transport, clock, max_events, tell } = options;
  const locks = createQueueLocks(store);
  const queue_prefix = `${prefix}queue:`;
  const makeQueue = () =>
    createQueue(store, `${queue_prefix}${Date.now().toString(36)}-${makeId().slice(16)}`);

  let own = makeQueue();
  let taken = locks.take(own.name);
  /** Whether nothing is left of earlier clients, whose events ours must not overtake. */
  let isFirst = false;
  let running: Promise<boolean> | undefined;
  let isClosed = false;
  let isTimeAsked = false;
  let failures = 0;
  let max_batch_events = MAX_BATCH_EVENTS;
  let timer: ReturnType<typeof startTimer> | undefined;
  let not_before = 0;

  const hasEnded = () => isClosed;
  const write = (event: KeptEvent, offset_ms: number): QueuedEvent => {
    const { at, is_corrected, ...rest } = event;
    const time = new Date(at + (is_corrected ? 0 : offset_ms));
    return { ...rest, client_timestamp: time.toISOString() };
  };
  const read = (texts: readonly string[], offset_ms: number) =>
    texts.map((text) => write(JSON.parse(text) as KeptEvent, offset_ms));

  /** The queues of others; a store that cannot be read keeps nobody from sending what is in memory. */
  const listOthers = async () => {
    const queues = await listQueues(store, queue_prefix).catch(() => []);
    return queues.filter(({ name }) => name !== own.name);
  };

  /** Sends what clients that are gone have left; the queues of other tabs are locked. */
  const sendLeft = async () => {
    const left = new Set<string>();
    try {
      for (const { name } of await listOthers()) if (await locks.take(name)) left.add(name);
      if (left.size > 0) await wait(SETTLE_MS);
      // Listed anew, now that nobody else adds to them; once for all, as there may be thousands of keys.
      for (const found of left.size > 0 ? await listOthers() : []) {
        if (!left.has(found.name)) continue;
        const queue = await loadQueue(store, found);
        while (queue.events.size > 0) {
          await sendNext(queue, false);
          if (hasEnded() || !(await locks.isHeld(queue.name))) return;
        }
        await queue.remove();
      }
    } finally {
      for (const name of left) await locks.release(name);
    }
    isFirst = true;
  };

  /**
   * Sends our own events up to this one, and those after it while they fill a request: fewer wait for
   * others to be sent with.
   */
  const sendOwn = async (last: number, isHurried: boolean) => {
    while (!hasEnded()) {
      if (!(await taken) || !(await locks.isHeld(own.name))) {
        // Another tab has taken this one for dead, and sends what is in there.
        own = makeQueue();
        taken = locks.take(own.name);
      }
      const [first = Infinity] = own.events.keys();
      if (first > last && own.events.size < MAX_BATCH_EVENTS) return;
      await sendNext(own, isHurried);
    }
  };

  /** Sends the next batch of a queue. */
  const sendNext = async (queue: EventQueue, isHurried: boolean) => {
    // Not one more batch whose outcome is unknown.
    if (isOffline()) throw new OverworldError('The device is offline', 'offline');
    // Times are fixed with the batch; the config is the cheapest way to hear the server's.
    if (!clock.isKnown && !isTimeAsked && !isHurried) {
      await transport.send({ method: 'GET', path: '/v1/config' });
      // A proxy may keep it from us; it is not asked for again then.
      isTimeAsked = true;
    }
    if (!queue.progress.batch) await queue.begin(cut(queue));
    const { batch } = queue.progress;
    const { to, idempotency_key, first_sent_at, offset_ms } = batch!;
    const numbers = [...queue.events.keys()].filter((number) => number <= to);
    const events = read(
      numbers.map((number) => queue.events.get(number)!),
      offset_ms,
    );
    if (events.length === 0) return queue.finish();
    if (Math.abs(Date.now() - first_sent_at) > MAX_BATCH_AGE_MS) {
      tell.drop('outcome_unknown', events);
      return queue.finish();
    }

    const drop = (reason: DropReason, indexes: number[], violations?: EventViolation[]) =>
      tell.drop(
        reason,
        indexes.map((index) => events[index]!),
        violations,
      );
    try {
      const { body } = await transport.send<TrackAnswer>({
        method: 'POST',
        path: '/v1/track',
        body: events,
        headers: { 'idempotency-key': idempotency_key },
        keepalive: queue === own,
      });
      if (typeof body.received !== 'number') {
        throw new OverworldError('The answer is not from Overworld', 'bad_answer');
      }
      if (!(await locks.isHeld(queue.name))) return;
      if (body.warnings) tell.warn(body.warnings);
      const refused = [...events.keys()].slice(body.received);
      if (refused.length > 0) drop('quota_exceeded', refused);
      await queue.finish();
      max_batch_events = Math.min(MAX_BATCH_EVENTS, max_batch_events + 5);
    } catch (error) {
      const { code, body } = error as OverworldError;
      if (!(await locks.isHeld(queue.name))) return;
      if (code === 'quota_exceeded') {
        drop('quota_exceeded', [...events.keys()]);
        await queue.finish();
      } else if (code === 'bad_request' && typeof body.error === 'string') {
        const violations = (body.violations ?? []) as EventViolation[];
        const named = [...new Set(violations.map(({ index }) => index))];
        const indexes = named.length > 0 ? named : [...events.keys()];
        drop(
          'rejected',
          indexes,
          violations.map((violation) => ({
            ...violation,
            index: indexes.indexOf(violation.index),
          })),
        );
        // The others go under a new key, since the body is another one.
        await queue.finish(indexes.map((index) => numbers[index]!));
      } else if (code === 'too_large' && events.length > 1) {
        // Of a proxy with a limit of its own.
        max_batch_events = Math.ceil(events.length / 2);
        await queue.finish([]);
      } else if (code === 'too_large') {
        drop('rejected', [0]);
        await queue.finish();
      } else {
        throw error;
      }
    }
  };

  /** What one request may carry of a queue. */
  const cut = ({ events }: EventQueue): NonNullable<EventQueue['progress']['batch']> => {
    let to = -1;
    let bytes = 0;
    let count = 0;
    for (const [number, text] of events) {
      bytes += countBytes(text);
      if (count === max_batch_events || (count > 0 && bytes > MAX_BATCH_BYTES)) break;
      to = number;
      count++;
    }
    const { offset_ms } = clock;
    return { to, idempotency_key: makeId(), first_sent_at: Date.now(), offset_ms };
  };

  const schedule = (delay_ms: number) => {
    if (isClosed) return;
    platform.clearTimeout(timer);
    timer = startTimer(() => {
      timer = undefined;
      void run();
    }, delay_ms);
  };

  const send = async (scope: Scope): Promise<boolean> => {
    const last = [...own.events.keys()].pop() ?? -1;
    // One tab after the other: else one could send what a page left while the next page sends its own.
    const turn = `${prefix}turn`;
    const isTurn = scope !== 'own' && store.below !== null;
    try {
      if (isTurn && (await locks.take(turn, true))) await sendLeft();
      if (scope !== 'left') await sendOwn(last, scope === 'own');
      failures = 0;
      if (own.events.size > 0 && !timer) schedule(options.flush_interval_ms);
      return !isClosed;
    } catch (error) {
      const failure = error as OverworldError;
      const { retryAfterMs = 0 } = failure;
      const delay_ms = Math.max(retryAfterMs, backOff(++failures, LONGEST_BACK_OFF_MS));
      not_before = Date.now() + delay_ms;
      tell.fail(failure);
      schedule(delay_ms);
      return false;
    } finally {
      if (isTurn) await locks.release(turn);
      running = undefined;
    }
  };

  const run = (scope: Scope = 'all') => (running ??= send(scope));

  /** Clears the way for our events: the page may close before its first flush. */
  const start = async () => {
    if ((await listOthers()).length === 0) {
      isFirst = true;
      return;
    }
    await wait(SETTLE_MS);
    if (!hasEnded()) void run('left');
  };
  void start();

  return {
    get length() {
      return own.events.size;
    },
    append(event) {
      if (clock.isKnown) {
        event.at += clock.offset_ms;
        event.is_corrected = true;
      }
      const text = JSON.stringify(event);
      if (countBytes(text) > MAX_EVENT_BYTES) return tell.drop('unsendable', read([text], 0));
      own.append(text);
      const dropped = own.trim(max_events, MAX_QUEUED_CHARACTERS);
      if (dropped.length > 0) tell.drop('queue_full', read(dropped, clock.offset_ms));
      const backing_off_ms = not_before - Date.now();
      if (own.events.size >= MAX_BATCH_EVENTS && backing_off_ms <= 0) void run();
      else if (!timer) schedule(Math.max(options.flush_interval_ms, backing_off_ms));
    },
    stored: () => own.stored(),
    async flush() {
      // One that is under way may have looked before the last event came.
      if (running && !(await running)) return false;
      return run();
    },
    hurry() {
      if (isFirst) void run('own');
    },
    retryNow() {
      not_before = 0;
      void run();
    },
    async close() {
      isClosed = true;
      platform.clearTimeout(timer);
      await own.stored();
      if (own.events.size === 0) await own.remove();
      // What is under way now may be sent again by another, with the same key.
      await locks.release(own.name);
    },
  };
}

/** At most so many bytes of UTF-8. */
const countBytes = (text: string) => text.length + 2 * (text.match(/[^ -~]/g)?.length ?? 0);
