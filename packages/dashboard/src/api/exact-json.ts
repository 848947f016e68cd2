/** A number that a double cannot hold, such as a Steam id. It is kept as its text in the JSON. */
class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Makes `JSON.stringify` write the digits that were read. */
  toJSON(): object {
    return JSON.rawJSON(this.text);
  }

  toString(): string {
    return this.text;
  }
}

/** Only texts that match this pattern are parsed exactly, because exact parsing takes ten times as long. */
const MAY_HOLD_LARGE_NUMBER = /\d{16}|(?:^|[:,[\s])-?[\d.]+e/i;

/**
 * Parses JSON. A number beyond 2^53 that a double would change becomes an `ExactNumber`, which keeps its
 * digits on the screen and on the way back to the server. Browsers that lack `JSON.rawJSON` (Chrome
 * before 114, Firefox before 135, Safari before 18.4) read doubles.
 * @throws SyntaxError when the text is not JSON.
 */
export function parseExactly(text: string): unknown {
  if (typeof JSON.rawJSON !== 'function' || !MAY_HOLD_LARGE_NUMBER.test(text)) {
    return JSON.parse(text);
  }
  return JSON.parse(text, (_key, value: unknown, { source }) =>
    typeof value === 'number' && isChanged(value, source!) ? new ExactNumber(source!) : value,
  );
}

/** Parses like `parseExactly`, but returns `otherwise` for text that is not JSON. */
export function parseOr<Otherwise>(text: string, otherwise: Otherwise): unknown {
  try {
    return parseExactly(text);
  } catch {
    return otherwise;
  }
}

/** Tells whether a parsed value has members: an array or an object. */
export const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof ExactNumber);

/** Tells whether a double beyond 2^53 differs from the number that its text states. */
function isChanged(value: number, source: string): boolean {
  const isLarge = Math.abs(value) > Number.MAX_SAFE_INTEGER;
  return isLarge && significantDigits(source) !== significantDigits(String(value));
}

/**
 * Returns the digits of a number without zeros at either end: `12` for 0.120, 12e3
 * and 12000. Two numbers of about the same size differ if these digits differ.
 */
const significantDigits = (text: string) =>
  text
    .replace(/e.*$/i, '')
    .replaceAll(/\D/g, '')
    .replaceAll(/^0+|0+$/g, '');

// TypeScript's library does not describe these functions yet.
declare global {
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): object;
  }
}
