import type { SortOrder } from '@overworld/contract/leaderboards/settings';

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

/**
 * The entries of a board in the order of their ranks: the best score first, and among equal scores the one
 * that was reached first, which has the lower `seq`. Each entry has a number. Typed arrays contain the
 * score and the seq of each number. Blocks list the numbers by rank. An entry takes 22 bytes. Finding a
 * rank takes O(log n) time, and changing an entry takes O(√n). On a board of a million entries, a change
 * takes 2.4 µs and finding a rank 0.7 µs. On a board of 2,000 entries, both take a seventh of that.
 */
export class RankOrder {
  readonly sort_order: SortOrder;
  #scores: Float64Array;
  #seqs: Float64Array;
  #blocks: Block[] = [];
  /** The number of entries that rank before each block. */
  #before: number[] = [];
  #size: number;

  /**
   * @param scores The scores by entry number; NaN for a number without an entry.
   * @param seqs The seqs by entry number.
   * @param sorted The numbers of all entries by rank.
   */
  constructor(
    sort_order: SortOrder,
    scores: Float64Array,
    seqs: Float64Array,
    sorted: Uint32Array,
  ) {
    this.sort_order = sort_order;
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
    return this.#scores.byteLength * 2 + blocks * (block_bytes + 200);
  }

  /** Returns the seq of an entry; undefined when no entry has this number. */
  seqOf(number: number): number | undefined {
    return this.#has(number) ? this.#seqs[number] : undefined;
  }

  /** Returns the rank of an entry, which must exist. The best entry has rank 1. */
  rankOf(number: number): number {
    return this.rankFor(this.#scores[number]!, this.#seqs[number]!);
  }

  /** Returns the rank that an entry with this score and seq has or would have. */
  rankFor(score: number, seq: number): number {
    const block = this.#findBlock(score, seq);
    return this.#before[block]! + this.#findPlace(this.#blocks[block]!, score, seq) + 1;
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
  set(number: number, score: number, seq: number): void {
    this.remove(number);
    this.#reserve(number);
    this.#scores[number] = score;
    this.#seqs[number] = seq;
    const index = this.#findBlock(score, seq);
    const block = this.#blocks[index]!;
    const place = this.#findPlace(block, score, seq);
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
    const index = this.#findBlock(score, seq);
    const block = this.#blocks[index]!;
    const place = this.#findPlace(block, score, seq);
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

  /**
   * Tells whether an entry ranks before a score. Among equal scores the lower `seq` ranks first.
   * CONTRIBUTING.md lists the other places in the code that repeat this rule.
   */
  #ranksBefore(number: number, score: number, seq: number): boolean {
    const other = this.#scores[number]!;
    if (other === score) return this.#seqs[number]! < seq;
    return this.sort_order === 'descending' ? other > score : other < score;
  }

  /** Finds the index of the block to which an entry with this score and seq belongs. */
  #findBlock(score: number, seq: number): number {
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const { numbers, length } = this.#blocks[middle]!;
      if (this.#ranksBefore(numbers[length - 1]!, score, seq)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Finds the place in the block at which an entry with this score and seq belongs. */
  #findPlace({ numbers, length }: Block, score: number, seq: number): number {
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ranksBefore(numbers[middle]!, score, seq)) low = middle + 1;
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
