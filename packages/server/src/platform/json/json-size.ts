import {
  BACKSLASH,
  isDigit,
  isExponent,
  isHighSurrogate,
  isLowSurrogate,
  isSpace,
  QUOTE,
  readUnit,
  skipDigits,
  skipPlain,
  skipSign,
} from './json-scan.ts';

/** The size of a JSON value, independent of its spelling. */
interface JsonSize {
  /** The length of the value in UTF-8, without space between tokens and with the shortest escapes. */
  bytes: number;
  /** The number of additional digits when numbers are written without exponents: 308 for 1e308. */
  omitted_digits: number;
}

/** Measures a part of a text that is known to be JSON. */
export function measureJson(bytes: Uint8Array, start: number, end: number): JsonSize {
  let size = 0;
  let omitted_digits = 0;
  let index = start;
  while (index < end) {
    const byte = bytes[index]!;
    if (byte === QUOTE) {
      const from = index;
      index = skipPlain(bytes, index + 1);
      size += index - from + 1;
      while (bytes[index] === BACKSLASH) {
        const unit = readUnit(bytes, index);
        if (unit < 0) {
          // A slash may be written without its backslash. The other characters with a short escape need it.
          size += bytes[index + 1] === 0x2f ? 1 : 2;
          index += 2;
        } else if (isHighSurrogate(unit) && isLowSurrogate(readUnit(bytes, index + 6))) {
          size += 4;
          index += 12;
        } else {
          size += lengthOfUnit(unit);
          index += 6;
        }
        const plain = index;
        index = skipPlain(bytes, plain);
        size += index - plain;
      }
      index++;
    } else if (isDigit(byte)) {
      const from = index;
      index = skipDigits(bytes, index);
      if (isExponent(bytes, index)) {
        const digits = skipSign(bytes, index + 1);
        index = skipDigits(bytes, digits);
        omitted_digits += readDigits(bytes, digits, index);
      }
      size += index - from;
    } else {
      if (!isSpace(byte)) size++;
      index++;
    }
  }
  return { bytes: size, omitted_digits };
}

const SHORT = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d, QUOTE, BACKSLASH]);

/** Gives the number of bytes that `JSON.stringify` writes for a character. */
function lengthOfUnit(unit: number): number {
  if (SHORT.has(unit)) return 2;
  if (unit < 0x20 || isHighSurrogate(unit) || isLowSurrogate(unit)) return 6;
  if (unit < 0x80) return 1;
  return unit < 0x800 ? 2 : 3;
}

function readDigits(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let index = start; index < end && value < 1_000_000; index++) {
    value = value * 10 + bytes[index]! - 0x30;
  }
  return value;
}
