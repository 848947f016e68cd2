import { hashKey } from './window-counts.ts';

/** The table has buckets of eight slots. Each key is in one slot of its bucket. */
const BUCKET_SLOTS = 8;
/**
 * The indexes of two words in a slot: the sum of all amounts ever reserved, and the sum of the amounts whose
 * writes have ended.
 */
const RESERVED = 1;
const ENDED = 2;
/**
 * From this index on, a slot has one word for each worker: the sum of the worker's reservations that have not
 * ended.
 */
const OPEN = 3;

/** The index of a key's slot in the table. */
export type ReservationPlace = number;

/**
 * For each key, the sums of the amounts that the writes of all workers have reserved. The sums only grow.
 * They wrap around after 4 GB, but the difference between two readings of a sum is still right. A key keeps
 * its slot until the server ends.
 */
export class Reservations {
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #seed: number;
  readonly #slot_words: number;
  readonly #buckets: number;
  readonly #own: number;

  /**
   * Makes memory for this many keys, a power of two. If the slots of a bucket are all taken, more keys share
   * a slot with another key.
   */
  static makeMemory(workers: number, keys = 65_536): SharedArrayBuffer {
    return new SharedArrayBuffer(keys * (OPEN + workers) * Int32Array.BYTES_PER_ELEMENT);
  }

  constructor(
    memory: SharedArrayBuffer,
    { seed, workers, worker }: { seed: number; workers: number; worker: number },
  ) {
    this.#words = new Int32Array(memory);
    this.#seed = seed;
    this.#slot_words = OPEN + workers;
    this.#buckets = this.#words.length / this.#slot_words / BUCKET_SLOTS;
    this.#own = OPEN + worker;
  }

  find(key: string): ReservationPlace {
    const { bucket, tag } = hashKey(key, this.#seed);
    const first = (bucket % this.#buckets) * BUCKET_SLOTS * this.#slot_words;
    const end = first + BUCKET_SLOTS * this.#slot_words;
    for (let at = first; at < end; at += this.#slot_words) {
      const found = Atomics.compareExchange(this.#words, at, 0, tag);
      if (found === 0 || found === tag) return at;
    }
    // All slots of the bucket are taken, so the key shares the first slot with another key. Amounts of both
    // keys are counted together, so a limit may be reached too early, but never too late.
    return first;
  }

  /**
   * Returns the sum of the amounts whose writes have ended.
   * Call this before you ask the database for the usage.
   */
  ended(at: ReservationPlace): number {
    return Atomics.load(this.#words, at + ENDED);
  }

  /**
   * Reserves an amount if there is room for it, besides all reservations that are not included in `since`.
   * @param since The sum that `ended` returned just before the room was measured.
   */
  reserve(at: ReservationPlace, amount: number, since: number, room: number): boolean {
    let reserved: number;
    do {
      reserved = Atomics.load(this.#words, at + RESERVED);
      if (((reserved - since) | 0) + amount > room) return false;
    } while (!this.#raise(at, reserved, amount));
    Atomics.add(this.#words, at + this.#own, amount);
    return true;
  }

  /**
   * Raises the sum of reserved amounts, and returns true. Returns false if another worker has just changed
   * the sum.
   */
  #raise(at: ReservationPlace, reserved: number, amount: number): boolean {
    const raised = (reserved + amount) | 0;
    return Atomics.compareExchange(this.#words, at + RESERVED, reserved, raised) === reserved;
  }

  /** Notes that the write of a reservation has ended, whether it stored anything or not. */
  end(at: ReservationPlace, amount: number): void {
    Atomics.add(this.#words, at + ENDED, amount);
    Atomics.sub(this.#words, at + this.#own, amount);
  }

  /** Ends the reservations of a worker that has died. */
  dropWorker(worker: number): void {
    for (let at = 0; at < this.#words.length; at += this.#slot_words) {
      const open = Atomics.exchange(this.#words, at + OPEN + worker, 0);
      if (open !== 0) Atomics.add(this.#words, at + ENDED, open);
    }
  }
}
