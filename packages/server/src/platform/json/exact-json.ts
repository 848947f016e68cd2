import { badRequest } from '../errors.ts';
import { scanJson, textOf } from './json-scan.ts';
import { parseJsonText } from './parse-json.ts';

/**
 * The first characters of a string that replaces a number. No string that can be stored contains this mark.
 */
const MARK = '\\u0000';
const MARKED = /"\\u0000([^"]+)"/g;

/**
 * Parses JSON text that is known to be valid and to contain no `\u0000`, so that whole numbers beyond 2^53,
 * such as a Steam id, keep their digits. The result has strings in place of these numbers. Do not read the
 * numbers of the result; write it with `writeExactly`, which writes their original digits.
 * @throws ApiError 400 when more than `max_wide_numbers` numbers have 16 digits or an exponent of two digits.
 */
export function parseExactly(text: string, max_wide_numbers = Infinity): unknown {
  const bytes = Buffer.from(text);
  const { wide_numbers } = scanJson(bytes, null, true)!;
  if (wide_numbers.length > 2 * max_wide_numbers) {
    throw badRequest(
      `At most ${max_wide_numbers.toLocaleString('en')} numbers may have 16 digits, or two digits of exponent`,
    );
  }
  const marked = replaceNumbers(bytes, wide_numbers, (number) =>
    isInexact(Number(number)) ? `"${MARK}${number}"` : null,
  );
  return parseJsonText(marked);
}

/** Writes the result of `parseExactly` as JSON. */
export const writeExactly = (value: unknown): string =>
  JSON.stringify(value).replaceAll(MARKED, '$1');

const isInexact = (value: number) => Number.isInteger(value) && !Number.isSafeInteger(value);

/**
 * Writes odd numbers as `JSON.stringify` does. Odd numbers have an exponent of at least three digits, or at
 * least 200 characters. PostgreSQL cannot read some of them, such as 1e-20000, and writes others, such as
 * 1e-16000, with all digits. PostgreSQL can read whole numbers beyond 2^53, so these keep their digits.
 * @param places The places of the odd numbers, as `scanJson` finds them.
 */
export function writeOddNumbers(bytes: Uint8Array, places: readonly number[]): string {
  return replaceNumbers(bytes, places, (text) => {
    const number = Number(text);
    return isInexact(number) ? null : JSON.stringify(number);
  });
}

/** @param write Returns the replacement for a number; null leaves the number as it is. */
function replaceNumbers(
  bytes: Uint8Array,
  places: readonly number[],
  write: (number: string) => string | null,
): string {
  let written = '';
  let from = 0;
  for (let index = 0; index < places.length; index += 2) {
    const start = places[index]!;
    const end = places[index + 1]!;
    const other = write(textOf(bytes, start, end));
    if (other === null) continue;
    written += textOf(bytes, from, start) + other;
    from = end;
  }
  return written + textOf(bytes, from, bytes.length);
}
