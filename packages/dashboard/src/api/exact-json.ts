/** A number that JavaScript would change, such as a Steam id: its text as JSON has it. */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Makes `JSON.stringify` write it as it was. */
  toJSON(): object {
    return JSON.rawJSON(this.text);
  }

  toString(): string {
    return this.text;
  }
}

/** Keeping the source of each value makes parsing ten times slower. */
const MAY_HOLD_LARGE_NUMBER = /\d{16}|(?:^|[:,[\s])-?[\d.]+e/i;

/**
 * Parses JSON. A number beyond 2^53 is an `ExactNumber` where a double would change it, so that it
 * shows, and goes back to the server, with the digits it has. Browsers that lack `JSON.rawJSON`
 * (Chrome before 114, Firefox before 135, Safari before 18.4) read doubles.
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

/** As `parseExactly`, with a value of the caller's for text that is not JSON. */
export function parseOr<Otherwise>(text: string, otherwise: Otherwise): unknown {
  try {
    return parseExactly(text);
  } catch {
    return otherwise;
  }
}

/** Whether a parsed value has members: an array or an object. */
export const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof ExactNumber);

/** Whether the double that was read of a number's text is another number, and beyond 2^53. */
function isChanged(value: number, source: string): boolean {
  const isLarge = Math.abs(value) > Number.MAX_SAFE_INTEGER;
  return isLarge && significantDigits(source) !== significantDigits(String(value));
}

/** `12` of 0.120, 12e3 and 12000 alike: numbers of about one size differ where these do. */
const significantDigits = (text: string) =>
  text
    .replace(/e.*$/i, '')
    .replaceAll(/\D/g, '')
    .replaceAll(/^0+|0+$/g, '');

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
