/**
 * Computes PostgreSQL's `hashtextextended`, which is Bob Jenkins' lookup3 over the bytes of the text, on a
 * machine with the usual order of bytes.
 * @param seed A number from 0 to 2^53.
 * @returns the two halves of the hash, as signed integers.
 */
export function hashText(text: string, seed: number): { high: number; low: number } {
  const bytes = Buffer.from(text);
  let a = (0x9e37_79b9 + bytes.length + 3_923_095) | 0;
  let b = a;
  let c = a;

  const mix = () => {
    a = ((a - c) | 0) ^ rotate(c, 4);
    c = (c + b) | 0;
    b = ((b - a) | 0) ^ rotate(a, 6);
    a = (a + c) | 0;
    c = ((c - b) | 0) ^ rotate(b, 8);
    b = (b + a) | 0;
    a = ((a - c) | 0) ^ rotate(c, 16);
    c = (c + b) | 0;
    b = ((b - a) | 0) ^ rotate(a, 19);
    a = (a + c) | 0;
    c = ((c - b) | 0) ^ rotate(b, 4);
    b = (b + a) | 0;
  };

  if (seed !== 0) {
    a = (a + Math.floor(seed / 2 ** 32)) | 0;
    b = (b + (seed % 2 ** 32)) | 0;
    mix();
  }
  let at = 0;
  for (; bytes.length - at >= 12; at += 12) {
    a = (a + bytes.readInt32LE(at)) | 0;
    b = (b + bytes.readInt32LE(at + 4)) | 0;
    c = (c + bytes.readInt32LE(at + 8)) | 0;
    mix();
  }
  // The lowest byte of `c` stands for the length, which has been added above.
  const rest = Buffer.alloc(12);
  rest.set(bytes.subarray(at, at + 8));
  rest.set(bytes.subarray(at + 8), 9);
  a = (a + rest.readInt32LE(0)) | 0;
  b = (b + rest.readInt32LE(4)) | 0;
  c = (c + rest.readInt32LE(8)) | 0;

  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  c = ((c ^ b) - rotate(b, 24)) | 0;
  return { high: b, low: c };
}

const rotate = (bits: number, by: number) => (bits << by) | (bits >>> (32 - by));
