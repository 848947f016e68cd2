import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError, badRequest } from '../errors.ts';
import {
  BACKSLASH,
  isHighSurrogate,
  isLowSurrogate,
  MAX_ODD_NUMBERS,
  QUOTE,
  readUnit,
  scanInChunks,
  scanJson,
  SLASH,
  textOf,
} from './json-scan.ts';
import type { JsonScan } from './json-scan.ts';
import { findUnstorable } from './json-text.ts';

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

/** The deepest nesting of arrays and objects that a request body may have. */
export const MAX_NESTING = 64;

/** @throws ApiError 400 when the bytes are not UTF-8, or 415 when they are the file format of gzip. */
export function refuseOtherEncodings(bytes: Buffer): void {
  if (isUtf8(bytes)) return;
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) throw compressed();
  throw badRequest('The request body is not valid UTF-8');
}

/** The 415 error for a compressed body. Its header names the one coding that the server takes. */
export const compressed = () =>
  new ApiError(
    415,
    'The request body must not be compressed: send it as plain JSON, without Content-Encoding',
    {},
    { headers: { 'accept-encoding': 'identity' } },
  );

/** The size of a chunk. Scanning a chunk takes about 2 ms, even in the worst case. */
const CHUNK_BYTES = 256 * 1024;
/** The scans of large bodies, made before their handlers need them. */
const scans_ahead = new WeakMap<Buffer, { member: string | null; scan: JsonScan | null }>();

/** Tells whether a request body is so large that it is scanned in chunks. */
export const isScannedAhead = (bytes: Buffer): boolean => bytes.length > CHUNK_BYTES;

/**
 * Scans a large request body in chunks, so that other requests are served meanwhile, and stores the result
 * for `scanBody`.
 * @param member The name of a member whose place the scan finds.
 */
export async function scanAhead(bytes: Buffer, member: string | null): Promise<void> {
  const scan = scanInChunks(bytes, CHUNK_BYTES, member);
  let chunk = scan.next();
  while (!chunk.done) {
    await nextTurn();
    chunk = scan.next();
  }
  scans_ahead.set(bytes, { member, scan: chunk.value });
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/**
 * Scans a request body that is UTF-8, before the body is parsed.
 * @param member The name of a member whose place the scan finds.
 * @throws ApiError 400 when the body is not JSON.
 */
export function scanBody(bytes: Buffer, member: string | null = null): JsonScan {
  const ahead = scans_ahead.get(bytes);
  const scan = ahead?.member === member ? ahead.scan : scanJson(bytes, member);
  if (scan === null) {
    if (bytes.subarray(0, 3).equals(BYTE_ORDER_MARK)) {
      throw badRequest('The request body begins with a byte order mark (BOM): send it without');
    }
    throw badRequest(`The request body is not valid JSON${findPlace(bytes)}`);
  }
  return scan;
}

/**
 * Finds the place of the first mistake, if `JSON.parse` reports it. It is not asked about large bodies, because
 * it could block the event loop for a quarter of a second.
 */
function findPlace(bytes: Buffer): string {
  if (isScannedAhead(bytes)) return '';
  try {
    JSON.parse(bytes.toString());
    return '';
  } catch (cause) {
    const place = /line \d+ column \d+/.exec((cause as Error).message)?.[0];
    return place ? ` (${place})` : '';
  }
}

/** A body, and the scan of its text. */
interface ReadBody {
  value: unknown;
  scan: JsonScan;
}

/**
 * Parses a request body by the rules of JSON only: `__proto__` is an ordinary key, and the last of several
 * equal keys counts. Refuses values that the database cannot store or that cannot be read back: `\u0000`,
 * lone surrogates, numbers that are not finite, more than 64 levels.
 * @param member The name of a member whose place the scan finds.
 * @throws ApiError 400 for a body that is not JSON, and for a refused value, with a message that names its
 * place, such as `properties.name must not contain \u0000`.
 */
export function readJsonBody(bytes: Buffer, member: string | null = null): ReadBody {
  const scan = scanBody(bytes, member);
  refuseCostly(scan);
  const value = parseScannedJson(bytes, scan);
  refuseUnstorable(value, scan);
  return { value, scan };
}

/**
 * Reads a query parameter that is JSON by the rules of `readJsonBody`.
 * @param name The name of the parameter, with which messages begin.
 */
export function readJsonText(name: string, text: string): unknown {
  const bytes = Buffer.from(text);
  const scan = scanJson(bytes);
  if (scan === null) throw badRequest(`${name} is not valid JSON`);
  if (scan.rest.nesting >= MAX_NESTING) throw nestedTooDeep();
  const value = parseScannedJson(bytes, scan);
  refuseUnstorable({ [name]: value }, scan);
  return value;
}

/**
 * @throws ApiError 400 for a body that is nested too deep, or has too many numbers that are slow to check.
 */
export function refuseCostly({ rest, member, numbers }: JsonScan): void {
  if (Math.max(rest.nesting, member.nesting) > MAX_NESTING) throw nestedTooDeep();
  if (numbers.length > 2 * MAX_ODD_NUMBERS) {
    throw badRequest(
      `At most ${MAX_ODD_NUMBERS.toLocaleString('en')} numbers of a request may have three digits of exponent or 200 digits`,
    );
  }
}

/** The 400 error for a body with too many levels. */
export const nestedTooDeep = () =>
  badRequest(`The request body is nested deeper than ${MAX_NESTING} levels`);

/**
 * Tells whether a text may contain a value that cannot be stored. If not, the
 * parsed value need not be searched.
 */
export const mayBeUnstorable = ({ rest, member, numbers }: JsonScan): boolean =>
  rest.has_bad_string || member.has_bad_string || numbers.length > 0;

/**
 * @param value The value of the scanned text, or an object around that value, whose key names the value in
 * messages.
 * @throws ApiError 400 naming the place of a value that cannot be stored.
 */
export function refuseUnstorable(value: unknown, scan: JsonScan): void {
  if (!mayBeUnstorable(scan)) return;
  const problem = findUnstorable(value, '');
  if (problem !== null) throw badRequest(problem);
  if (scan.rest.has_bad_string || scan.member.has_bad_string) throw badRequest(HIDDEN);
}

/**
 * If an object has two members with the same name, the later one counts. The earlier one must
 * be storable too, because the stored text contains both.
 */
export const HIDDEN = 'A member that is given twice must not contain \\u0000 or lone surrogates';
