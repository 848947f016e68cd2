import { hashKey } from './window-counts.ts';

const GENERATIONS = 4_096;

/**
 * Tells all workers at once that a definition has changed. Each key has one of 4,096 generation numbers,
 * and several keys may share one. A cached value is valid until the generation of its key changes.
 */
export class Evictions {
  readonly #generations: Int32Array<SharedArrayBuffer>;

  static makeMemory(): SharedArrayBuffer {
    return new SharedArrayBuffer(GENERATIONS * Int32Array.BYTES_PER_ELEMENT);
  }

  constructor(memory: SharedArrayBuffer) {
    this.#generations = new Int32Array(memory);
  }

  generationOf(key: string): number {
    return Atomics.load(this.#generations, placeOf(key));
  }

  /** Makes every worker load the definition again the next time it needs the definition. */
  evict(key: string): void {
    Atomics.add(this.#generations, placeOf(key), 1);
  }
}

const placeOf = (key: string) => hashKey(key, 0).bucket % GENERATIONS;
