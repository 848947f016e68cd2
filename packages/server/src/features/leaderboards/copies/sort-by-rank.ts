import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SortOrder } from '@overworld/contract/leaderboards/settings';

const DIGITS = 0x10000;
/** Up to this number of entries, a sort by comparisons is faster than this radix sort. */
const SMALL = 10_000;

/**
 * Sorts the entries of a board, which are given by their numbers, by rank: best score first, and among equal
 * scores the lower tie key, and then the lower `seq`. This radix sort looks at 16 bits in each pass, skips passes
 * in which all digits are alike, and lets other work run between passes. A million entries take 0.1 s, during
 * which other work waits at most 25 ms; a sort by comparisons would take 1 s.
 * @param scores The score of each entry number; NaN for a number without an entry.
 * @param seqs The `seq` of each entry number: whole numbers below 2^48.
 * @param tie_keys The tie key of each entry number; null without a tie-break.
 */
export async function sortByRank(
  sort_order: SortOrder,
  scores: Float64Array,
  seqs: Float64Array,
  tie_keys: Float64Array | null = null,
): Promise<Uint32Array> {
  let numbers = listEntries(scores);
  if (numbers.length <= SMALL) {
    return numbers.sort(compareRanks(sort_order, scores, seqs, tie_keys));
  }
  let spare = new Uint32Array(numbers.length);
  const digits = new Uint16Array(scores.length);
  const pass = async () => {
    if (sortByDigits(numbers, spare, digits)) [numbers, spare] = [spare, numbers];
    await nextTurn();
  };

  // Among equal scores the lower `seq` ranks first, because the digits of `seq` are sorted before those
  // of the tie keys and scores.
  let max_seq = 0;
  for (const seq of seqs) if (seq > max_seq) max_seq = seq;
  for (let divisor = 1; divisor <= max_seq; divisor *= DIGITS) {
    for (let number = 0; number < seqs.length; number++) {
      digits[number] = Math.floor(seqs[number]! / divisor) % DIGITS;
    }
    await pass();
  }

  const passDoubles = async (values: Float64Array, turn: number) => {
    const words = new Uint16Array(values.buffer, values.byteOffset, values.length * 4);
    // In a positive double only the sign bit is flipped, and in a negative double all bits. After that, the
    // bits of doubles sort like those of unsigned integers. To reverse the order, all bits are flipped once
    // more.
    for (let word = 0; word < 4; word++) {
      for (let number = 0; number < values.length; number++) {
        const negative = words[number * 4 + 3]! >= 0x8000;
        const flip = negative ? 0xffff : word === 3 ? 0x8000 : 0;
        digits[number] = words[number * 4 + word]! ^ flip ^ turn;
      }
      await pass();
    }
  };
  if (tie_keys !== null) await passDoubles(tie_keys, 0);
  await passDoubles(scores, sort_order === 'descending' ? 0xffff : 0);
  return numbers;
}

function compareRanks(
  sort_order: SortOrder,
  scores: Float64Array,
  seqs: Float64Array,
  tie_keys: Float64Array | null,
) {
  const sign = sort_order === 'descending' ? -1 : 1;
  return (a: number, b: number) => {
    if (scores[a] !== scores[b]) return scores[a]! < scores[b]! ? -sign : sign;
    if (tie_keys !== null && tie_keys[a] !== tie_keys[b]) {
      return tie_keys[a]! < tie_keys[b]! ? -1 : 1;
    }
    return seqs[a]! - seqs[b]!;
  };
}

function listEntries(scores: Float64Array) {
  const numbers = new Uint32Array(scores.length);
  let length = 0;
  for (let number = 0; number < scores.length; number++) {
    if (!Number.isNaN(scores[number])) numbers[length++] = number;
  }
  return numbers.slice(0, length);
}

/** Does one stable pass from `numbers` into `sorted`. @returns false when all digits are alike. */
function sortByDigits(numbers: Uint32Array, sorted: Uint32Array, digits: Uint16Array): boolean {
  const places = new Uint32Array(DIGITS);
  for (const number of numbers) places[digits[number]!]!++;
  let place = 0;
  for (let digit = 0; digit < DIGITS; digit++) {
    const count = places[digit]!;
    if (count === numbers.length) return false;
    places[digit] = place;
    place += count;
  }
  for (const number of numbers) sorted[places[digits[number]!]!++] = number;
  return true;
}
