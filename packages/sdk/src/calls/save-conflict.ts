/** Two saves that were both made from the same earlier save: one by this client, one by another. */
export interface SaveConflict<Data> {
  /** The data that this call would save. */
  ours: Data;
  /** The data on the server. */
  theirs: Data;
  /** The data of the earlier save, if this client has loaded or saved it. */
  base: Data | undefined;
  /** The version of the save on the server. */
  version: number;
  /** When this version was stored, ISO 8601. */
  updated_at: string;
}

/**
 * The rule that chooses the data to save when the server has a version that this client does not know:
 * - `ours`: the data of the call.
 * - `theirs`: the data on the server; nothing is stored.
 * - `newest`: the data that was saved later.
 * - `per-field`: the data on the server, together with those top-level fields that the call has changed
 *   since `base`. If a field was changed on both sides, the call's value is used. Without `base`, it is
 *   unknown what the call has changed. Then the call's data adds only fields that are missing on the server.
 * - a function: the data that it returns. It must not await other calls of `saves`, because those calls
 *   wait for the function.
 */
export type ConflictPolicy<Data, Result = Data> =
  | 'ours'
  | 'theirs'
  | 'newest'
  | 'per-field'
  | ((conflict: SaveConflict<Data>) => Result | Promise<Result>);

/** @param ours_at Time of the save on this device, in milliseconds by the server's clock. */
export const resolveConflict = <Data extends object>(
  policy: ConflictPolicy<Data>,
  conflict: SaveConflict<Data>,
  ours_at: number,
): Data | Promise<Data> => {
  const { ours, theirs, base, updated_at } = conflict;
  if (policy === 'per-field') return mergeFields(base, ours, theirs) as Data;
  if (policy === 'newest') return Date.parse(updated_at) > ours_at ? theirs : ours;
  if (policy === 'theirs') return theirs;
  return policy === 'ours' ? ours : policy(conflict);
};

type Fields = Map<string, unknown>;

const mergeFields = (base: object | undefined, ours: object, theirs: object): object => {
  const [before, wanted, merged] = [base ?? {}, ours, theirs].map(
    (save) => new Map(Object.entries(save)),
  ) as [Fields, Fields, Fields];
  for (const name of new Set([...before.keys(), ...wanted.keys()])) {
    const isChanged = base
      ? JSON.stringify(before.get(name)) !== JSON.stringify(wanted.get(name))
      : !merged.has(name);
    if (!isChanged) continue;
    if (wanted.has(name)) merged.set(name, wanted.get(name));
    else merged.delete(name);
  }
  return Object.fromEntries(merged);
};
