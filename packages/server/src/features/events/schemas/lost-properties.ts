type Schema = Record<string, unknown>;

/**
 * Finds the properties that the schema of an event stated, and that a new schema does not state. Such a
 * property was removed or renamed.
 * @param before Null if the event had no schema.
 */
export function findLostProperties(before: unknown, after: unknown): Set<string> {
  const kept = statedIn(after);
  return new Set([...statedIn(before)].filter((name) => !kept.has(name)));
}

const statedIn = (schema: unknown): Set<string> => {
  const { properties = {}, required = [] } = (schema ?? {}) as Schema;
  return new Set([...Object.keys(properties as object), ...(required as string[])]);
};
