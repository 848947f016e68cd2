type Schema = Record<string, unknown>;

/**
 * Lists the properties that the schema of an event stated, and that a new schema does not state. Such a
 * property was removed or renamed.
 * @param before Null if the event had no schema.
 */
export function listLostProperties(before: unknown, after: unknown): string[] {
  const kept = statedIn(after);
  return statedIn(before).filter((name) => !kept.includes(name));
}

const statedIn = (schema: unknown): string[] => {
  const { properties = {}, required = [] } = (schema ?? {}) as Schema;
  return [...new Set([...Object.keys(properties as object), ...(required as string[])])];
};
