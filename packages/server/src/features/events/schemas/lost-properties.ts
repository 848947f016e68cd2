type Schema = Record<string, unknown>;

/**
 * Finds the properties that the schema of an event stated, and that a new schema does not state. Such a
 * property was removed or renamed.
 * @param before Null if the event had no schema.
 */
export function findLostProperties(before: unknown, after: unknown): Set<string> {
  const kept = listStatedProperties(after);
  return new Set([...listStatedProperties(before)].filter((name) => !kept.has(name)));
}

/** Lists the properties that a schema names. */
export const listStatedProperties = (schema: unknown): Set<string> => {
  const { properties = {}, required = [] } = (schema ?? {}) as Schema;
  return new Set([...Object.keys(properties as object), ...(required as string[])]);
};
