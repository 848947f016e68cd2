/** A kept version of a save, without its data. */
export interface KeptVersion {
  version: number;
  size_bytes: number;
  app_version: string | null;
  /** True if it was saved in the time, and by the versions of the game, that the question names. */
  is_asked: boolean;
}

/** A save with bad versions. */
export interface BadSave {
  /** The first bad version. */
  bad: KeptVersion;
  /** The kept version before it; null if there is none. */
  good: KeptVersion | null;
  newest: KeptVersion;
  /** True if the newest version is not bad. */
  has_played_on: boolean;
}

/**
 * Finds the bad versions of a save: those that are asked about and meet the conditions. A version with a bad
 * one before it is compared with the good version, so that coins that stay lost are still lost.
 * @param versions All kept versions, in order.
 * @param meets Tells whether a version meets the conditions, compared with an earlier one.
 * @returns null if no version is bad.
 */
export function judge(
  versions: readonly KeptVersion[],
  meets: (version: KeptVersion, before: KeptVersion | null) => boolean,
): BadSave | null {
  let found: Pick<BadSave, 'bad' | 'good'> | null = null;
  let last_bad: KeptVersion | null = null;
  for (const [index, version] of versions.entries()) {
    if (!version.is_asked) continue;
    const before: KeptVersion | null = found === null ? (versions[index - 1] ?? null) : found.good;
    if (!meets(version, before)) continue;
    found ??= { bad: version, good: before };
    last_bad = version;
  }
  const newest = versions.at(-1)!;
  return found && { ...found, newest, has_played_on: last_bad !== newest };
}
