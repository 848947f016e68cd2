import { countBytes, createBatchSender, MAX_BATCH_EVENTS } from './batch-sender.ts';
import type { OverworldError } from './error.ts';
import { createQueue, listQueues, loadQueue, readEvents } from './event-queue.ts';
import type { KeptEvent } from './event-queue.ts';
import type { KeptStore } from './kept-store.ts';
import { makeId, platform, startTimer, wait } from './platform.ts';
import { createQueueLocks } from './queue-locks.ts';
import type { ServerClock } from './server-clock.ts';
import type { Tell } from './tell.ts';
import { backOff } from './transport.ts';
import type { Transport } from './transport.ts';

const MAX_EVENT_BYTES = 50_000;
/** Of all waiting events; `localStorage` has room for five million in all. */
const MAX_QUEUED_CHARACTERS = 2_000_000;
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
  /** Tries again now: the network is back. */
  retryNow(): void;
  /** Sends no more, and leaves what is not sent to the next client. */
  close(): Promise<void>;
}

/** What is sent: what earlier clients left and then our own events, or either alone. */
type Scope = 'all' | 'left' | 'own';

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
  const batches = createBatchSender({ transport, clock, locks, tell });
  const queue_prefix = `${prefix}queue:`;
  const makeQueue = () =>
    createQueue(store, `${queue_prefix}${Date.now().toString(36)}-${makeId().slice(16)}`);

  let own = makeQueue();
  let taken = locks.take(own.name);
  /** Whether nothing is left of earlier clients, whose events ours must not overtake. */
  let isFirst = false;
  let running: Promise<boolean> | undefined;
  let isClosed = false;
  let failures = 0;
  /** Runs while events wait that nothing sends: for others, or after a failure for the next try. */
  let timer: ReturnType<typeof startTimer> | undefined;

  const hasEnded = () => isClosed;

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
          await batches.send(queue, { isOwn: false, isHurried: false });
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
      await batches.send(own, { isOwn: true, isHurried });
    }
  };

  const stopTimer = () => {
    platform.clearTimeout(timer);
    timer = undefined;
  };
  const schedule = (delay_ms: number) => {
    if (isClosed) return;
    stopTimer();
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
      if (failures > 0) stopTimer();
      failures = 0;
      if (own.events.size > 0 && !timer) schedule(options.flush_interval_ms);
      return !isClosed;
    } catch (error) {
      const failure = error as OverworldError;
      const { retryAfterMs = 0 } = failure;
      const delay_ms = Math.max(retryAfterMs, backOff(++failures, LONGEST_BACK_OFF_MS));
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
      if (countBytes(text) > MAX_EVENT_BYTES) return tell.drop('unsendable', readEvents([text], 0));
      own.append(text);
      const dropped = own.trim(max_events, MAX_QUEUED_CHARACTERS);
      if (dropped.length > 0) tell.drop('queue_full', readEvents(dropped, clock.offset_ms));
      if (own.events.size >= MAX_BATCH_EVENTS && failures === 0) void run();
      else if (!timer) schedule(options.flush_interval_ms);
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
    retryNow: () => void run(),
    async close() {
      isClosed = true;
      stopTimer();
      await own.stored();
      if (own.events.size === 0) await own.remove();
      // What is under way now may be sent again by another, with the same key.
      await locks.release(own.name);
    },
  };
}
