import type { TieBreak } from '@overworld/contract/leaderboards/kept-scores';
import type { SortOrder } from '@overworld/contract/leaderboards/settings';
import { tieKeyOf } from '../tie-break.ts';

/**
 * The maximum number of entries in a block. Moving a full block, which
 * has 4 KB, takes as long as updating the counts of a thousand blocks.
 */
const BLOCK_SIZE = 1024;

/**
 * Some entries with consecutive ranks, the best first. Each entry is listed by its number (see `RankOrder`).
 */
interface Block {
  numbers: Uint32Array;
  length: number;
}

/** The tie-break of a board, and the tie keys (`tieKeyOf`) by entry number. */
export interface Ties {
  tie_break: TieBreak;
  keys: Float64Array;
}

/**
 * The entries of a board in the order of their ranks: the best score first, and among equal scores the one with
 * the lower tie key, if the board has a tie-break, and then the one that was reached first, which has the lower
 * `seq`. Each entry has a number. Typed arrays contain the score and the seq of each number. Blocks list the
 * numbers by rank. An entry takes 22 bytes, and 30 with a tie-break. Finding a rank takes O(log n) time, and
 * changing an entry takes O(√n). On a board of a million entries, a change takes 2.4 µs and finding a rank 0.7
 * µs. On a board of 2,000 entries, both take a seventh of that.
 */
export class RankOrder {
  readonly sort_order: SortOrder;
  readonly tie_break: TieBreak;
  #scores: Float64Array;
  #seqs: Float64Array;
  /** Null without a tie-break. */
  #tie_keys: Float64Array | null;
  #blocks: Block[] = [];
  /** The number of entries that rank before each block. */
  #before: number[] = [];
  #size: number;

  /**
   * @param scores The scores by entry number; NaN for a number without an entry.
   * @param seqs The seqs by entry number.
   * @param sorted The numbers of all entries by rank.
   * @param ties Null without a tie-break.
   */
  constructor(
    sort_order: SortOrder,
    scores: Float64Array,
    seqs: Float64Array,
    sorted: Uint32Array,
    ties: Ties | null = null,
  ) {
    this.sort_order = sort_order;
    this.tie_break = ties?.tie_break ?? 'none';
    this.#tie_keys = ties?.keys ?? null;
    this.#scores = scores;
    this.#seqs = seqs;
    this.#size = sorted.length;
    // Blocks begin three quarters full, so that the first changes do not split every block.
    const filled = (BLOCK_SIZE * 3) / 4;
    // The only block of a small board is as small as the board.
    const capacity = sorted.length <= filled ? Math.max(16, sorted.length) : BLOCK_SIZE;
    for (let start = 0; start < sorted.length; start += filled) {
      this.#blocks.push(makeBlock(sorted.subarray(start, start + filled), capacity));
    }
    if (this.#blocks.length === 0) this.#blocks.push(makeBlock(sorted, capacity));
    this.#countFrom(0);
  }

  /** Number of entries. */
  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    const blocks = this.#blocks.length;
    const block_bytes = blocks === 1 ? this.#blocks[0]!.numbers.byteLength : BLOCK_SIZE * 4;
    const arrays = this.#tie_keys === null ? 2 : 3;
    return this.#scores.byteLength * arrays + blocks * (block_bytes + 200);
  }

  /** Returns the seq of an entry; undefined when no entry has this number. */
  seqOf(number: number): number | undefined {
    return this.#has(number) ? this.#seqs[number] : undefined;
  }

  /** Returns the rank of an entry, which must exist. The best entry has rank 1. */
  rankOf(number: number): number {
    return this.#rankAt(this.#scores[number]!, this.#tieKey(number), this.#seqs[number]!);
  }

  /** Returns the rank that an entry with this score and seq has or would have. */
  rankFor(score: number, seq: number, tie_value: number | null = null): number {
    return this.#rankAt(score, this.#keyFor(tie_value), seq);
  }

  #rankAt(score: number, tie_key: number, seq: number): number {
    const block = this.#findBlock(score, tie_key, seq);
    return this.#before[block]! + this.#findPlace(this.#blocks[block]!, score, tie_key, seq) + 1;
  }

  /** Lists the numbers of at most `limit` entries, from rank `offset + 1` on. */
  list(offset: number, limit: number): number[] {
    const listed: number[] = [];
    if (offset >= this.#size) return listed;
    let index = findLast(this.#before, offset);
    let place = offset - this.#before[index]!;
    while (listed.length < limit && index < this.#blocks.length) {
      const { numbers, length } = this.#blocks[index]!;
      const end = Math.min(length, place + limit - listed.length);
      for (; place < end; place++) listed.push(numbers[place]!);
      index++;
      place = 0;
    }
    return listed;
  }

  /** Adds an entry at the place of its score and seq, or moves it there. */
  set(number: number, score: number, seq: number, tie_value: number | null = null): void {
    this.remove(number);
    this.#reserve(number);
    this.#scores[number] = score;
    this.#seqs[number] = seq;
    const tie_key = this.#keyFor(tie_value);
    if (this.#tie_keys !== null) this.#tie_keys[number] = tie_key;
    const index = this.#findBlock(score, tie_key, seq);
    const block = this.#blocks[index]!;
    const place = this.#findPlace(block, score, tie_key, seq);
    if (block.length === block.numbers.length) block.numbers = grow(block.numbers);
    block.numbers.copyWithin(place + 1, place, block.length);
    block.numbers[place] = number;
    block.length++;
    this.#size++;
    for (let later = index + 1; later < this.#before.length; later++) this.#before[later]!++;
    if (block.length === BLOCK_SIZE) this.#split(index);
  }

  /** Removes an entry if it exists. */
  remove(number: number): void {
    if (!this.#has(number)) return;
    const score = this.#scores[number]!;
    const seq = this.#seqs[number]!;
    const tie_key = this.#tieKey(number);
    const index = this.#findBlock(score, tie_key, seq);
    const block = this.#blocks[index]!;
    const place = this.#findPlace(block, score, tie_key, seq);
    block.numbers.copyWithin(place, place + 1, block.length);
    block.length--;
    this.#size--;
    this.#scores[number] = Number.NaN;
    for (let later = index + 1; later < this.#before.length; later++) this.#before[later]!--;
    if (block.length < BLOCK_SIZE / 4) this.#join(index);
  }

  #has(number: number): boolean {
    return number < this.#scores.length && !Number.isNaN(this.#scores[number]);
  }

  #keyFor(tie_value: number | null): number {
    return this.#tie_keys === null ? 0 : tieKeyOf(this.tie_break, tie_value);
  }

  #tieKey(number: number): number {
    return this.#tie_keys === null ? 0 : this.#tie_keys[number]!;
  }

  /**
   * Tells whether an entry ranks before a score. Among equal scores and tie keys the lower `seq` ranks first.
   * CONTRIBUTING.md lists the other places in the code that repeat this rule.
   */
  #ranksBefore(number: number, score: number, tie_key: number, seq: number): boolean {
    const other = this.#scores[number]!;
    if (other === score) {
      const other_key = this.#tieKey(number);
      return other_key === tie_key ? this.#seqs[number]! < seq : other_key < tie_key;
    }
    return this.sort_order === 'descending' ? other > score : other < score;
  }

  /** Finds the index of the block to which an entry with this score and seq belongs. */
  #findBlock(score: number, tie_key: number, seq: number): number {
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const { numbers, length } = this.#blocks[middle]!;
      if (this.#ranksBefore(numbers[length - 1]!, score, tie_key, seq)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Finds the place in the block at which an entry with this score and seq belongs. */
  #findPlace({ numbers, length }: Block, score: number, tie_key: number, seq: number): number {
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ranksBefore(numbers[middle]!, score, tie_key, seq)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Makes room for entry numbers up to this one. */
  #reserve(number: number): void {
    if (number < this.#scores.length) return;
    const length = Math.max(16, number + 1, Math.ceil(this.#scores.length * 1.5));
    const scores = new Float64Array(length).fill(Number.NaN, this.#scores.length);
    scores.set(this.#scores);
    const seqs = new Float64Array(length);
    seqs.set(this.#seqs);
    this.#scores = scores;
    this.#seqs = seqs;
    if (this.#tie_keys === null) return;
    const tie_keys = new Float64Array(length);
    tie_keys.set(this.#tie_keys);
    this.#tie_keys = tie_keys;
  }

  #split(index: number): void {
    const { numbers } = this.#blocks[index]!;
    const half = BLOCK_SIZE / 2;
    this.#blocks.splice(
      index,
      1,
      makeBlock(numbers.subarray(0, half), BLOCK_SIZE),
      makeBlock(numbers.subarray(half), BLOCK_SIZE),
    );
    this.#countFrom(index);
  }

  /** Joins a block that has become small with a neighbour, if both fit in half a block. */
  #join(index: number): void {
    const first = index + 1 < this.#blocks.length ? index : index - 1;
    if (first < 0) return;
    const a = this.#blocks[first]!;
    const b = this.#blocks[first + 1]!;
    // An empty block must be removed, because #findBlock compares with the last entry of each block.
    const both_hold_some = a.length > 0 && b.length > 0;
    if (both_hold_some && a.length + b.length > BLOCK_SIZE / 2) return;
    const joined = makeBlock(a.numbers.subarray(0, a.length), BLOCK_SIZE);
    joined.numbers.set(b.numbers.subarray(0, b.length), a.length);
    joined.length += b.length;
    this.#blocks.splice(first, 2, joined);
    this.#countFrom(first);
  }

  #countFrom(index: number): void {
    this.#before.length = this.#blocks.length;
    let count = index === 0 ? 0 : this.#before[index - 1]! + this.#blocks[index - 1]!.length;
    for (let later = index; later < this.#blocks.length; later++) {
      this.#before[later] = count;
      count += this.#blocks[later]!.length;
    }
  }
}

function makeBlock(entries: Uint32Array, capacity: number): Block {
  const numbers = new Uint32Array(capacity);
  numbers.set(entries);
  return { numbers, length: entries.length };
}

function grow(numbers: Uint32Array): Uint32Array {
  const larger = new Uint32Array(Math.min(BLOCK_SIZE, numbers.length * 2));
  larger.set(numbers);
  return larger;
}

/** Finds the last value that is at most `limit`, and returns its index. The values ascend from 0. */
function findLast(values: number[], limit: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (values[middle]! <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
