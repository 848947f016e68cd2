import { parseKept } from '../stores/kept-store.ts';
import type { KeptStore } from '../stores/kept-store.ts';
import type { QueuedEvent } from '../options.ts';

/** An event in the store. */
export interface KeptEvent extends Omit<QueuedEvent, 'client_timestamp'> {
  /** When it happened, in milliseconds since 1970. */
  at: number;
  /** Whether `at` follows the server's clock; if not, it is corrected when it is first sent. */
  is_corrected?: boolean;
}

/** Events that are sent together. The batch is fixed before it is first sent. */
export interface Batch {
  /** Number of its last event. */
  to: number;
  idempotency_key: string;
  /** Time by this device's clock. */
  first_sent_at: number;
  /** Corrects the times of events that are not corrected. */
  offset_ms: number;
}

/** The progress of a queue. It is one value in the store, so that no step is half done. */
export interface Progress {
  /** Events below this number are stored by the server, or dropped. */
  head: number;
  batch: Batch | null;
}

/** A queue of events. A batch is sent when the batch before is stored. */
export interface EventQueue {
  /** Key of its progress in the store. The keys of its events begin with it. */
  readonly name: string;
  /** The waiting events as JSON, by their numbers and in order. */
  readonly events: ReadonlyMap<number, string>;
  readonly progress: Progress;
  /** @returns its number. */
  append(text: string): number;
  /** Removes an event. @returns a promise if the store needs time. */
  discard(number: number): unknown;
  /**
   * Drops the oldest events outside the current batch until the queue has at most this size.
   * @returns the JSON of the dropped events.
   */
  trim(max_events: number, max_characters: number): string[];
  /** Resolves when all events appended so far are in the store. */
  stored(): Promise<unknown>;
  /** Fixes the next batch, so that it is the same after a crash. */
  begin(batch: Batch): Promise<void>;
  /** Ends the current batch and removes these events of it; without numbers, all of its events. */
  finish(numbers?: readonly number[]): Promise<void>;
  /** Removes the progress of an empty queue from the store. */
  remove(): Promise<void>;
}

const EVENT = ':e:';

/** Makes events as they are sent from their JSON in the queue. */
export const readEvents = (texts: readonly string[], offset_ms: number): QueuedEvent[] =>
  texts.map((text) => {
    const { at, is_corrected, ...rest } = JSON.parse(text) as KeptEvent;
    const time = new Date(at + (is_corrected ? 0 : offset_ms));
    return { ...rest, client_timestamp: time.toISOString() };
  });

/**
 * Lists the queues of the store with the numbers of their events, the oldest queue first: names of
 * queues begin with a time.
 */
export async function listQueues(
  store: KeptStore,
  prefix: string,
): Promise<{ name: string; numbers: number[] }[]> {
  const queues = new Map<string, number[]>();
  for (const key of await store.listKeys(prefix)) {
    const name = prefix + key.slice(prefix.length).split(':', 1)[0]!;
    const numbers = queues.get(name) ?? [];
    queues.set(name, numbers);
    if (key.startsWith(name + EVENT)) numbers.push(Number(key.slice(name.length + EVENT.length)));
  }
  return [...queues]
    .map(([name, numbers]) => ({ name, numbers: numbers.sort((a, b) => a - b) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Opens a queue that another client left. */
export async function loadQueue(
  store: KeptStore,
  { name, numbers }: { name: string; numbers: readonly number[] },
): Promise<EventQueue> {
  const progress = parseKept<Progress>(await store.get(name));
  const texts = await Promise.all(numbers.map((number) => store.get(name + EVENT + number)));
  const events = new Map<number, string>();
  for (const [index, number] of numbers.entries()) {
    const text = texts[index];
    if (parseKept(text) && number >= (progress?.head ?? 0)) events.set(number, text!);
    // The client of the event died after the server stored it and before it was removed here.
    else await store.remove(name + EVENT + number);
  }
  return createQueue(store, name, events, progress);
}

/** Makes a queue. Nothing is in the store before its first event. */
export function createQueue(
  store: KeptStore,
  name: string,
  events = new Map<number, string>(),
  progress: Progress = { head: 0, batch: null },
): EventQueue {
  let next = Math.max(progress.head, ...[...events.keys()].map((number) => number + 1));
  let characters = 0;
  for (const text of events.values()) characters += text.length;
  let writing: unknown;

  const keyOf = (number: number) => name + EVENT + number;
  /** Remembers only the writes that need time: a closing page cannot wait for the others. */
  const follow = (write: unknown) => {
    if (write instanceof Promise) writing = Promise.all([writing, write]);
  };
  const discard = (number: number) => {
    characters -= events.get(number)?.length ?? 0;
    events.delete(number);
    return store.remove(keyOf(number));
  };
  const numbersInBatch = () => {
    const { to = -1 } = queue.progress.batch ?? {};
    return [...events.keys()].filter((number) => number <= to);
  };
  const keepProgress = () => store.set(name, JSON.stringify(progress));

  const queue: EventQueue = {
    name,
    events,
    get progress() {
      return progress;
    },
    append(text) {
      const number = next++;
      events.set(number, text);
      characters += text.length;
      follow(store.set(keyOf(number), text));
      return number;
    },
    discard,
    trim(max_events, max_characters) {
      const dropped: string[] = [];
      const { to = -1 } = progress.batch ?? {};
      for (const [number, text] of events) {
        if (events.size <= max_events && characters <= max_characters) break;
        if (number <= to) continue;
        dropped.push(text);
        follow(discard(number));
      }
      return dropped;
    },
    stored: async () => writing,
    async begin(batch) {
      progress = { head: progress.head, batch };
      const isKept = await keepProgress();
      await writing;
      if (isKept || !store.below) return;
      // The store is full. It is better that a crash loses these events than that they are sent
      // twice, and moving them to memory makes room for the progress.
      for (const number of numbersInBatch()) await store.hold(keyOf(number), events.get(number)!);
      await keepProgress();
    },
    async finish(numbers) {
      if (numbers) {
        for (const number of numbers) await discard(number);
        progress = { head: progress.head, batch: null };
        await keepProgress();
      } else {
        const done = numbersInBatch();
        progress = { head: progress.batch!.to + 1, batch: null };
        await keepProgress();
        for (const number of done) await discard(number);
      }
    },
    remove: async () => void (await store.remove(name)),
  };
  return queue;
}
