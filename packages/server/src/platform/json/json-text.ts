import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError, badRequest } from '../errors.ts';
import { MAX_ODD_NUMBERS, scanInChunks, scanJson } from './json-scan.ts';
import type { JsonScan } from './json-scan.ts';
import { parseScannedJson } from './parse-json.ts';

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

/** Finds the place of the first mistake, if `JSON.parse` reports it. */
function findPlace(bytes: Buffer): string {
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

/** Finds the reason why PostgreSQL cannot store a string as text; null if it can. */
export function findStringProblem(text: string): string | null {
  if (text.includes('\0')) return 'must not contain \\u0000';
  if (!text.isWellFormed()) return 'must not contain lone surrogates';
  return null;
}

/** Without this limit, a name of 1 MB would make a message of 1 MB. */
const MAX_SHOWN_CHARACTERS = 255;

/** Shortens a text for a message. */
export const shorten = (text: string): string =>
  text.length <= MAX_SHOWN_CHARACTERS
    ? text
    : `${text.slice(0, MAX_SHOWN_CHARACTERS).toWellFormed()}…`;

/**
 * Finds a part of a value that cannot be stored, and names its place in a message. Returns null when all
 * parts can be stored.
 * @param path The place of the value itself; empty for the whole request body.
 */
export function findUnstorable(value: unknown, path: string): string | null {
  const found = findIn(value);
  if (found === null) return null;
  const place = shorten(found.steps.reduceRight(addStep, path));
  if (found.isKey) return `A key in ${place || 'the request body'} ${found.problem}`;
  return `${place || 'The request body'} ${found.problem}`;
}

interface Unstorable {
  problem: string;
  /** True if the problem is in a key of the object to which the steps lead. */
  isKey: boolean;
  /** The steps from the value to the problem, the last step first. */
  steps: (string | number)[];
}

const addStep = (path: string, step: string | number) => {
  if (typeof step === 'number') return `${path}[${step}]`;
  return path === '' ? step : `${path}.${step}`;
};

/**
 * Finds the first part that cannot be stored. The path to it is collected only after it is found, on the way
 * back from the recursion: writing the path of every part would take longer than parsing.
 */
function findIn(value: unknown): Unstorable | null {
  if (typeof value === 'string') {
    const problem = findStringProblem(value);
    return problem === null ? null : { problem, isKey: false, steps: [] };
  }
  if (typeof value === 'number') {
    return Number.isFinite(value) ? null : { problem: 'is too large', isKey: false, steps: [] };
  }
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = findIn(value[index]);
      if (found === null) continue;
      found.steps.push(index);
      return found;
    }
    return null;
  }
  const members = value as Record<string, unknown>;
  for (const key in members) {
    const problem = findStringProblem(key);
    if (problem !== null) return { problem, isKey: true, steps: [] };
    const found = findIn(members[key]);
    if (found === null) continue;
    found.steps.push(key);
    return found;
  }
  return null;
}
