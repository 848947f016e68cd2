import { hashKey } from './key-hash.ts';

/** A key stands in one of the eight slots of its bucket. */
const BUCKET_SLOTS = 8;

/**
 * Counts what requests hold at the moment, such as connections or bytes, by key and over all workers.
 * Each slot has a tag and a count for each worker, which that worker alone changes: the counts of a
 * worker that died can be dropped.
 */
export class HeldCounts {
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #seed: number;
  readonly #slot_words: number;
  readonly #buckets: number;
  /** Place of this worker's count in a slot. */
  readonly #own: number;

  /** Memory for at least this many keys at a time. */
  static makeMemory(keys: number, workers: number): SharedArrayBuffer {
    const slots = 2 ** Math.ceil(Math.log2(keys));
    return new SharedArrayBuffer(slots * (1 + workers) * Int32Array.BYTES_PER_ELEMENT);
  }

  constructor(
    memory: SharedArrayBuffer,
    { seed, workers, worker }: { seed: number; workers: number; worker: number },
  ) {
    this.#words = new Int32Array(memory);
    this.#seed = seed;
    this.#slot_words = 1 + workers;
    this.#buckets = this.#words.length / this.#slot_words / BUCKET_SLOTS;
    this.#own = 1 + worker;
  }

  /**
   * Adds an amount that this worker holds for the key.
   * @returns The count of all workers. When the table has no room for the key, the key is not
   * counted, and this is the amount alone.
   */
  add(key: string, amount: number): number {
    const at = this.#find(key, true);
    if (at === undefined) return amount;
    Atomics.add(this.#words, at + this.#own, amount);
    return this.#total(at);
  }

  /** Takes back an amount that was added. */
  remove(key: string, amount: number): void {
    const at = this.#find(key, false);
    if (at === undefined) return;
    const held = Atomics.load(this.#words, at + this.#own);
    Atomics.store(this.#words, at + this.#own, Math.max(0, held - amount));
  }

  /** The count of all workers. */
  read(key: string): number {
    const at = this.#find(key, false);
    return at === undefined ? 0 : this.#total(at);
  }

  /** Drops all that a worker held which has died. */
  dropWorker(worker: number): void {
    for (let at = 1 + worker; at < this.#words.length; at += this.#slot_words) {
      Atomics.store(this.#words, at, 0);
    }
  }

  #total(at: number): number {
    let total = 0;
    for (let place = 1; place < this.#slot_words; place++) {
      total += Atomics.load(this.#words, at + place);
    }
    return total;
  }

  /** The slot of a key. With `claims` a key without one takes a slot that counts nothing. */
  #find(key: string, claims: boolean): number | undefined {
    const { bucket, tag } = hashKey(key, this.#seed);
    const first = (bucket % this.#buckets) * BUCKET_SLOTS * this.#slot_words;
    const end = first + BUCKET_SLOTS * this.#slot_words;
    for (;;) {
      let free: number | undefined;
      for (let at = first; at < end; at += this.#slot_words) {
        if (Atomics.load(this.#words, at) === tag) return at;
        if (claims && free === undefined && this.#total(at) === 0) free = at;
      }
      if (free === undefined) return undefined;
      const old_tag = Atomics.load(this.#words, free);
      if (Atomics.compareExchange(this.#words, free, old_tag, tag) === old_tag) return free;
    }
  }
}
