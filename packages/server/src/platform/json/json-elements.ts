import { BACKSLASH, OPENING_BRACKET, QUOTE, skipPlain, skipSpace } from './json-scan.ts';

const COMMA = 0x2c;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACKET = 0x5d;
const CLOSING_BRACE = 0x7d;

/**
 * Finds the places of the elements of a list, one after the other, so that a caller can parse each by itself and
 * let other work run in between.
 * @param bytes Bytes that are known to be JSON from `start` to `end`.
 * @returns The start and the end of each element as byte offsets; null if the value is no list.
 */
export function findElements(
  bytes: Uint8Array,
  start: number,
  end: number,
): Generator<[number, number], void, void> | null {
  return bytes[start] === OPENING_BRACKET ? elementsOf(bytes, start, end) : null;
}

function* elementsOf(bytes: Uint8Array, start: number, end: number) {
  let from = skipSpace(bytes, start + 1);
  if (bytes[from] === CLOSING_BRACKET) return;
  let depth = 1;
  for (let index = from; index < end; index++) {
    const byte = bytes[index]!;
    if (byte === QUOTE) index = endOfString(bytes, index);
    else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) depth++;
    else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) depth--;
    if (depth === 0 || (depth === 1 && byte === COMMA)) {
      yield [from, index] as [number, number];
      from = skipSpace(bytes, index + 1);
    }
  }
}

/** Finds the closing quotation mark of the string that begins at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  let index = skipPlain(bytes, start + 1);
  while (bytes[index] === BACKSLASH) index = skipPlain(bytes, index + 2);
  return index;
}
