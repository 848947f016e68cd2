import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** The first byte says how the values were changed before they were compressed. */
const PLAIN = 0;
/** Each value but the first is the difference to the value before it. */
const DIFFERENCES = 1;
/** Mode, bytes a value, and then, as doubles, the number of values and the smallest one. */
const HEADER_BYTES = 2 + 8 + 8;
const TWO_32 = 2 ** 32;
const LEVEL = { [constants.ZSTD_c_compressionLevel]: 3 };

export type Integers = Float64Array | Uint32Array;

/**
 * Compresses whole numbers between -(2^52) and 2^52. All first bytes are stored together, then all second bytes,
 * and so on, because the high bytes of neighbours are often equal.
 */
export function encodeIntegers(values: Integers): Buffer {
  const plain = compress(PLAIN, values);
  if (values.length < 2) return plain;
  const differences = new Float64Array(values.length - 1);
  for (let index = 1; index < values.length; index++) {
    differences[index - 1] = values[index]! - values[index - 1]!;
  }
  const first = Buffer.alloc(8);
  first.writeDoubleLE(values[0]!);
  const coded = Buffer.concat([first, compress(DIFFERENCES, differences)]);
  // The first value comes after the mode.
  const moved = Buffer.concat([coded.subarray(8, 9), first, coded.subarray(9)]);
  return moved.length < plain.length ? moved : plain;
}

function compress(mode: number, values: Integers): Buffer {
  let min = values.length === 0 ? 0 : Infinity;
  let max = -Infinity;
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const range = values.length === 0 ? 0 : max - min;
  if (!Number.isSafeInteger(min) || !Number.isSafeInteger(range)) {
    throw new RangeError('Only whole numbers below 2^52 can be compressed');
  }
  let width = 0;
  while (width < 7 && range >= 256 ** width) width++;
  const header = Buffer.alloc(HEADER_BYTES);
  header[0] = mode;
  header[1] = width;
  header.writeDoubleLE(values.length, 2);
  header.writeDoubleLE(min, 10);
  const count = values.length;
  const planes = new Uint8Array(count * width);
  for (let index = 0; index < count; index++) {
    const value = values[index]! - min;
    let low = value >>> 0;
    for (let at = index, plane = 0; plane < width && plane < 4; plane++, at += count) {
      planes[at] = low & 0xff;
      low >>>= 8;
    }
    if (width <= 4) continue;
    let high = Math.floor(value / TWO_32);
    for (let at = index + 4 * count, plane = 4; plane < width; plane++, at += count) {
      planes[at] = high & 0xff;
      high >>>= 8;
    }
  }
  return Buffer.concat([header, compressBytes(planes)]);
}

/**
 * Reads what `encodeIntegers` wrote.
 * @param count The number of values that there must be.
 * @throws for any other bytes that the structure does not allow.
 */
export function decodeIntegers(bytes: Uint8Array, count: number): Float64Array<ArrayBuffer> {
  const { min, low, high, first } = open(bytes, count);
  const values = new Float64Array(count);
  const begin = first === null ? 0 : 1;
  for (let at = 0; at < low.length; at++) values[at + begin] = min + low[at]!;
  if (high !== null) {
    for (let at = 0; at < high.length; at++) values[at + begin]! += high[at]! * TWO_32;
  }
  if (first === null) return values;
  let value = first;
  values[0] = value;
  for (let index = 1; index < count; index++) {
    value += values[index]!;
    values[index] = value;
  }
  return values;
}

/**
 * Reads what `encodeIntegers` wrote, from numbers between 0 and 2^32. The engine adds such numbers in half the time.
 * @throws as `decodeIntegers`. Other numbers are not noticed.
 */
export function decodeNumbers(bytes: Uint8Array, count: number): Uint32Array<ArrayBuffer> {
  const { min, low, first } = open(bytes, count);
  // All is right modulo 2^32.
  const lowest = min | 0;
  const values = new Uint32Array(count);
  if (first === null) {
    for (let at = 0; at < count; at++) values[at] = (low[at]! + lowest) | 0;
    return values;
  }
  let value = first | 0;
  values[0] = value;
  for (let index = 1; index < count; index++) {
    value = (value + low[index - 1]! + lowest) | 0;
    values[index] = value;
  }
  return values;
}

/** The stored values, valid until the next ones are read. */
interface Planes {
  /** The number to add to each stored value. */
  min: number;
  /** The last 32 bits of each stored value beyond that. */
  low: Uint32Array;
  /** The bits before those; null if all are 0. */
  high: Uint32Array | null;
}

/** Reads the stored values: the values themselves, or `first` and the difference of each other one. */
function open(bytes: Uint8Array, count: number): Planes & { first: number | null } {
  const buffer = asBuffer(bytes);
  if (buffer[0] === PLAIN) return { ...readPlanes(buffer.subarray(1), count), first: null };
  if (buffer[0] !== DIFFERENCES || count < 2) throw new RangeError('Unknown form of integers');
  return { ...readPlanes(buffer.subarray(9), count - 1), first: buffer.readDoubleLE(1) };
}

function readPlanes(buffer: Buffer, count: number): Planes {
  const width = buffer[0]!;
  const min = buffer.readDoubleLE(9);
  if (width > 7 || buffer.readDoubleLE(1) !== count) throw new RangeError('Wrong count of values');
  const size = count * width;
  const planes = decompressBytes(buffer.subarray(17), size);
  if (planes.length !== size) throw new RangeError('Wrong length of values');
  return {
    min,
    low: join(planes.subarray(0, 4 * count), roomFor(0, count)),
    high: width <= 4 ? null : join(planes.subarray(4 * count), roomFor(1, count)),
  };
}

/** Columns of more values get memory of their own. */
const MAX_KEPT_ROOM = 2 ** 20;
const rooms = [new Uint32Array(0), new Uint32Array(0)];

/** Returns the same memory again, because the first use of new memory takes as long as all else here. */
function roomFor(place: 0 | 1, count: number): Uint32Array {
  if (count > MAX_KEPT_ROOM) return new Uint32Array(count);
  let room = rooms[place]!;
  if (room.length < count) rooms[place] = room = new Uint32Array(2 ** Math.ceil(Math.log2(count)));
  return room.subarray(0, count);
}

/** Joins the bytes of numbers of at most four bytes. One pass is faster than one for each byte. */
function join(planes: Buffer, joined: Uint32Array): Uint32Array {
  const { length: count } = joined;
  const [second, third, fourth] = [count, 2 * count, 3 * count];
  if (planes.length === 0) joined.fill(0);
  else if (planes.length === count) joined.set(planes);
  else if (planes.length === third) {
    for (let at = 0; at < count; at++) joined[at] = planes[at]! | (planes[second + at]! << 8);
  } else if (planes.length === fourth) {
    for (let at = 0; at < count; at++) {
      joined[at] = planes[at]! | (planes[second + at]! << 8) | (planes[third + at]! << 16);
    }
  } else {
    for (let at = 0; at < count; at++) {
      joined[at] =
        planes[at]! |
        (planes[second + at]! << 8) |
        (planes[third + at]! << 16) |
        (planes[fourth + at]! << 24);
    }
  }
  return joined;
}

/** To begin to compress takes as long as a thousand bytes, and few bytes hardly become fewer. */
const MIN_COMPRESSED_BYTES = 128;
/** The smallest piece of memory that the library takes. */
const MIN_CHUNK_BYTES = 64;
const AS_THEY_ARE = 0;
const COMPRESSED = 1;

/** Compresses bytes, if they become fewer. */
export function compressBytes(bytes: Uint8Array): Buffer {
  const { length } = bytes;
  // The library takes memory for much longer bytes, if it does not know their length.
  const options = { params: LEVEL, pledgedSrcSize: length, chunkSize: length + MIN_CHUNK_BYTES };
  const packed = length < MIN_COMPRESSED_BYTES ? bytes : zstdCompressSync(bytes, options);
  return packed.length < bytes.length
    ? Buffer.concat([Buffer.of(COMPRESSED), packed])
    : Buffer.concat([Buffer.of(AS_THEY_ARE), bytes]);
}

/**
 * @param max_bytes The most bytes that there may be.
 * @param chunk_bytes So much memory is taken at a time. One large piece is faster than many small ones.
 * @throws if there are more bytes than `max_bytes`, or `compressBytes` did not return these.
 */
export function decompressBytes(
  packed: Uint8Array,
  max_bytes: number,
  chunk_bytes = max_bytes + 1,
): Buffer {
  const bytes = asBuffer(packed).subarray(1);
  if (packed[0] === AS_THEY_ARE) return bytes;
  if (packed[0] !== COMPRESSED) throw new RangeError('Unknown form of bytes');
  const chunkSize = Math.max(chunk_bytes, MIN_CHUNK_BYTES);
  return zstdDecompressSync(bytes, { maxOutputLength: Math.max(max_bytes, 1), chunkSize });
}

export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
