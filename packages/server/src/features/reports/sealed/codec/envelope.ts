import { crc32 } from 'node:zlib';
import { asBuffer } from './integers.ts';

/** The form of the bytes behind it. Bytes of another form are as good as none. */
const CODEC_VERSION = 1;
const HEADER_BYTES = 5;

/**
 * Puts a checksum before some bytes.
 * @param identity Says what the bytes are, so that bytes of something else are not taken for them.
 */
export function wrap(identity: string, bytes: Uint8Array): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header[0] = CODEC_VERSION;
  header.writeUInt32LE(crc32(bytes, crc32(identity)), 1);
  return Buffer.concat([header, bytes]);
}

/** Returns the bytes that `wrap` was given. @throws if these are not the bytes that it returned. */
export function unwrap(identity: string, wrapped: Uint8Array): Buffer {
  const buffer = asBuffer(wrapped);
  if (buffer.length < HEADER_BYTES || buffer[0] !== CODEC_VERSION) {
    throw new RangeError('The bytes have another form');
  }
  const bytes = buffer.subarray(HEADER_BYTES);
  if (buffer.readUInt32LE(1) !== crc32(bytes, crc32(identity))) {
    throw new RangeError('The bytes are not those that were written');
  }
  return bytes;
}
