/**
 * Functions that read or skip one part of JSON text in UTF-8. None of them goes past the end of the bytes.
 */

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPENING_BRACKET = 0x5b;
export const CLOSING_BRACKET = 0x5d;
export const OPENING_BRACE = 0x7b;
export const CLOSING_BRACE = 0x7d;
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
export function skipWord(bytes: Uint8Array, start: number): number {
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
export const isShortEscape = (bytes: Uint8Array, index: number): boolean =>
  index < bytes.length && SHORT_ESCAPE[bytes[index]!] === 1;

/** Skips the sign of a number and the digits before its point; returns `start` if there are no digits. */
export function skipWhole(bytes: Uint8Array, start: number): number {
  const first = bytes[start] === MINUS ? start + 1 : start;
  const end = bytes[first] === ZERO ? first + 1 : skipDigits(bytes, first);
  return end === first ? start : end;
}

/** Skips a point and the digits after it; returns -1 for a point without digits. */
export function skipFraction(bytes: Uint8Array, start: number): number {
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
