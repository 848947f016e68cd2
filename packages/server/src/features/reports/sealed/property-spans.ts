const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const CLOSE = 0x7d;
const [OPEN, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x5b, 0x5d];

/** Short parts of a text are copies. Longer ones would keep the whole text in memory. */
const MAX_COPIED_LENGTH = 12;
/** So many properties are expected where they were in earlier objects. */
const MAX_SEEN = 100;

interface Seen {
  name: string;
  /** The name as JSON. */
  quoted: string;
  /** The last value; empty if it was long. */
  json: string;
}

/** Returns a text that does not keep a longer one in memory. */
export const copy = (text: string): string =>
  text.length <= MAX_COPIED_LENGTH ? text : Buffer.from(text).toString();

/**
 * Makes a reader of objects that are often alike. It calls `onProperty` with the name and the JSON of each property,
 * in time that is a fifth of `JSON.parse`, which would lose digits of numbers.
 */
export function createPropertyReader() {
  const seen: Seen[] = [];
  const read = (text: string, at: number, place: number): Seen => {
    const name_end = endOfString(text, at);
    const quoted = text.slice(at, name_end + 1);
    const name = quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
    const isKept = quoted.length <= MAX_COPIED_LENGTH || seen[place] === undefined;
    if (!isKept || place >= MAX_SEEN) return { name, quoted, json: '' };
    return (seen[place] = { name: copy(name), quoted: copy(quoted), json: '' });
  };
  /**
   * @param text An object, as PostgreSQL writes `jsonb`: with one space after each colon and comma, and no other
   * space outside of strings.
   */
  return (text: string, onProperty: (name: string, json: string) => void): void => {
    let at = 1;
    for (let place = 0; text.charCodeAt(at) === QUOTE; place++) {
      let property = seen[place];
      if (property === undefined || !text.startsWith(property.quoted, at)) {
        property = read(text, at, place);
      }
      const start = at + property.quoted.length + 2;
      let { json } = property;
      let end = start + json.length;
      // A value that was read to its end ends there again, if no number goes on.
      if (json === '' || !text.startsWith(json, start) || !isEnd(text.charCodeAt(end))) {
        end = endOfValue(text, start);
        json = text.slice(start, end);
        property.json = json.length <= MAX_COPIED_LENGTH ? json : '';
      }
      onProperty(property.name, json);
      at = end + 2;
    }
  };
}

const isEnd = (code: number): boolean => code === COMMA || code === CLOSE;

/** Finds the quote that ends the string that begins here. */
function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from + 1);
  while (end !== -1 && text.charCodeAt(end - 1) === BACKSLASH && isEscaped(text, end)) {
    end = text.indexOf('"', end + 1);
  }
  if (end === -1) throw new RangeError('A string has no end');
  return end;
}

function isEscaped(text: string, quote: number): boolean {
  let at = quote - 1;
  while (text.charCodeAt(at) === BACKSLASH) at--;
  return (quote - at) % 2 === 0;
}

/** Finds the comma or brace after the value that begins here. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (depth === 0 && isEnd(code)) return at;
    else if (code === OPEN || code === OPEN_LIST) depth++;
    else if (code === CLOSE || code === CLOSE_LIST) depth--;
  }
  throw new RangeError('A value has no end');
}

/** Matches zeros as `propertyText` in SQL does. */
const ZEROS = /("(?:[^"\\]|\\.)*")|(\.\d*[1-9])0+(?!\d)|\.0+(?!\d)/g;

/** Writes JSON so that all spellings of a number have one text: `3.0` is `3`. */
export const withoutZeros = (json: string): string =>
  json.charCodeAt(0) !== QUOTE && json.includes('.') && json.includes('0')
    ? json.replace(ZEROS, '$1$2')
    : json;
