/*
 * Functions that read or skip one part of JSON text in UTF-8. None of them goes past the end of the bytes.
 */

export const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
export const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
export const MINUS = 0x2d;
export const BACKSLASH = 0x5c;
export const SLASH = 0x2f;
const ZERO = 0x30;
const PLUS = 0x2b;
const POINT = 0x2e;
const SMALL_U = 0x75;

const tableOf = (characters: string) => {
  const table = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) table[byte] = 1;
  return table;
};
const PLAIN = new Uint8Array(256).fill(1, 0x20);
PLAIN[QUOTE] = PLAIN[BACKSLASH] = 0;
const SPACE = tableOf(' \n\r\t');
const DIGIT = tableOf('0123456789');
const SHORT_ESCAPE = tableOf('"\\/bfnrt');

/** Skips the four characters that are allowed between tokens. */
export function skipSpace(bytes: Uint8Array, start: number): number {
  let index = start;
  while (index < bytes.length && SPACE[bytes[index]!] === 1) index++;
  return index;
}

/** Skips the characters of a string that need no escape, up to an escape or the end of the string. */
export function skipPlain(bytes: Uint8Array, start: number): number {
  let index = start;
  while (index < bytes.length && PLAIN[bytes[index]!] === 1) index++;
  return index;
}

export function skipDigits(bytes: Uint8Array, start: number): number {
  let index = start;
  while (index < bytes.length && DIGIT[bytes[index]!] === 1) index++;
  return index;
}

const [TRUE, FALSE, NULL] = [Buffer.from('true'), Buffer.from('false'), Buffer.from('null')];

/** Skips `true`, `false` or `null`; returns -1 for any other word. */
function skipWord(bytes: Uint8Array, start: number): number {
  const word = bytes[start] === TRUE[0] ? TRUE : bytes[start] === FALSE[0] ? FALSE : NULL;
  for (let index = 0; index < word.length; index++) {
    if (bytes[start + index] !== word[index]) return -1;
  }
  return start + word.length;
}

export const isSpace = (byte: number): boolean => SPACE[byte] === 1;
export const isDigit = (byte: number): boolean => DIGIT[byte] === 1;

const HEX = new Int8Array(256).fill(-1);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  HEX[digit.charCodeAt(0)] = HEX[digit.toUpperCase().charCodeAt(0)] = value;
}

/**
 * Reads the UTF-16 unit of an escape with four hexadecimal digits at `start`; returns -1 if there is none.
 */
export function readUnit(bytes: Uint8Array, start: number): number {
  if (start + 6 > bytes.length || bytes[start] !== BACKSLASH || bytes[start + 1] !== SMALL_U) {
    return -1;
  }
  const high = (HEX[bytes[start + 2]!]! << 4) | HEX[bytes[start + 3]!]!;
  const low = (HEX[bytes[start + 4]!]! << 4) | HEX[bytes[start + 5]!]!;
  return high < 0 || low < 0 ? -1 : (high << 8) | low;
}

export const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
export const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Tells whether the character at `index`, with a backslash before it, is a short escape. */
const isShortEscape = (bytes: Uint8Array, index: number): boolean =>
  index < bytes.length && SHORT_ESCAPE[bytes[index]!] === 1;

/** Skips the sign of a number and the digits before its point; returns `start` if there are no digits. */
function skipWhole(bytes: Uint8Array, start: number): number {
  const first = bytes[start] === MINUS ? start + 1 : start;
  const end = bytes[first] === ZERO ? first + 1 : skipDigits(bytes, first);
  return end === first ? start : end;
}

/** Skips a point and the digits after it; returns -1 for a point without digits. */
function skipFraction(bytes: Uint8Array, start: number): number {
  if (start >= bytes.length || bytes[start] !== POINT) return start;
  const end = skipDigits(bytes, start + 1);
  return end === start + 1 ? -1 : end;
}

export const isExponent = (bytes: Uint8Array, index: number): boolean =>
  index < bytes.length && (bytes[index]! | 0x20) === 0x65;

export const skipSign = (bytes: Uint8Array, index: number): number =>
  bytes[index] === MINUS || bytes[index] === PLUS ? index + 1 : index;

/**
 * Tells whether a key is `name`. Keys may have escapes: `"d\u0061ta"` is `data`.
 * @param name Contains only letters, which have no short escapes.
 */
export function isKey(bytes: Uint8Array, start: number, end: number, name: string): boolean {
  let index = start;
  for (let place = 0; place < name.length; place++) {
    const isEscape = bytes[index] === BACKSLASH;
    const unit = isEscape ? readUnit(bytes, index) : bytes[index];
    if (unit !== name.charCodeAt(place)) return false;
    index += isEscape ? 6 : 1;
  }
  return index === end;
}

/*
 * The scan
 */

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
