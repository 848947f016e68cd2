/** Two saves that were made from the same one. */
export interface SaveConflict<Data> {
  /** What was to be saved. */
  ours: Data;
  /** What is on the server. */
  theirs: Data;
  /** What both were made from, as far as this client has loaded or saved it. */
  base: Data | undefined;
  /** Version on the server. */
  version: number;
  /** When it was stored there, ISO 8601. */
  updated_at: string;
}

/**
 * What to save when the server has a version that is not known here:
 * - `ours`: what was to be saved.
 * - `theirs`: what is on the server; nothing is stored.
 * - `newest`: whichever was saved later.
 * - `per-field`: theirs, with those top-level fields of ours that have changed since the base. A field
 *   that has changed in both is ours.
 * - a function: what it returns, of both. Other calls of `saves` wait for it: it must await none.
 */
export type ConflictPolicy<Data> =
  | 'ours'
  | 'theirs'
  | 'newest'
  | 'per-field'
  | ((conflict: SaveConflict<Data>) => Data | Promise<Data>);

/** @param ours_at When ours was saved, in milliseconds by the server's clock. */
export async function resolveConflict<Data extends object>(
  policy: ConflictPolicy<Data>,
  conflict: SaveConflict<Data>,
  ours_at: number,
): Promise<Data> {
  const { ours, theirs, base, updated_at } = conflict;
  if (policy === 'per-field') return mergeFields(base ?? {}, ours, theirs) as Data;
  if (policy === 'newest') return Date.parse(updated_at) > ours_at ? theirs : ours;
  if (policy === 'theirs') return theirs;
  return policy === 'ours' ? ours : policy(conflict);
}

function mergeFields(base: object, ours: object, theirs: object): object {
  const before = new Map(Object.entries(base));
  const wanted = new Map(Object.entries(ours));
  const merged = new Map(Object.entries(theirs));
  for (const name of new Set([...before.keys(), ...wanted.keys()])) {
    if (JSON.stringify(before.get(name)) === JSON.stringify(wanted.get(name))) continue;
    if (wanted.has(name)) merged.set(name, wanted.get(name));
    else merged.delete(name);
  }
  return Object.fromEntries(merged);
}
