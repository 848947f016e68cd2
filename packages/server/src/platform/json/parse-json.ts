import { scanJson } from './json-scan.ts';
import { writeKeysPlainly } from './plain-keys.ts';

/**
 * Parses JSON as `JSON.parse` should. `JSON.parse` of Node 24 and 26 may mistake a key with an escape for
 * another key: after it has parsed `{"a":0,"\\":1}`, it reads the key `\` in `{"a":0,"\"":1}`, because the
 * same keys come before it (https://github.com/nodejs/node/issues/63785). So `JSON.parse` never gets a key
 * with an escape here. If it did, the data of one player could change the data of another.
 * @throws SyntaxError if the text is not JSON. RangeError if the text is nested some thousand levels deep and
 * has a key that needs an escape.
 */
export function parseJsonText(text: string): unknown {
  if (!text.includes('\\')) return JSON.parse(text);
  const bytes = Buffer.from(text);
  const escaped_keys = scanJson(bytes)?.escaped_keys ?? [];
  if (escaped_keys.length === 0) return JSON.parse(text);
  return parseEscapedKeys(bytes, escaped_keys, Infinity);
}

/**
 * The maximum number of keys in a request that need an escape. Each takes ten times as long as another key.
 */
const MAX_STAND_INS = 1_000;

/**
 * Parses a request's body with the result of `scanJson`.
 * @throws ApiError 400 when the body has more than a thousand keys that need an escape.
 */
export function parseScannedJson(
  bytes: Buffer,
  { escaped_keys }: { escaped_keys: readonly number[] },
): unknown {
  if (escaped_keys.length === 0) return JSON.parse(bytes.toString());
  return parseEscapedKeys(bytes, escaped_keys, MAX_STAND_INS);
}

function parseEscapedKeys(bytes: Uint8Array, places: readonly number[], max: number): unknown {
  const { text, stand_ins } = writeKeysPlainly(bytes, places, max);
  const value: unknown = JSON.parse(text);
  return stand_ins.size === 0 ? value : renameKeys(value, stand_ins);
}

function renameKeys(value: unknown, stand_ins: ReadonlyMap<string, string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const element: unknown = value[index];
      if (typeof element === 'object' && element !== null) {
        value[index] = renameKeys(element, stand_ins);
      }
    }
    return value;
  }
  const members = value as Record<string, unknown>;
  let hasStandIn = false;
  for (const name in members) {
    const member = members[name];
    if (typeof member === 'object' && member !== null) {
      members[name] = renameKeys(member, stand_ins);
    }
    hasStandIn ||= stand_ins.has(name);
  }
  if (!hasStandIn) return value;
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [stand_ins.get(name) ?? name, member]),
  );
}
