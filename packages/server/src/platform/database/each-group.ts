/**
 * Does work for each group, or for the part of a service for each, one after the other. If it fails for one
 * group, such as one whose node is away, the others still have theirs.
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
