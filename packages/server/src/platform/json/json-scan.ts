import {
  BACKSLASH,
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COLON,
  COMMA,
  isDigit,
  isExponent,
  isHighSurrogate,
  isKey,
  isLowSurrogate,
  isShortEscape,
  MINUS,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
  readUnit,
  skipDigits,
  skipFraction,
  skipPlain,
  skipSign,
  skipSpace,
  skipWhole,
  skipWord,
} from './json-tokens.ts';

/** The numbers that a scan lists: those of this length, and those with so many digits in their exponent. */
interface ListedNumbers {
  length: number;
  exponent_digits: number;
  max_listed: number;
}

/** The maximum number of odd numbers in a request. Each takes 30 times as long to check as other numbers. */
export const MAX_ODD_NUMBERS = 5_000;
/** Odd numbers may be infinite or too long; all others are finite. One more than allowed is listed. */
const ODD: ListedNumbers = { length: 200, exponent_digits: 3, max_listed: MAX_ODD_NUMBERS + 1 };
/** Numbers that are not wide are exact as doubles. */
export const WIDE: ListedNumbers = { length: 16, exponent_digits: 2, max_listed: Infinity };
/** The maximum number of elements whose places are listed. */
const KEPT_ELEMENTS = 100;

/** Facts about a part of a JSON text. */
interface JsonPart {
  /** The deepest level of an object or array in the part, counted in the whole text; 0 if it has none. */
  nesting: number;
  /**
   * True if a string of the part has a `\u0000` or a lone surrogate, which the database cannot store, even in
   * a member that is replaced by a later member with the same key.
   */
  has_bad_string: boolean;
}

/**
 * Facts about a JSON text before it is parsed. A list of places
 * has the start and the end of each place, as byte offsets.
 */
export interface JsonScan {
  /** The whole text except the values of the wanted member. */
  rest: JsonPart;
  /** The values of the wanted member in the outermost object, which may have the member several times. */
  member: JsonPart;
  /** The place of the last value of the wanted member: the last value counts. Empty if there is none. */
  member_place: readonly number[];
  /** The number of elements of the outermost list; null if the text is not a list. */
  count: number | null;
  /** Places of the first hundred elements. */
  elements: readonly number[];
  /** The places of keys that contain an escape. A place does not include the quotation marks. */
  escaped_keys: readonly number[];
  /** True if a number has an exponent of two digits or more. */
  has_exponents: boolean;
  /** The places of the numbers that the scan lists. */
  numbers: readonly number[];
}

/**
 * Scans a JSON text once, in about the time that `JSON.parse` takes for one string of that length.
 * @param member The name of the wanted member of the outermost object.
 * @param listed The numbers to list: by default odd ones, with 200 characters or three digits in the exponent.
 * @returns null if the text is not JSON.
 */
export function scanJson(
  bytes: Uint8Array,
  member: string | null = null,
  listed = ODD,
): JsonScan | null {
  const scan = scanInChunks(bytes, Infinity, member, listed);
  return scan.next().value as JsonScan | null;
}

/**
 * Scans like `scanJson`, but pauses for other work before the first value after each `chunk_bytes` bytes. It
 * does not pause within a string or a number.
 */
export function* scanInChunks(
  bytes: Uint8Array,
  chunk_bytes: number,
  member: string | null,
  listed = ODD,
): Generator<void, JsonScan | null, void> {
  const rest: JsonPart = { nesting: 0, has_bad_string: false };
  const inside: JsonPart = { nesting: 0, has_bad_string: false };
  const elements: number[] = [];
  const escaped_keys: number[] = [];
  const numbers: number[] = [];
  const { length: listed_length, exponent_digits: listed_digits } = listed;
  let has_exponents = false;
  let member_place: number[] = [];
  let part = rest;
  let count = 0;
  /** For each open level: 1 if it is a list, 0 if it is an object. */
  let levels = new Uint8Array(64);
  let depth = 0;
  let isList = false;
  /** The start of the current value on the second level. */
  let start = 0;
  let index = skipSpace(bytes, 0);
  const isOutermostList = bytes[index] === OPENING_BRACKET;

  let chunk_end = chunk_bytes;
  for (;;) {
    if (index >= chunk_end) {
      chunk_end = index + chunk_bytes;
      yield;
    }
    if (depth > 0 && !isList) {
      if (bytes[index] !== QUOTE) return null;
      const key = index + 1;
      index = skipPlain(bytes, key);
      if (bytes[index] !== QUOTE) {
        index = skipEscapes(bytes, index, part);
        if (index < 0) return null;
        escaped_keys.push(key, index);
      }
      if (depth === 1 && member !== null && isKey(bytes, key, index, member)) part = inside;
      index = skipSpace(bytes, index + 1);
      if (bytes[index] !== COLON) return null;
      index = skipSpace(bytes, index + 1);
    }

    if (depth === 1) start = index;
    const code = index < bytes.length ? bytes[index]! : 0;
    if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      if (depth + 1 > part.nesting) part.nesting = depth + 1;
      index = skipSpace(bytes, index + 1);
      if (bytes[index] !== code + TO_CLOSING) {
        if (depth === levels.length) levels = lengthen(levels);
        isList = code === OPENING_BRACKET;
        levels[depth++] = isList ? 1 : 0;
        continue;
      }
      index++;
    } else if (code === QUOTE) {
      index = skipPlain(bytes, index + 1);
      if (bytes[index] !== QUOTE) index = skipEscapes(bytes, index, part);
      if (index < 0) return null;
      index++;
    } else if (code === MINUS || isDigit(code)) {
      const from = index;
      const point = skipWhole(bytes, from);
      index = skipFraction(bytes, point);
      if (point === from || index < 0) return null;
      let exponent_digits = 0;
      if (isExponent(bytes, index)) {
        const digits = skipSign(bytes, index + 1);
        index = skipDigits(bytes, digits);
        exponent_digits = index - digits;
        if (exponent_digits === 0) return null;
        has_exponents ||= exponent_digits >= 2;
      }
      if (
        (exponent_digits >= listed_digits || index - from >= listed_length) &&
        numbers.length < 2 * listed.max_listed
      ) {
        numbers.push(from, index);
      }
    } else {
      index = skipWord(bytes, index);
      if (index < 0) return null;
    }

    // End the value, and each level that closes after it, up to the next comma.
    for (;;) {
      if (depth === 1 && isOutermostList) {
        if (count < KEPT_ELEMENTS) elements.push(start, index);
        count++;
      } else if (depth === 1 && part === inside) {
        member_place = [start, index];
        part = rest;
      }
      index = skipSpace(bytes, index);
      if (depth === 0) break;
      const end = bytes[index];
      if (end === COMMA) break;
      if (end !== (isList ? CLOSING_BRACKET : CLOSING_BRACE)) return null;
      index++;
      depth--;
      isList = depth > 0 && levels[depth - 1] === 1;
    }
    if (depth === 0) break;
    index = skipSpace(bytes, index + 1);
  }
  if (index < bytes.length) return null;
  return {
    rest,
    member: inside,
    member_place,
    count: isOutermostList ? count : null,
    elements,
    escaped_keys,
    has_exponents,
    numbers,
  };
}

/** The character code of a closing bracket or brace minus that of the opening one. */
const TO_CLOSING = CLOSING_BRACKET - OPENING_BRACKET;

function lengthen(levels: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const longer = new Uint8Array(2 * levels.length);
  longer.set(levels);
  return longer;
}

/** Skips from an escape to the quotation mark that ends the string. Returns -1 if there is none. */
function skipEscapes(bytes: Uint8Array, start: number, part: JsonPart): number {
  let index = start;
  while (index < bytes.length && bytes[index] === BACKSLASH) {
    if (isShortEscape(bytes, index + 1)) {
      index += 2;
    } else {
      const unit = readUnit(bytes, index);
      if (unit < 0) return -1;
      index += 6;
      if (isHighSurrogate(unit) && isLowSurrogate(readUnit(bytes, index))) index += 6;
      else if (unit === 0 || isHighSurrogate(unit) || isLowSurrogate(unit)) {
        part.has_bad_string = true;
      }
    }
    index = skipPlain(bytes, index);
  }
  return bytes[index] === QUOTE ? index : -1;
}

/** Reads a part of the bytes as text. */
export const textOf = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString();
