/** The count of a key in its window. */
export interface WindowCount {
  count: number;
  /** Milliseconds until the window ends. */
  left_ms: number;
}

/**
 * A slot holds four words: a tag of its key, a state, and two times. The state holds the count and the number
 * of the window, called its generation. The two times are the starts of the last window with an even number
 * and of the last window with an odd number.
 */
const SLOT_WORDS = 4;
const STATE = 1;
const START = 2;
/** Each key is in one of the eight slots of its bucket. */
const BUCKET_SLOTS = 8;
const BUCKET_WORDS = BUCKET_SLOTS * SLOT_WORDS;
const COUNT_BITS = 26;
const MAX_COUNT = 2 ** COUNT_BITS - 1;
/** The longest window. A slot whose window began longer ago than this is free. */
const MAX_WINDOW_MS = 60_000;
/** The clock starts at this value, so a slot that was never used seems to have begun its window long ago. */
const CLOCK_START_MS = 2 ** 30;

/**
 * A table that counts, for each key, within a window of time. A window lasts at most a minute, and begins
 * when its key is first counted. The table is in memory that threads share, and each count is one atomic
 * step, so the counts of all workers are exact. There are no locks, because a worker may end at any
 * instruction and would then never release its lock.
 *
 * The memory has a fixed size, which is 4 MB for 262,144 keys. The system allocates only the pages in use.
 * When the bucket of a new key is full, the key with the smallest count in this bucket is forgotten.
 */
export class WindowCounts {
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #seed: number;
  readonly #buckets: number;
  /** The difference between the clock that all threads share and this thread's clock. */
  readonly #clock_offset_ms: number;

  /** Makes memory for this many keys. The number must be a power of two. */
  static makeMemory(keys = 262_144): SharedArrayBuffer {
    return new SharedArrayBuffer(keys * SLOT_WORDS * Int32Array.BYTES_PER_ELEMENT);
  }

  constructor(memory: SharedArrayBuffer, seed: number) {
    this.#words = new Int32Array(memory);
    this.#seed = seed;
    this.#buckets = this.#words.length / SLOT_WORDS / BUCKET_SLOTS;
    const [seconds, nanoseconds] = process.hrtime();
    const clock_ms = seconds * 1_000 + nanoseconds / 1e6 + CLOCK_START_MS;
    this.#clock_offset_ms = clock_ms - performance.now();
  }

  /**
   * Adds to the count of a key.
   * @param amount A whole number. A count stops growing at 67 million.
   * @param window_ms The same for all calls with this key, at most a minute.
   */
  add(key: string, amount: number, window_ms: number): WindowCount {
    const words = this.#words;
    const now = this.#now();
    const at = this.#find(key) ?? this.#claim(key, now);
    for (;;) {
      const state = Atomics.load(words, at + STATE);
      const generation = state >>> COUNT_BITS;
      const elapsed_ms = this.#elapsed(at, generation, now);
      const isOver = elapsed_ms >= window_ms;
      // Several workers may begin the same window. The starts that they write are nearly the same, and only
      // one worker succeeds in storing the first count.
      if (isOver) Atomics.store(words, at + START + ((generation + 1) & 1), now);
      const before = isOver ? 0 : state & MAX_COUNT;
      const count = Math.min(before + amount, MAX_COUNT);
      const next = ((isOver ? generation + 1 : generation) << COUNT_BITS) | count;
      if (Atomics.compareExchange(words, at + STATE, state, next) === state) {
        return { count, left_ms: isOver ? window_ms : window_ms - elapsed_ms };
      }
    }
  }

  /** Lowers the count of a key by one if its window is open. */
  takeBack(key: string, window_ms: number): void {
    const words = this.#words;
    const at = this.#find(key);
    if (at === undefined) return;
    const now = this.#now();
    for (;;) {
      const state = Atomics.load(words, at + STATE);
      const isOver = this.#elapsed(at, state >>> COUNT_BITS, now) >= window_ms;
      if (isOver || (state & MAX_COUNT) === 0) return;
      if (Atomics.compareExchange(words, at + STATE, state, state - 1) === state) return;
    }
  }

  /** Returns the count of a key, or 0 when the key has no open window. */
  read(key: string, window_ms: number): number {
    const at = this.#find(key);
    if (at === undefined) return 0;
    const now = this.#now();
    const state = Atomics.load(this.#words, at + STATE);
    return this.#elapsed(at, state >>> COUNT_BITS, now) >= window_ms ? 0 : state & MAX_COUNT;
  }

  /**
   * The shared clock in whole milliseconds. It wraps around after
   * 49 days, but the difference between two times stays right.
   */
  #now(): number {
    return (performance.now() + this.#clock_offset_ms) | 0;
  }

  #elapsed(at: number, generation: number, now: number): number {
    const elapsed_ms = (now - Atomics.load(this.#words, at + START + (generation & 1))) >>> 0;
    // Another worker may have begun the window a moment after `now`.
    return elapsed_ms > 2 ** 32 - MAX_WINDOW_MS ? 0 : elapsed_ms;
  }

  #find(key: string): number | undefined {
    const { bucket, tag } = hashKey(key, this.#seed);
    const first = (bucket % this.#buckets) * BUCKET_WORDS;
    for (let at = first; at < first + BUCKET_WORDS; at += SLOT_WORDS) {
      if (Atomics.load(this.#words, at) === tag) return at;
    }
    return undefined;
  }

  /** Gives the key a slot, unless another worker has just done so. */
  #claim(key: string, now: number): number {
    const words = this.#words;
    const { bucket, tag } = hashKey(key, this.#seed);
    const first = (bucket % this.#buckets) * BUCKET_WORDS;
    for (;;) {
      let free: number | undefined;
      let smallest = first;
      for (let at = first; at < first + BUCKET_WORDS; at += SLOT_WORDS) {
        if (Atomics.load(words, at) === tag) return at;
        const state = Atomics.load(words, at + STATE);
        if (this.#elapsed(at, state >>> COUNT_BITS, now) >= MAX_WINDOW_MS) free ??= at;
        const least = Atomics.load(words, smallest + STATE) & MAX_COUNT;
        if ((state & MAX_COUNT) < least) smallest = at;
      }
      const at = free ?? smallest;
      const old_tag = Atomics.load(words, at);
      if (free === undefined) {
        // Ends the window of the key that loses its slot.
        const generation = Atomics.load(words, at + STATE) >>> COUNT_BITS;
        Atomics.store(words, at + START + (generation & 1), now - MAX_WINDOW_MS);
      }
      if (Atomics.compareExchange(words, at, old_tag, tag) === old_tag) return at;
    }
  }
}

/** Two hashes of a key: the number of its bucket in a table, and its tag in this bucket, which is never 0. */
interface KeyHash {
  bucket: number;
  tag: number;
}

/**
 * Hashes a key with the mixing steps of cyrb53. The seed is random, so nobody can choose keys that share a
 * count.
 */
export function hashKey(key: string, seed: number): KeyHash {
  let a = 0xdeadbeef ^ seed;
  let b = 0x41c6ce57 ^ seed;
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return { bucket: a >>> 0, tag: b || 1 };
}
