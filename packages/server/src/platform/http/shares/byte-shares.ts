import type { HeldCounts } from '../../workers/counts/held-counts.ts';

interface ByteSharesOptions {
  /** Names the kind of bytes; other shares count apart. */
  name: string;
  /** Limit of all owners together. */
  max_bytes: number;
  /**
   * Share of an owner by its kind, a prefix such as `ip:`. An owner that has nothing may take more
   * than its share, once.
   */
  max_bytes_by_kind: Readonly<Record<string, number>>;
}

/** Makes shares, over all workers, for owners such as `ip:192.0.2.7` or `key:<id>`. */
export function createByteShares(
  held: HeldCounts,
  { name, max_bytes, max_bytes_by_kind }: ByteSharesOptions,
) {
  const all = `${name} of all`;
  const nameOf = (owner: string) => `${name} ${owner}`;
  const maxOf = (owner: string) => max_bytes_by_kind[owner.slice(0, owner.indexOf(':') + 1)]!;
  const fits = (owner: string, bytes: number, already: number) =>
    already === 0 || already + bytes <= maxOf(owner);

  const give = (owners: readonly string[], bytes: number) => {
    held.remove(all, bytes);
    for (const owner of owners) held.remove(nameOf(owner), bytes);
  };
  return {
    give,
    /**
     * Counts the bytes for each owner. Counts none and returns false if they exceed the limit of all, or
     * the share of an owner.
     */
    take(owners: readonly string[], bytes: number): boolean {
      // Counts first, so that two workers never both take the last bytes.
      let isRoom = held.add(all, bytes) <= max_bytes;
      for (const owner of owners) {
        const already = held.add(nameOf(owner), bytes) - bytes;
        if (!fits(owner, bytes, already)) isRoom = false;
      }
      if (!isRoom) give(owners, bytes);
      return isRoom;
    },
    /**
     * Tells whether an owner's own share has room for these bytes. The bytes of other owners do not
     * count.
     */
    hasRoom: (owner: string, bytes: number): boolean =>
      fits(owner, bytes, held.read(nameOf(owner))),
  };
}

/** Counts bytes that are kept in memory for callers, so that no caller takes all of them. */
export type ByteShares = ReturnType<typeof createByteShares>;
