/**
 * Does work for each group, or for each group's part of a service, one after the other. If the work fails for
 * one group, for example because its node is down, the others still have their turn.
 * @throws the first error, after all have had their turn.
 */
export async function forEachGroup<Part>(
  parts: readonly Part[],
  work: (part: Part) => Promise<unknown>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const part of parts) await work(part).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/** The most groups that one kind of housekeeping looks at in a second. */
const GROUPS_A_SECOND = 8;

/**
 * Computes the interval between two rounds of housekeeping over all groups: a round costs a statement in each
 * group, even where nothing is to be done.
 * @param interval_ms The interval with few groups.
 */
export const roundInterval = (
  interval_ms: number,
  { groups: { length } }: { readonly groups: readonly unknown[] },
): number =>
  length <= GROUPS_A_SECOND
    ? interval_ms
    : Math.max(interval_ms, (length * 1_000) / GROUPS_A_SECOND);
