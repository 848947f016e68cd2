import { wait } from '../http/platform.ts';
import { createTimer } from '../http/timer.ts';
import { backOff } from '../http/transport.ts';
import type { OverworldError } from '../http/error.ts';
import { lacksLogin } from '../http/error.ts';
import type { EventQueue, KeptEvent } from './queue.ts';
import type { SharedParts } from '../shared-parts.ts';
import { LOOK_INTERVAL_MS } from './queue-locks.ts';
import { listOthers, makeQueue, readEvents, takeOver, VISIBLE_AFTER_MS } from './queue.ts';
import type { Lock } from './queue-locks.ts';
import { countBytes, createBatchSender, MAX_BATCH_EVENTS } from './batch-sender.ts';

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
  /** Removes all events of an erased player. */
  forget(player_id: string): void;
  /** Stops sending, and leaves the unsent events to the next client. */
  close(): Promise<void>;
}

export const createEventSender = (
  parts: SharedParts,
  player: { readonly id: string },
): EventSender => {
  const { store, takeLock, names, clock, tell, absent } = parts;
  const { flushIntervalMs = 5_000, maxQueuedEvents = 5_000 } = parts.options;
  const { prefix } = names;
  const sendBatch = createBatchSender(parts);
  /** A queue for each player, so events of a player who must log in first hold up nobody else's. */
  const owns = new Map<string, EventQueue>();
  const makeOwn = (player_id: string) => {
    const queue = makeQueue(parts, `${prefix}queue:`);
    owns.set(player_id, queue);
    return queue;
  };
  const count = () => [...owns.values()].reduce((sum, { waiting }) => sum + waiting.size, 0);
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
  const timer = createTimer(() => void run());

  const prefixes = names.prefixes.map((each) => `${each}queue:`);
  const list = () => listOthers(store, prefixes, owns.values());

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
    await takeOver(parts, list, async (queue) => {
      while (queue.waiting.size > 0 && (await queue.isOurs())) {
        if (isClosed || !(await trySend(queue, false, false))) return;
      }
    });
    isFirst = true;
  };

  /**
   * Sends our own events of a player (unless `isEarly`). Also sends later events as long as they fill a whole
   * request. The other events stay in the queue until there are more.
   */
  const sendOwn = async (player_id: string, isEarly: boolean, isHurried: boolean) => {
    let own = owns.get(player_id)!;
    const last = isEarly ? -1 : ([...own.waiting.keys()].pop() ?? -1);
    for (;;) {
      const { waiting } = own;
      const [first = Infinity] = waiting.keys();
      if (isClosed || (first > last && waiting.size < MAX_BATCH_EVENTS)) return;
      // Another tab may have concluded that this tab is gone. It then sends the events of this tab's queue.
      if (!(await own.isOurs())) own = makeOwn(player_id);
      else if (!(await trySend(own, true, isHurried))) return;
    }
  };

  const schedule = (delay_ms: number) => {
    if (!isClosed) timer.start(delay_ms);
  };

  /** Sends the events that earlier clients left (unless `isHurried`), and our own events (unless `isEarly`). */
  const send = async (isHurried: boolean, isEarly: boolean): Promise<boolean> => {
    isAllSent = true;
    // Tabs take turns. Otherwise this could happen: one tab still sends the events that a closed page left,
    // while the tab of that page has opened its next page and already sends newer events.
    let turn: Lock | null | undefined;
    try {
      if (!isHurried) {
        while (!(turn = await takeLock(`${prefix}turn`))) await wait(LOOK_INTERVAL_MS);
        await sendLeft();
      }
      for (const player_id of owns.keys()) await sendOwn(player_id, isEarly, isHurried);
      failures = 0;
      timer.stop();
      if (count() > 0) schedule(flushIntervalMs);
      return !isClosed && isAllSent;
    } catch (error) {
      const failure = error as OverworldError;
      tell.fail(failure);
      schedule(backOff(++failures, LONGEST_BACK_OFF_MS, failure));
      return false;
    } finally {
      await turn?.leave();
      running = undefined;
    }
  };

  const run = (isHurried = false, isEarly = false) => (running ??= send(isHurried, isEarly));

  /**
   * When the client starts, immediately sends the events that earlier clients left. The page may close before
   * its first flush.
   */
  const start = async () => {
    await wait(VISIBLE_AFTER_MS);
    if (!isClosed && failures === 0) void run(false, true);
  };
  void start();

  return {
    get length() {
      return count();
    },
    append: (event) => {
      if (clock.isKnown) {
        event.at += clock.ahead_ms;
        event.is_corrected = true;
      }
      const text = JSON.stringify(event);
      if (countBytes(text) > MAX_EVENT_BYTES) return tell.drop('unsendable', readEvents([text], 0));
      const queue = owns.get(event.player_id) ?? makeOwn(event.player_id);
      queue.append(text);
      // The queue of an earlier player has the oldest events.
      const dropped = [...owns.values()].flatMap((each) =>
        each.shrink(maxQueuedEvents - (count() - each.waiting.size), MAX_QUEUED_CHARACTERS),
      );
      if (dropped.length > 0) tell.drop('queue_full', readEvents(dropped, clock.ahead_ms));
      if (queue.waiting.size >= MAX_BATCH_EVENTS && failures === 0) void run();
      else if (!timer.isSet()) schedule(flushIntervalMs);
    },
    written: async () => {
      const writes = await Promise.all([...owns.values()].map((queue) => queue.written()));
      return writes.every(Boolean);
    },
    flush: async () => {
      // A run in progress may have begun before the last event came, and may end without sending it.
      if (running && !(await running) && failures > 0) return false;
      return run();
    },
    hurry: () => {
      if (isFirst) void run(true);
    },
    forget: (player_id) => {
      const queue = owns.get(player_id);
      queue?.waiting.forEach((_text, number) => void queue.erase(number));
    },
    close: async () => {
      isClosed = true;
      timer.stop();
      for (const queue of owns.values()) await queue.leave();
    },
  };
};
