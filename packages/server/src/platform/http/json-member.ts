import {
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COMMA,
  endOfString,
  isDelimiter,
  isSpace,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
  skipSpace,
} from './json-tokens.ts';

/** A member's value, as the text it was sent with. */
export interface JsonMember {
  text: string;
  /** Levels of objects and arrays in it; 0 for a string, number, boolean or null. */
  nesting: number;
}

/**
 * The value of a member of a JSON object, cut out of the object's text as it is; of several members
 * with the name the last, as `JSON.parse` takes it. Null when there is none.
 * @param text An object that `JSON.parse` has accepted: nothing is checked here.
 */
export function sliceMember(text: string, name: string): JsonMember | null {
  let found: JsonMember | null = null;
  let index = skipSpace(text, text.indexOf('{') + 1);
  while (text.charCodeAt(index) !== CLOSING_BRACE) {
    const keyEnd = endOfString(text, index);
    const isNamed = isKey(text, index, keyEnd, name);
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const { end, nesting } = measureValue(text, start);
    if (isNamed) found = { text: text.slice(start, end), nesting };
    index = skipSpace(text, end);
    if (text.charCodeAt(index) === COMMA) index = skipSpace(text, index + 1);
  }
  return found;
}

/** Bytes of a JSON value with no space between its tokens and the shortest escapes in its strings. */
export function measureCompactBytes(text: string): number {
  let bytes = 0;
  let index = 0;
  while (index < text.length) {
    if (text.charCodeAt(index) === QUOTE) {
      const end = endOfString(text, index);
      const token = text.slice(index, end);
      bytes += Buffer.byteLength(
        token.includes('\\') ? JSON.stringify(JSON.parse(token)) : token,
        'utf8',
      );
      index = end;
    } else {
      if (!isSpace(text.charCodeAt(index))) bytes++;
      index++;
    }
  }
  return bytes;
}

/** Keys may be written with escapes: `"d\u0061ta"` is `data`. */
function isKey(text: string, start: number, end: number, name: string): boolean {
  const key = text.slice(start + 1, end - 1);
  return key === name || (key.includes('\\') && JSON.parse(`"${key}"`) === name);
}

function measureValue(text: string, start: number): { end: number; nesting: number } {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return { end: endOfString(text, start), nesting: 0 };
  if (first === OPENING_BRACE || first === OPENING_BRACKET) return measureContainer(text, start);
  let end = start;
  while (!isDelimiter(text.charCodeAt(end))) end++;
  return { end, nesting: 0 };
}

function measureContainer(text: string, start: number): { end: number; nesting: number } {
  let depth = 0;
  let nesting = 0;
  let index = start;
  do {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index = endOfString(text, index);
      continue;
    }
    if (code === OPENING_BRACE || code === OPENING_BRACKET) nesting = Math.max(nesting, ++depth);
    else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) depth--;
    index++;
  } while (depth > 0);
  return { end: index, nesting };
}
