import { randomBytes } from 'node:crypto';
import { badRequest } from '../errors.ts';
import { scanJson, textOf } from './json-scan.ts';
import {
  BACKSLASH,
  isHighSurrogate,
  isLowSurrogate,
  QUOTE,
  readUnit,
  SLASH,
} from './json-tokens.ts';

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

/**
 * The prefix of stand-ins, which replace keys that need escapes. The prefix is secret, so nobody can send a
 * key that begins with it.
 */
const STAND_IN = randomBytes(9).toString('base64url');
/** The greatest length of a stand-in, which is the prefix and a number. */
const MAX_STAND_IN_LENGTH = 24;

/** A JSON text without escapes in keys. */
interface PlainKeys {
  text: string;
  /** Maps each stand-in to its key, which JSON can write only with escapes. */
  stand_ins: ReadonlyMap<string, string>;
}

/**
 * Writes keys without escapes: `"\u540d"` as `"名"`. A key with a quotation mark, a backslash or a control
 * character cannot be written without an escape, so the key is replaced by a stand-in.
 * @param bytes A JSON text.
 * @param places The places of the keys that contain escapes, as `scanJson` finds them.
 * @throws ApiError 400 for more than `max_stand_ins` keys that need a stand-in.
 */
function writeKeysPlainly(
  bytes: Uint8Array,
  places: readonly number[],
  max_stand_ins: number,
): PlainKeys {
  const stand_ins = new Map<string, string>();
  const names = new Map<string, string>();
  const most = Math.min(places.length / 2, max_stand_ins);
  const plain = Buffer.allocUnsafe(bytes.length + most * MAX_STAND_IN_LENGTH);
  let count = 0;
  let at = 0;
  let from = 0;
  for (let index = 0; index < places.length; index += 2) {
    const start = places[index]!;
    const end = places[index + 1]!;
    at = copy(bytes, from, start, plain, at);
    from = end;
    const written = unescape(bytes, start, end, plain, at);
    if (written >= 0) {
      at = written;
      continue;
    }
    if (++count > max_stand_ins) {
      throw badRequest(
        `At most ${max_stand_ins.toLocaleString('en')} keys of a request may have quotation marks, backslashes or control characters`,
      );
    }
    const key = JSON.parse(`"${textOf(bytes, start, end)}"`) as string;
    let name = names.get(key);
    if (name === undefined) {
      name = STAND_IN + names.size;
      names.set(key, name);
      stand_ins.set(name, key);
    }
    at += plain.write(name, at, 'latin1');
  }
  at = copy(bytes, from, bytes.length, plain, at);
  return { text: plain.toString('utf8', 0, at), stand_ins };
}

/** A call of `set` takes as long as a loop that copies this number of bytes. */
const SHORT = 64;

function copy(from: Uint8Array, start: number, end: number, to: Buffer, at: number): number {
  if (end - start > SHORT) to.set(from.subarray(start, end), at);
  else for (let index = start; index < end; index++) to[at + index - start] = from[index]!;
  return at + end - start;
}

/** Writes a key without escapes; returns -1 if the key needs escapes, or contains a lone surrogate. */
function unescape(
  bytes: Uint8Array,
  start: number,
  end: number,
  to: Buffer,
  place: number,
): number {
  let at = place;
  let index = start;
  while (index < end) {
    const byte = bytes[index]!;
    if (byte !== BACKSLASH) {
      to[at++] = byte;
      index++;
      continue;
    }
    let unit = readUnit(bytes, index);
    if (unit < 0) {
      // Of the characters with a short escape such as `\n`, only the slash may also stand in a JSON string as
      // itself.
      if (bytes[index + 1] !== SLASH) return -1;
      unit = SLASH;
      index += 2;
    } else {
      index += 6;
      if (isHighSurrogate(unit)) {
        const low = readUnit(bytes, index);
        if (!isLowSurrogate(low)) return -1;
        unit = 0x1_0000 + ((unit - 0xd800) << 10) + low - 0xdc00;
        index += 6;
      } else if (isLowSurrogate(unit)) {
        return -1;
      }
    }
    if (unit < 0x20 || unit === QUOTE || unit === BACKSLASH) return -1;
    at = writeCharacter(unit, to, at);
  }
  return at;
}

/** Writes a character in UTF-8. */
function writeCharacter(code: number, to: Buffer, place: number): number {
  let at = place;
  if (code < 0x80) {
    to[at++] = code;
    return at;
  }
  if (code < 0x800) {
    to[at++] = 0xc0 | (code >> 6);
  } else {
    if (code < 0x1_0000) {
      to[at++] = 0xe0 | (code >> 12);
    } else {
      to[at++] = 0xf0 | (code >> 18);
      to[at++] = 0x80 | ((code >> 12) & 0x3f);
    }
    to[at++] = 0x80 | ((code >> 6) & 0x3f);
  }
  to[at++] = 0x80 | (code & 0x3f);
  return at;
}
