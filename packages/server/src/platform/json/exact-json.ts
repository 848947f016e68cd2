import { badRequest } from '../errors.ts';
import { scanJson, textOf, WIDE } from './json-scan.ts';
import { compareNumberTexts, numberText } from './number-text.ts';
import { parseJsonText } from './parse-json.ts';

/**
 * The first characters of a string that replaces a number. No string that can be stored contains this mark.
 */
const MARK = '\\u0000';
const MARKED = /"\\u0000([^"]+)"/g;

/**
 * The most numbers with 16 digits or an exponent of two digits that a body should have. Reading one takes
 * twenty times as long as reading another number.
 */
export const MAX_WIDE_NUMBERS = 5_000;
/**
 * Longer numbers are read as doubles, as `writeOddNumbers` writes them, except whole numbers beyond 2^53 with
 * decimals. No finite double needs so many characters.
 */
const MAX_KEPT_CHARACTERS = 400;
const MAY_BE_WIDE = /[\d.]{16}|\d[eE]/;

/**
 * Parses JSON text that is known to be valid and to contain no `\u0000`, so that numbers which a double would
 * change, such as a Steam id beyond 2^53, keep their digits. The result has strings in place of these numbers,
 * one for all spellings of a number, so equal numbers are equal by `===`. Do not read the numbers of the
 * result: compare them with `compareNumbers`, calculate with `toDouble`, or write the result with
 * `writeExactly`, which writes all digits.
 * @throws ApiError 400 when more than `max_wide_numbers` numbers have 16 digits or an exponent of two digits.
 * Numbers that JavaScript writes like that do not count.
 */
export function parseExactly(text: string, max_wide_numbers = Infinity): unknown {
  if (!MAY_BE_WIDE.test(text)) return parseJsonText(text);
  const bytes = Buffer.from(text);
  const { numbers } = scanJson(bytes, null, WIDE)!;
  let count = 0;
  const marked = replaceNumbers(bytes, numbers, (spelling) => {
    const double = String(Number(spelling));
    // Valid text has an infinite number only in a member that a later member with the same key replaces.
    if (double === spelling || double.endsWith('Infinity')) return null;
    if (++count > max_wide_numbers) {
      throw badRequest(
        `At most ${max_wide_numbers.toLocaleString('en')} numbers may have 16 digits, or two digits of exponent`,
      );
    }
    // The exponent of a number that a double rounds to 0 may be of any length.
    if (double === '0' || double === '-0') return null;
    if (spelling.length > MAX_KEPT_CHARACTERS && !isInexact(Number(spelling))) return null;
    const number = numberText(spelling);
    return number === numberText(double) ? null : `"${MARK}${number}"`;
  });
  return parseJsonText(marked);
}

/** Tells whether a value of `parseExactly` is a text, and not the digits of a number. */
export const isText = (value: unknown): value is string =>
  typeof value === 'string' && !value.startsWith('\0');

/** Returns the text of a number of `parseExactly`, as `numberText` writes it; null for all other values. */
function digitsOf(value: unknown): string | null {
  if (typeof value === 'number') return numberText(String(value));
  return typeof value === 'string' && value.startsWith('\0') ? value.slice(1) : null;
}

/** Rounds a number of `parseExactly` to a double. */
export const toDouble = (value: number): number =>
  typeof value === 'number' ? value : Number(digitsOf(value));

/**
 * Compares two numbers of `parseExactly` by all their digits.
 * @returns a number below, at or above 0; NaN if one of the values is no number.
 */
export function compareNumbers(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [first, second] = [digitsOf(a), digitsOf(b)];
  if (first === null || second === null) return Number.NaN;
  return compareNumberTexts(first, second);
}

/** Writes the result of `parseExactly` as JSON. */
export const writeExactly = (value: unknown): string =>
  JSON.stringify(value).replaceAll(MARKED, '$1');

const isInexact = (value: number) => Number.isInteger(value) && !Number.isSafeInteger(value);

/**
 * Writes a part of a text, or the whole text, with odd numbers as `JSON.stringify` writes them. Odd numbers have
 * an exponent of at least three digits, or at least 200 characters. PostgreSQL cannot read some of them, such
 * as 1e-20000, and writes others, such as 1e-16000, with all digits. PostgreSQL can read whole numbers beyond
 * 2^53, so these keep their digits.
 * @param places The places of the odd numbers of the whole text, as `scanJson` finds them.
 */
export const writeOddNumbers = (
  bytes: Uint8Array,
  places: readonly number[],
  start?: number,
  end?: number,
): string => replaceNumbers(bytes, places, writeOdd, start, end);

function writeOdd(text: string): string | null {
  const number = Number(text);
  return isInexact(number) ? null : JSON.stringify(number);
}

/** @param write Returns the replacement for a number; null leaves the number as it is. */
function replaceNumbers(
  bytes: Uint8Array,
  places: readonly number[],
  write: (number: string) => string | null,
  start = 0,
  end = bytes.length,
): string {
  let written = '';
  let from = start;
  for (let index = 0; index < places.length; index += 2) {
    const number_start = places[index]!;
    const number_end = places[index + 1]!;
    if (number_start < start || number_end > end) continue;
    const other = write(textOf(bytes, number_start, number_end));
    if (other === null) continue;
    written += textOf(bytes, from, number_start) + other;
    from = number_end;
  }
  return written + textOf(bytes, from, end);
}
