/** Steps through JSON text that is known to be valid: nothing is checked here. */

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPENING_BRACKET = 0x5b;
export const CLOSING_BRACKET = 0x5d;
export const OPENING_BRACE = 0x7b;
export const CLOSING_BRACE = 0x7d;
export const ZERO = 0x30;
export const NINE = 0x39;
const BACKSLASH = 0x5c;

/**
 * Past the closing quote of the string that is open after `start`: the place of its opening quote,
 * or of a backslash in it that begins an escape.
 */
export function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote + 1;
}

/** Whether an odd number of backslashes stands before the index. */
function isEscaped(text: string, index: number): boolean {
  let first = index;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (index - first) % 2 === 1;
}

/** The first place from `start` on that is not space. */
export function skipSpace(text: string, start: number): number {
  let index = start;
  while (isSpace(text.charCodeAt(index))) index++;
  return index;
}

/** The four characters that JSON allows between tokens. */
export const isSpace = (code: number): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** Whether a character ends a number, `true`, `false` or `null`. */
export const isDelimiter = (code: number): boolean =>
  code === COMMA || code === CLOSING_BRACE || code === CLOSING_BRACKET || isSpace(code);
