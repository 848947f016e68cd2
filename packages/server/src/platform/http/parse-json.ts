import { COLON, endOfString, skipSpace } from './json-tokens.ts';

/** Takes each value, innermost first, and what stood for it in the text; answers what to keep. */
export type Revive = (value: unknown, source: string | undefined) => unknown;

/**
 * Parses JSON as `JSON.parse` should. The one of Node 24 and 26 may take a key that is written with
 * an escape for another: after `{"a":0,"\\":1}` it reads `{"a":0,"\"":1}` as having the key `\`
 * (https://github.com/nodejs/node/issues/63785), in this process as long as both have the same keys
 * before it. So that no player's data can change that of another, texts with an escape in a key are
 * parsed with numbers for keys.
 * @throws SyntaxError when the text is not JSON, RangeError when it is nested some thousands deep
 * and has an escape in a key or is given `revive`.
 */
export function parseJsonText(text: string, revive?: Revive): unknown {
  const value: unknown = revive
    ? JSON.parse(text, (_key, member: unknown, { source }) => revive(member, source))
    : JSON.parse(text);
  return hasEscapedKey(text) ? parseWithNumberedKeys(text, revive) : value;
}

function hasEscapedKey(text: string): boolean {
  let index = text.indexOf('\\');
  while (index !== -1) {
    const end = endOfString(text, index);
    if (text.charCodeAt(skipSpace(text, end)) === COLON) return true;
    index = text.indexOf('\\', end);
  }
  return false;
}

const STRING = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/** Numbers rise through the text, so that in each object the keys keep their order. */
function parseWithNumberedKeys(text: string, revive: Revive = (value) => value): unknown {
  const keys: string[] = [];
  const numbered = text.replace(STRING, (token, colon?: string) => {
    if (colon === undefined) return token;
    keys.push(JSON.parse(token.slice(0, -colon.length)) as string);
    return `"${keys.length - 1}":`;
  });
  return JSON.parse(numbered, (_key, value: unknown, { source }) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return revive(value, source);
    }
    const members = Object.entries(value).map(([number, member]) => [
      keys[Number(number)]!,
      member,
    ]);
    return revive(Object.fromEntries(members), source);
  });
}

// TypeScript's library does not describe the third argument yet.
declare global {
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
  }
}
