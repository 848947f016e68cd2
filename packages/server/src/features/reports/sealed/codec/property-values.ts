import {
  asBuffer,
  compressBytes,
  decodeIntegers,
  decodeNumbers,
  decompressBytes,
  encodeIntegers,
} from './integers.ts';
import type { PropertyColumn } from '../../scan/event-columns.ts';

/** The values of a property: each different one once, as JSON, and for each event its index plus 1, or 0. */
export interface Values {
  values: readonly string[];
  codes: Uint32Array;
}

const DICTIONARY = 0;
/** Whole numbers, which are the values times a power of ten. */
const DECIMALS = 1;
const DOUBLES = 2;

/** Fewer different numbers are stored as a dictionary, which is smaller and answers conditions faster. */
const MIN_NUMBERS = 257;
const MAX_DECIMALS = 6;
/** Larger whole numbers could not be moved by one to make room for events without a value. */
const MAX_WHOLE = 2 ** 50;
const MAX_TEXT_BYTES = 64 * 2 ** 20;

export function encodeValues({ values, codes }: Values): Buffer {
  const numbers = values.length < MIN_NUMBERS ? null : readPlain(values);
  if (numbers === null) return encodeDictionary({ values, codes });
  const decimals = findDecimals(numbers);
  return decimals === null
    ? encodeDoubles(numbers, codes)
    : encodeDecimals(numbers, codes, decimals);
}

/** Returns the numbers, unless a value is another one, or its text is not that of the number. */
function readPlain(values: readonly string[]): Float64Array | null {
  const numbers = new Float64Array(values.length);
  for (let index = 0; index < values.length; index++) {
    const number = Number(values[index]);
    if (!Number.isFinite(number) || String(number) !== values[index]) return null;
    numbers[index] = number;
  }
  return numbers;
}

/** Finds the decimals with which all numbers can be written as whole numbers, and be read back. */
function findDecimals(numbers: Float64Array): number | null {
  for (let decimals = 0; decimals <= MAX_DECIMALS; decimals++) {
    const factor = 10 ** decimals;
    const isWhole = (number: number) => {
      const whole = Math.round(number * factor);
      return Math.abs(whole) < MAX_WHOLE && Object.is(whole / factor, number);
    };
    if (numbers.every(isWhole)) return decimals;
  }
  return null;
}

function encodeDecimals(numbers: Float64Array, codes: Uint32Array, decimals: number): Buffer {
  const factor = 10 ** decimals;
  const wholes = numbers.map((number) => Math.round(number * factor));
  const min = wholes.reduce((least, whole) => Math.min(least, whole), Infinity);
  const shifted = new Float64Array(codes.length);
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index]!;
    if (code !== 0) shifted[index] = wholes[code - 1]! - min + 1;
  }
  const header = Buffer.alloc(10);
  header[0] = DECIMALS;
  header[1] = decimals;
  header.writeDoubleLE(min, 2);
  return Buffer.concat([header, encodeIntegers(shifted)]);
}

function encodeDoubles(numbers: Float64Array, codes: Uint32Array): Buffer {
  const doubles = new Float64Array(codes.length);
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index]!;
    doubles[index] = code === 0 ? NaN : numbers[code - 1]!;
  }
  return Buffer.concat([Buffer.of(DOUBLES), compressBytes(byPlanes(doubles))]);
}

/** Puts the bytes of doubles in the order in which neighbours are alike. */
function byPlanes(doubles: Float64Array): Uint8Array {
  const bytes = new Uint8Array(doubles.buffer, doubles.byteOffset, doubles.byteLength);
  const planes = new Uint8Array(bytes.length);
  const count = doubles.length;
  for (let at = 0; at < bytes.length; at++) planes[(at & 7) * count + (at >>> 3)] = bytes[at]!;
  return planes;
}

function encodeDictionary({ values, codes }: Values): Buffer {
  const texts = Buffer.from(values.join('\n'));
  const packed = compressBytes(texts);
  const header = Buffer.alloc(13);
  header[0] = DICTIONARY;
  header.writeUInt32LE(values.length, 1);
  header.writeUInt32LE(texts.length, 5);
  header.writeUInt32LE(packed.length, 9);
  return Buffer.concat([header, packed, encodeIntegers(codes)]);
}

/**
 * Reads what `encodeValues` wrote.
 * @param count The number of events.
 * @throws for any other bytes that the structure does not allow.
 */
export function decodeValues(bytes: Uint8Array, count: number): PropertyColumn {
  const buffer = asBuffer(bytes);
  switch (buffer[0]) {
    case DICTIONARY:
      return decodeDictionary(buffer, count);
    case DECIMALS:
      return { numbers: decodeDecimals(buffer, count) };
    case DOUBLES:
      return { numbers: decodeDoubles(buffer.subarray(1), count) };
    default:
      throw new RangeError('Unknown form of values');
  }
}

function decodeDictionary(buffer: Buffer, count: number): PropertyColumn {
  const [length, text_bytes, packed_bytes] = [1, 5, 9].map((at) => buffer.readUInt32LE(at));
  const texts_end = 13 + packed_bytes!;
  if (text_bytes! > MAX_TEXT_BYTES) throw new RangeError('Too many texts');
  const texts = decompressBytes(buffer.subarray(13, texts_end), text_bytes!);
  // JSON as PostgreSQL writes it has no newlines.
  const values = length === 0 ? [] : texts.toString().split('\n');
  if (values.length !== length) throw new RangeError('Wrong count of texts');
  const codes = decodeNumbers(buffer.subarray(texts_end), count);
  for (let index = 0; index < count; index++) {
    if (codes[index]! > length!) throw new RangeError('Unknown code');
  }
  if (length! >= 2 ** 16) return { values, codes };
  return { values, codes: length! < 2 ** 8 ? new Uint8Array(codes) : new Uint16Array(codes) };
}

function decodeDecimals(buffer: Buffer, count: number): Float64Array {
  const factor = 10 ** buffer[1]!;
  const min = buffer.readDoubleLE(2);
  const numbers = decodeIntegers(buffer.subarray(10), count);
  for (let index = 0; index < count; index++) {
    const shifted = numbers[index]!;
    numbers[index] = shifted === 0 ? NaN : (shifted - 1 + min) / factor;
  }
  return numbers;
}

function decodeDoubles(packed: Buffer, count: number): Float64Array {
  const planes = decompressBytes(packed, count * 8);
  if (planes.length !== count * 8) throw new RangeError('Wrong count of numbers');
  const doubles = new Float64Array(count);
  const bytes = new Uint8Array(doubles.buffer);
  for (let at = 0; at < bytes.length; at++) bytes[at] = planes[(at & 7) * count + (at >>> 3)]!;
  return doubles;
}
