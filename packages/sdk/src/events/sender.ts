import { countBytes, createBatchSender, MAX_BATCH_EVENTS } from './batch-sender.ts';
import { lacksLogin } from '../http/error.ts';
import type { OverworldError } from '../http/error.ts';
import { listOthers, makeQueue, readEvents, takeOver, VISIBLE_AFTER_MS } from './queue.ts';
import type { EventQueue, KeptEvent } from './queue.ts';
import type { SharedParts } from '../shared-parts.ts';
import { platform, startTimer, wait } from '../http/platform.ts';
import { createQueueLocks } from './queue-locks.ts';
import { backOff } from '../http/transport.ts';

const MAX_EVENT_BYTES = 50_000;
/** The limit in characters for all waiting events together. `localStorage` has room for five million. */
const MAX_QUEUED_CHARACTERS = 2_000_000;
const LONGEST_BACK_OFF_MS = 60_000;

export interface EventSender {
  /** The number of events in the queues of this client. */
  readonly length: number;
  append(event: KeptEvent): void;
  written(): Promise<boolean>;
  /** Sends all events. @returns true if all were sent. */
  flush(): Promise<boolean>;
  /** Sends this client's own events immediately, and nothing else: a closing page has no time for more. */
  hurry(): void;
  /** Sends immediately instead of waiting for the next attempt, because the network is back. */
  retryNow(): void;
  /** Removes all events of an erased player. */
  forget(player_id: string): void;
  /** Stops sending, and leaves the unsent events to the next client. */
  close(): Promise<void>;
}

export function createEventSender(
  parts: SharedParts,
  player: { readonly id: string },
): EventSender {
  const { store, names, clock, tell } = parts;
  const { flushIntervalMs = 5_000, maxQueuedEvents = 5_000 } = parts.options;
  const { prefix } = names;
  const locks = createQueueLocks(store);
  const sendBatch = createBatchSender(parts, locks);
  /** A queue for each player, so events of a player who must log in first hold up nobody else's. */
  const owns = new Map<string, { queue: EventQueue; taken: Promise<boolean> }>();
  const makeOwn = (player_id: string) => {
    const queue = makeQueue(store, `${prefix}queue:`);
    const own = { queue, taken: locks.take(queue.name) };
    owns.set(player_id, own);
    return own;
  };
  const listOwn = () => [...owns.values()].map(({ queue }) => queue);
  const count = () => listOwn().reduce((sum, { waiting }) => sum + waiting.size, 0);
  /** The players whose events wait until they log in. */
  const absent = new Set<string>();
  let isAllSent: boolean;
  /** True once no events of earlier clients are left. Our own events must not overtake such events. */
  let isFirst = false;
  let running: Promise<boolean> | undefined;
  let isClosed = false;
  let failures = 0;
  /**
   * The timer for the next attempt to send. It runs while a small number of events wait until there are more
   * to send with them, and after a failure.
   */
  let timer: ReturnType<typeof startTimer> | undefined;

  const prefixes = names.prefixes.map((each) => `${each}queue:`);
  const list = () => listOthers(store, prefixes, listOwn());
  const hasEnded = () => isClosed;

  /** Sends the next batch of a queue. @returns false if the server asks for a login of another player. */
  const trySend = async (queue: EventQueue, isOwn: boolean, isHurried: boolean) => {
    const [[, text] = []] = queue.waiting;
    const { player_id } = JSON.parse(text!) as KeptEvent;
    const isOfOther = player_id !== player.id;
    if (!isOfOther || !absent.has(player_id)) {
      try {
        await sendBatch(queue, isOwn, isHurried);
        return true;
      } catch (error) {
        if (!isOfOther || !lacksLogin(error as OverworldError)) throw error;
        absent.add(player_id);
        tell.fail(error as OverworldError);
      }
    }
    return (isAllSent = false);
  };

  /**
   * Sends the events that closed clients left. Skips the queues of open tabs, because these queues are
   * locked.
   */
  const sendLeft = async () => {
    await takeOver(store, locks, list, async (queue) => {
      while (queue.waiting.size > 0 && !hasEnded() && (await locks.isHeld(queue.name))) {
        if (!(await trySend(queue, false, false))) return;
      }
    });
    isFirst = true;
  };

  /**
   * Sends our own events of a player up to the number `last`. Also sends later events as long as they fill a
   * whole request. The other events stay in the queue until there are more.
   */
  const sendOwn = async (player_id: string, last: number, isHurried: boolean) => {
    let own = owns.get(player_id)!;
    while (!hasEnded()) {
      if (!(await own.taken) || !(await locks.isHeld(own.queue.name))) {
        // Another tab has concluded that this tab is gone, and sends the events of this tab's queue.
        own = makeOwn(player_id);
      }
      const { waiting } = own.queue;
      const [first = Infinity] = waiting.keys();
      if (first > last && waiting.size < MAX_BATCH_EVENTS) return;
      if (!(await trySend(own.queue, true, isHurried))) return;
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

  /** Sends the events that earlier clients left (unless `isHurried`), and our own events (if `isOwn`). */
  const send = async (isHurried: boolean, isOwn: boolean): Promise<boolean> => {
    isAllSent = true;
    const lasts = [...owns].map(
      ([player_id, { queue }]) => [player_id, [...queue.waiting.keys()].pop() ?? -1] as const,
    );
    // Tabs take turns. Otherwise this could happen: one tab still sends the events that a closed page left,
    // while the tab of that page has opened its next page and already sends newer events.
    const turn = `${prefix}turn`;
    const isTurn = !isHurried && store.lower !== null;
    try {
      if (isTurn && (await locks.take(turn, true))) await sendLeft();
      for (const [player_id, last] of lasts) await sendOwn(player_id, isOwn ? last : -1, isHurried);
      if (failures > 0) stopTimer();
      failures = 0;
      if (count() > 0 && !timer) schedule(flushIntervalMs);
      return !isClosed && isAllSent;
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

  const run = (isHurried = false, isOwn = true) => (running ??= send(isHurried, isOwn));

  /**
   * When the client starts, immediately sends the events that earlier clients left. The page may close before
   * its first flush.
   */
  const start = async () => {
    isFirst = (await list()).length === 0;
    if (isFirst) return;
    await wait(VISIBLE_AFTER_MS);
    if (!isClosed) void run(false, false);
  };
  void start();

  return {
    get length() {
      return count();
    },
    append(event) {
      if (clock.isKnown) {
        event.at += clock.ahead_ms;
        event.is_corrected = true;
      }
      const text = JSON.stringify(event);
      if (countBytes(text) > MAX_EVENT_BYTES) return tell.drop('unsendable', readEvents([text], 0));
      const { queue } = owns.get(event.player_id) ?? makeOwn(event.player_id);
      queue.append(text);
      // The queue of an earlier player has the oldest events.
      const dropped = listOwn().flatMap((each) =>
        each.trim(maxQueuedEvents - (count() - each.waiting.size), MAX_QUEUED_CHARACTERS),
      );
      if (dropped.length > 0) tell.drop('queue_full', readEvents(dropped, clock.ahead_ms));
      if (queue.waiting.size >= MAX_BATCH_EVENTS && failures === 0) void run();
      else if (!timer) schedule(flushIntervalMs);
    },
    async written() {
      const writes = await Promise.all(listOwn().map((queue) => queue.written()));
      return writes.every(Boolean);
    },
    async flush() {
      // A run in progress may have begun before the last event came, and may end without sending it.
      if (running && !(await running) && failures > 0) return false;
      return run();
    },
    hurry() {
      if (isFirst) void run(true);
    },
    retryNow: () => void run(),
    forget(player_id) {
      const queue = owns.get(player_id)?.queue;
      queue?.waiting.forEach((_text, number) => void queue.discard(number));
    },
    async close() {
      isClosed = true;
      stopTimer();
      for (const queue of listOwn()) {
        await queue.written();
        if (queue.waiting.size === 0) await store.erase(queue.name);
        // After the release, another client may repeat the current batch with the same idempotency key.
        await locks.release(queue.name);
      }
    },
  };
}
