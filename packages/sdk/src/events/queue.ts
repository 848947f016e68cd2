import { parseKept } from '../stores/kept-store.ts';
import type { KeptStore } from '../stores/kept-store.ts';
import type { QueuedEvent } from '../options.ts';
import { makeStoreFailure } from '../http/error.ts';
import { makeId, wait } from '../http/platform.ts';
import type { Lock } from './queue-locks.ts';
import type { SharedParts } from '../shared-parts.ts';

/** An event in the store. */
export interface KeptEvent extends Omit<QueuedEvent, 'client_timestamp'> {
  /** The time of the event, in milliseconds since 1970. */
  at: number;
  /** True if `at` follows the server's clock. If not, `at` is corrected when the event is first sent. */
  is_corrected?: boolean;
}

/** Events that are sent together. The content of a batch is fixed before the batch is first sent. */
export interface Batch {
  /** The number of the batch's last event. */
  to: number;
  idempotency_key: string;
  /** The time of the first attempt to send the batch, by this device's clock. */
  first_sent_at: number;
  /** Milliseconds to add to the times of events that are not corrected yet. */
  offset_ms: number;
}

/** The progress of a queue. It is stored as a single value, so a crash cannot leave half a step behind. */
interface Progress {
  /** Every event with a lower number has been stored by the server or dropped. */
  head: number;
  batch: Batch | null;
}

/** A queue of events of one player. A batch is sent only when the previous batch is done. */
export interface EventQueue {
  /** The key of the queue's progress in the store. The keys of the queue's events begin with it. */
  readonly name: string;
  /** The waiting events as JSON, by their numbers and in order. */
  readonly waiting: ReadonlyMap<number, string>;
  /** The batch that is being sent. */
  readonly batch: Batch | null;
  /** Adds an event. @returns the number of the event. */
  append(text: string): number;
  /** Removes an event. @returns a promise if the store is asynchronous. */
  erase(number: number): unknown;
  /**
   * Drops the oldest events outside the current batch until the queue has at most this size.
   * @returns the JSON of the dropped events.
   */
  shrink(max_events: number, max_characters: number): string[];
  /**
   * Resolves when the store has taken or refused all events appended so far.
   * @param numbers By default all events that wait.
   * @returns true if these events are in the store.
   */
  written(numbers?: Iterable<number>): Promise<boolean>;
  /** Fixes and stores the next batch, so that a later client sends the same batch after a crash. */
  begin(batch: Batch): Promise<void>;
  /** Ends the current batch. Removes the events with these numbers, or by default all events of the batch. */
  finish(numbers?: readonly number[]): Promise<void>;
  /** Tells whether this client still has the queue. It takes the queue's lock with the first event. */
  isOurs(): Promise<boolean>;
  /** Releases the queue. The next client that finds it goes on with the current batch. */
  leave(): Promise<void>;
}

type QueueParts = Pick<SharedParts, 'store' | 'takeLock'>;

const keyOf = (name: string, number: number) => `${name}:e:${number}`;

/** Converts events in the queue from JSON to the form in which they are sent. */
export const readEvents = (texts: readonly string[], offset_ms: number): QueuedEvent[] =>
  texts.map((text) => {
    const { at, is_corrected, ...rest } = JSON.parse(text) as KeptEvent;
    const time = new Date(at + (is_corrected ? 0 : offset_ms));
    return { ...rest, client_timestamp: time.toISOString() };
  });

/** The numbers of the events of queues that were found in the store, by the names of the queues. */
type FoundQueues = Map<string, number[]>;

/**
 * Lists the queues of other clients. Queues of the first prefix come first. Among queues of
 * one prefix, the oldest come first, because their names begin with a time. If the store
 * cannot be read, lists no queues, so that the client still sends the events in its memory.
 */
export const listOthers = async (
  store: KeptStore,
  prefixes: readonly string[],
  owns: Iterable<EventQueue>,
): Promise<FoundQueues> => {
  const queues: FoundQueues = new Map();
  for (const prefix of prefixes) {
    const keys = await store.listKeys(prefix).catch(() => []);
    for (const key of keys.sort()) {
      const [id, kind, number] = key.slice(prefix.length).split(':');
      const name = prefix + id;
      const numbers = queues.get(name) ?? [];
      queues.set(name, numbers);
      if (kind === 'e') numbers.push(Number(number));
    }
  }
  for (const { name } of owns) queues.delete(name);
  return queues;
};

/**
 * The milliseconds after which other tabs see the last writes of a closed tab and the release of its lock.
 */
export const VISIBLE_AFTER_MS = 50;

/**
 * Takes over the queues of closed clients, and calls `use` for one queue after another. A queue in which
 * `use` leaves events stays in the store. If `use` returns true, it keeps the queue and its lock.
 * @throws OverworldError `store_failed` if a queue cannot be read, or the error of `use`.
 */
export const takeOver = async (
  parts: QueueParts,
  list: () => Promise<FoundQueues>,
  use: (queue: EventQueue) => Promise<boolean | void>,
): Promise<void> => {
  const { store, takeLock } = parts;
  const locks = new Map<string, Lock>();
  try {
    for (const name of (await list()).keys()) {
      const lock = await takeLock(name);
      if (lock) locks.set(name, lock);
    }
    if (locks.size === 0) return;
    await wait(VISIBLE_AFTER_MS);
    // The queues are locked now, so nobody else adds events to them. So a second list has all their events.
    // It lists all queues in one read, because there may be thousands of keys.
    for (const [name, numbers] of await list()) {
      const lock = locks.get(name);
      if (!lock) continue;
      const queue = await loadQueue(parts, name, numbers, lock).catch((error) => {
        throw makeStoreFailure(error);
      });
      if (await use(queue)) locks.delete(name);
      else if (queue.waiting.size === 0) await store.erase(name);
    }
  } finally {
    for (const lock of locks.values()) await lock.leave();
  }
};

/** Opens a queue that another client has left. */
const loadQueue = async (
  parts: QueueParts,
  name: string,
  numbers: number[],
  lock: Lock,
): Promise<EventQueue> => {
  const { store } = parts;
  const progress = parseKept<Progress>(await store.get(name));
  numbers.sort((a, b) => a - b);
  const texts = await Promise.all(numbers.map((number) => store.get(keyOf(name, number))));
  const events = new Map<number, string>();
  for (const [index, number] of numbers.entries()) {
    const text = texts[index];
    if (parseKept(text) && number >= (progress?.head ?? 0)) events.set(number, text!);
    // Either the event cannot be read, or it is done: the server has stored it, or the client has dropped it.
    // The client that left this queue then ended before it could remove the event from the store.
    else await store.erase(keyOf(name, number));
  }
  return createQueue(parts, name, Promise.resolve(lock), events, progress);
};

/** Makes an empty queue. Nothing is stored before the queue's first event. */
export const makeQueue = (parts: QueueParts, prefix: string) =>
  createQueue(parts, `${prefix}${Date.now().toString(36)}-${makeId(8)}`);

const createQueue = (
  { store, takeLock }: QueueParts,
  name: string,
  lock?: Promise<Lock | null>,
  events = new Map<number, string>(),
  progress: Progress = { head: 0, batch: null },
): EventQueue => {
  let { head, batch } = progress;
  let next = Math.max(head, ([...events.keys()].at(-1) ?? -1) + 1);
  let characters = [...events.values()].join('').length;
  let writing: unknown;

  /**
   * Makes later steps wait for an asynchronous write. A synchronous
   * write is complete already, and a closing page has no time to wait.
   */
  const follow = (write: unknown) => {
    if (write instanceof Promise) writing = Promise.all([writing, write]);
  };
  const erase = (number: number) => {
    characters -= events.get(number)?.length ?? 0;
    events.delete(number);
    return store.erase(keyOf(name, number));
  };
  const isInBatch = (number: number) => number <= (batch?.to ?? -1);
  const listBatch = () => [...events.keys()].filter(isInBatch);
  const keepProgress = () => store.keep(name, { head, batch });

  const written = async (numbers: Iterable<number> = events.keys()) => {
    await writing;
    return [...numbers].every((number) => store.isStored(keyOf(name, number)));
  };

  return {
    name,
    waiting: events,
    get batch() {
      return batch;
    },
    append: (text) => {
      lock ??= takeLock(name);
      const number = next++;
      events.set(number, text);
      characters += text.length;
      follow(store.set(keyOf(name, number), text));
      return number;
    },
    erase,
    shrink: (max_events, max_characters) => {
      const dropped: string[] = [];
      for (const [number, text] of events) {
        if (events.size <= max_events && characters <= max_characters) break;
        if (isInBatch(number)) continue;
        dropped.push(text);
        follow(erase(number));
      }
      return dropped;
    },
    written,
    begin: async (first) => {
      batch = first;
      await keepProgress();
      await writing;
      if (store.isStored(name) || !store.lower) return;
      // The store is full. Moving the batch's events to memory makes room for the progress.
      // A crash may then lose these events, but that is better than sending them twice.
      for (const number of listBatch()) await store.hold(keyOf(name, number), events.get(number)!);
      await keepProgress();
    },
    finish: async (numbers) => {
      const done = numbers ?? listBatch();
      if (!numbers) head = batch!.to + 1;
      batch = null;
      await keepProgress();
      for (const number of done) await erase(number);
    },
    isOurs: async () => !!(await (await lock)?.isOurs()),
    leave: async () => {
      await writing;
      if (events.size === 0) await store.erase(name);
      await (await lock)?.leave();
    },
  };
};
