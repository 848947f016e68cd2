/**
 * Parses JSON text that is known to be valid so that `JSON.stringify` writes whole numbers beyond
 * 2^53, such as a Steam id, with the digits they were sent with. They are not numbers meanwhile:
 * use the result for passing values on, not for reading them.
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, { source }) => {
    const isLossy =
      typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
    return isLossy ? JSON.rawJSON(source!) : value;
  });
}

// TypeScript's library does not describe these yet.
declare global {
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): object;
  }
}
