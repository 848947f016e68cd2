/**
 * Runs `work` for each of the parts, one after the other. A part is a group, or the part of a service that
 * serves one group. If the work fails for one part, for example because its node is down, it still runs for
 * the others.
 * @throws the first error, after the work has run for all parts.
 */
export async function forEachGroup<Part>(
  parts: readonly Part[],
  work: (part: Part) => Promise<unknown>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const part of parts) await work(part).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/**
 * Gives each of the parts a turn, one after the other, again and again until none has anything left to do. So
 * much work in one group delays no other group for longer than a turn.
 * @param takeTurn Does a short piece of work. @returns false if there was nothing to do.
 * @param signal Ends the work after the current turn.
 * @throws the first error of a round, after all parts had their turn.
 */
export async function takeTurns<Part>(
  parts: readonly Part[],
  takeTurn: (part: Part) => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  let isAnyDone: boolean;
  do {
    isAnyDone = false;
    await forEachGroup(parts, async (part) => {
      if (!signal.aborted && (await takeTurn(part))) isAnyDone = true;
    });
  } while (isAnyDone && !signal.aborted);
}

/** The maximum number of groups that one kind of housekeeping visits per second. */
const GROUPS_A_SECOND = 8;

/**
 * Computes the interval between two rounds of housekeeping over all groups. With many groups the interval is
 * longer, because a round runs at least one statement in each group.
 * @param interval_ms The interval with few groups.
 */
export const roundInterval = (
  interval_ms: number,
  { groups: { length } }: { readonly groups: readonly unknown[] },
): number =>
  length <= GROUPS_A_SECOND
    ? interval_ms
    : Math.max(interval_ms, (length * 1_000) / GROUPS_A_SECOND);
