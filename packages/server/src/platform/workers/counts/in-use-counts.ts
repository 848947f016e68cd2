import { hashKey } from './window-counts.ts';

/** Each key is in one of the eight slots of its bucket. */
const BUCKET_SLOTS = 8;
/** A slot holds a tag and a count. A slot whose count is 0 is free. */
const SLOT_WORDS = 2;
const COUNT = 1;
const BUCKET_WORDS = BUCKET_SLOTS * SLOT_WORDS;

/**
 * Counts what requests hold at the moment, such as connections or bytes. The count of a key is the sum over
 * all workers. Each worker has its own table, which no other worker changes. So no two workers ever take the
 * same slot, and the counts of a worker that died can be dropped. When two workers add to a key at the same
 * time, at least one of them gets a count that includes both amounts.
 */
export class InUseCounts {
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #seed: number;
  readonly #buckets: number;
  readonly #table_words: number;
  readonly #worker: number;

  /** Makes memory with at least `keys` slots for each worker. */
  static makeMemory(keys: number, workers: number): SharedArrayBuffer {
    const slots = 2 ** Math.ceil(Math.log2(keys));
    return new SharedArrayBuffer(slots * SLOT_WORDS * workers * Int32Array.BYTES_PER_ELEMENT);
  }

  constructor(
    memory: SharedArrayBuffer,
    { seed, workers, worker }: { seed: number; workers: number; worker: number },
  ) {
    this.#words = new Int32Array(memory);
    this.#seed = seed;
    this.#table_words = this.#words.length / workers;
    this.#buckets = this.#table_words / BUCKET_WORDS;
    this.#worker = worker;
  }

  /**
   * Adds an amount that this worker holds for the key. If this
   * worker's table has no room for the key, the amount is not stored.
   * @returns The key's count over all workers, with the amount.
   */
  add(key: string, amount: number): number {
    const { bucket, tag } = hashKey(key, this.#seed);
    const at = this.#find(this.#worker, bucket, tag) ?? this.#claim(bucket, tag);
    if (at === undefined) return amount + this.#total(bucket, tag);
    Atomics.add(this.#words, at + COUNT, amount);
    return this.#total(bucket, tag);
  }

  /** Takes back an amount that was added. */
  remove(key: string, amount: number): void {
    const { bucket, tag } = hashKey(key, this.#seed);
    const at = this.#find(this.#worker, bucket, tag);
    if (at === undefined) return;
    const held = Atomics.load(this.#words, at + COUNT);
    Atomics.store(this.#words, at + COUNT, Math.max(0, held - amount));
  }

  /** Returns the key's count over all workers. */
  read(key: string): number {
    const { bucket, tag } = hashKey(key, this.#seed);
    return this.#total(bucket, tag);
  }

  /** Drops everything that a worker held when it died. */
  dropWorker(worker: number): void {
    const first = worker * this.#table_words;
    for (let at = first; at < first + this.#table_words; at += SLOT_WORDS) {
      Atomics.store(this.#words, at + COUNT, 0);
    }
  }

  #total(bucket: number, tag: number): number {
    let total = 0;
    for (let table = 0; table * this.#table_words < this.#words.length; table++) {
      const at = this.#find(table, bucket, tag);
      if (at === undefined) continue;
      const count = Atomics.load(this.#words, at + COUNT);
      // The worker to which this table belongs may just have given the slot to another key.
      if (Atomics.load(this.#words, at) === tag) total += count;
    }
    return total;
  }

  #firstOf(table: number, bucket: number): number {
    return table * this.#table_words + (bucket % this.#buckets) * BUCKET_WORDS;
  }

  /** Finds the slot of a key in the table of a worker. */
  #find(table: number, bucket: number, tag: number): number | undefined {
    const first = this.#firstOf(table, bucket);
    for (let at = first; at < first + BUCKET_WORDS; at += SLOT_WORDS) {
      if (Atomics.load(this.#words, at) === tag) return at;
    }
    return undefined;
  }

  /** Gives the key a free slot in this worker's table. */
  #claim(bucket: number, tag: number): number | undefined {
    const first = this.#firstOf(this.#worker, bucket);
    for (let at = first; at < first + BUCKET_WORDS; at += SLOT_WORDS) {
      if (Atomics.load(this.#words, at + COUNT) !== 0) continue;
      Atomics.store(this.#words, at, tag);
      return at;
    }
    return undefined;
  }
}
