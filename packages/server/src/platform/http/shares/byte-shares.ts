/** Counts bytes that are kept in memory for callers, so that no caller takes all of them. */
export interface ByteShares {
  /**
   * Counts the bytes for each owner. Counts none and returns false if they exceed the limit of all, or
   * the share of an owner.
   */
  take(owners: readonly string[], bytes: number): boolean;
  give(owners: readonly string[], bytes: number): void;
  /** Whether an owner's own share has room for these bytes, whatever the others have. */
  hasRoom(owner: string, bytes: number): boolean;
}

export interface ByteSharesOptions {
  /** Limit of all owners together. */
  max_bytes: number;
  /**
   * Share of an owner by its kind, a prefix such as `ip:`. An owner that has nothing may take more
   * than its share, once.
   */
  max_bytes_by_kind: Readonly<Record<string, number>>;
}

/** Makes shares for owners such as `ip:192.0.2.7` or `key:<id>`. */
export function createByteShares({ max_bytes, max_bytes_by_kind }: ByteSharesOptions): ByteShares {
  const taken = new Map<string, number>();
  let all_taken = 0;
  const maxOf = (owner: string) => max_bytes_by_kind[owner.slice(0, owner.indexOf(':') + 1)]!;
  const fits = (owner: string, bytes: number) => {
    const already = taken.get(owner) ?? 0;
    return already === 0 || already + bytes <= maxOf(owner);
  };
  return {
    take(owners, bytes) {
      if (all_taken + bytes > max_bytes || !owners.every((owner) => fits(owner, bytes))) {
        return false;
      }
      all_taken += bytes;
      for (const owner of owners) taken.set(owner, (taken.get(owner) ?? 0) + bytes);
      return true;
    },
    hasRoom: fits,
    give(owners, bytes) {
      all_taken -= bytes;
      for (const owner of owners) {
        const left = taken.get(owner)! - bytes;
        if (left > 0) taken.set(owner, left);
        else taken.delete(owner);
      }
    },
  };
}
