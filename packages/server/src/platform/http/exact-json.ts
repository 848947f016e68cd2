import { parseJsonText } from './parse-json.ts';

/**
 * Parses JSON text that is known to be valid so that `JSON.stringify` writes whole numbers beyond
 * 2^53, such as a Steam id, with the digits they were sent with. They are not numbers meanwhile:
 * use the result for passing values on, not for reading them.
 */
export function parseExactly(text: string): unknown {
  return parseJsonText(text, (value, source) => {
    const isLossy =
      typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
    return isLossy ? JSON.rawJSON(source!) : value;
  });
}

// TypeScript's library does not describe it yet.
declare global {
  interface JSON {
    rawJSON(text: string): object;
  }
}
