import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** The first byte says how the values were changed before they were compressed. */
const PLAIN = 0;
/** Each value but the first is the difference to the value before it. */
const DIFFERENCES = 1;
/** Mode, bytes a value, and then, as doubles, the number of values and the smallest one. */
const HEADER_BYTES = 2 + 8 + 8;
const TWO_32 = 2 ** 32;
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

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
export function decodeIntegers(bytes: Uint8Array, count: number): Float64Array {
  const buffer = asBuffer(bytes);
  if (buffer[0] === PLAIN) return readPlanes(buffer.subarray(1), count);
  if (buffer[0] !== DIFFERENCES || count < 2) throw new RangeError('Unknown form of integers');
  const differences = readPlanes(buffer.subarray(9), count - 1);
  const values = new Float64Array(count);
  let value = buffer.readDoubleLE(1);
  values[0] = value;
  for (let index = 1; index < count; index++) {
    value += differences[index - 1]!;
    values[index] = value;
  }
  return values;
}

function readPlanes(buffer: Buffer, count: number): Float64Array {
  const width = buffer[0]!;
  const min = buffer.readDoubleLE(9);
  if (width > 7 || buffer.readDoubleLE(1) !== count) throw new RangeError('Wrong count of values');
  const size = count * width;
  const planes = decompressBytes(buffer.subarray(17), size);
  if (planes.length !== size) throw new RangeError('Wrong length of values');
  const values = new Float64Array(count).fill(min);
  if (width <= 4) {
    addLow(values, planes, width);
    return values;
  }
  for (let plane = 0, factor = 1; plane < width; plane++, factor *= 256) {
    const from = plane * count;
    for (let index = 0; index < count; index++) values[index]! += planes[from + index]! * factor;
  }
  return values;
}

/** Adds numbers of at most four bytes. One pass is faster than one for each byte. */
function addLow(values: Float64Array, planes: Uint8Array, width: number): void {
  const count = values.length;
  const [second, third, fourth] = [count, 2 * count, 3 * count];
  if (width === 1) for (let at = 0; at < count; at++) values[at]! += planes[at]!;
  else if (width === 2) {
    for (let at = 0; at < count; at++) values[at]! += planes[at]! | (planes[second + at]! << 8);
  } else if (width === 3) {
    for (let at = 0; at < count; at++) {
      values[at]! += planes[at]! | (planes[second + at]! << 8) | (planes[third + at]! << 16);
    }
  } else if (width === 4) {
    for (let at = 0; at < count; at++) {
      values[at]! +=
        (planes[at]! | (planes[second + at]! << 8) | (planes[third + at]! << 16)) +
        planes[fourth + at]! * 16_777_216;
    }
  }
}

/** To begin to compress takes as long as a thousand bytes, and few bytes hardly become fewer. */
const MIN_COMPRESSED_BYTES = 128;
const AS_THEY_ARE = 0;
const COMPRESSED = 1;

/** Compresses bytes, if they become fewer. */
export function compressBytes(bytes: Uint8Array): Buffer {
  const packed = bytes.length < MIN_COMPRESSED_BYTES ? bytes : zstdCompressSync(bytes, ZSTD);
  return packed.length < bytes.length
    ? Buffer.concat([Buffer.of(COMPRESSED), packed])
    : Buffer.concat([Buffer.of(AS_THEY_ARE), bytes]);
}

/** @throws if there are more bytes than `max_bytes`, or `compressBytes` did not return these. */
export function decompressBytes(packed: Uint8Array, max_bytes: number): Buffer {
  const bytes = asBuffer(packed).subarray(1);
  if (packed[0] === AS_THEY_ARE) return bytes;
  if (packed[0] !== COMPRESSED) throw new RangeError('Unknown form of bytes');
  return zstdDecompressSync(bytes, { maxOutputLength: Math.max(max_bytes, 1) });
}

export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
