/** Two hashes of a key: the number of its bucket in a table, and its tag in this bucket, which is never 0. */
interface KeyHash {
  bucket: number;
  tag: number;
}

/**
 * Hashes a key with the mixing steps of cyrb53. The seed is random, so nobody can choose keys that share a
 * count.
 */
export function hashKey(key: string, seed: number): KeyHash {
  let a = 0xdeadbeef ^ seed;
  let b = 0x41c6ce57 ^ seed;
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return { bucket: a >>> 0, tag: b || 1 };
}
