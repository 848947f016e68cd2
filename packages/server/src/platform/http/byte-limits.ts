import type { InUseCounts } from '../workers/counts/in-use-counts.ts';

interface ByteLimitOptions {
  /** The name of the kind of bytes. Bytes with other names are counted separately. */
  name: string;
  /** The limit for all owners together. */
  max_bytes: number;
  /**
   * The limit of an owner, by the kind of owner, which is a prefix such as `ip:`.
   * An owner that holds no bytes yet may take more than its limit in one call.
   */
  max_bytes_by_kind: Readonly<Record<string, number>>;
}

/** Makes a limit that all workers count together, for owners such as `ip:192.0.2.7` or `key:<id>`. */
export function createByteLimit(
  inUse: InUseCounts,
  { name, max_bytes, max_bytes_by_kind }: ByteLimitOptions,
) {
  const all = `${name} of all`;
  const nameOf = (owner: string) => `${name} ${owner}`;
  const maxOf = (owner: string) => max_bytes_by_kind[owner.slice(0, owner.indexOf(':') + 1)]!;
  const fits = (owner: string, bytes: number, already: number) =>
    already === 0 || already + bytes <= maxOf(owner);

  const give = (owners: readonly string[], bytes: number) => {
    inUse.remove(all, bytes);
    for (const owner of owners) inUse.remove(nameOf(owner), bytes);
  };
  return {
    give,
    /**
     * Counts the bytes for each owner. If they exceed the limit for all owners, or that of one owner, counts
     * nothing and returns false.
     */
    take(owners: readonly string[], bytes: number): boolean {
      // The bytes are counted before they are checked, so two workers never both take the last bytes.
      let isRoom = inUse.add(all, bytes) <= max_bytes;
      for (const owner of owners) {
        const already = inUse.add(nameOf(owner), bytes) - bytes;
        if (!fits(owner, bytes, already)) isRoom = false;
      }
      if (!isRoom) give(owners, bytes);
      return isRoom;
    },
    /**
     * Tells whether an owner's own limit has room for these bytes. The bytes of other owners do not
     * count.
     */
    hasRoom: (owner: string, bytes: number): boolean =>
      fits(owner, bytes, inUse.read(nameOf(owner))),
  };
}

/** A limit on the bytes that may be in memory for callers. No caller can take all of these bytes. */
export type ByteLimit = ReturnType<typeof createByteLimit>;
