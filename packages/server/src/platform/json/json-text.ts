import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { badRequest } from '../errors.ts';
import { MAX_ODD_NUMBERS, scanInChunks, scanJson } from './json-scan.ts';
import type { JsonScan } from './json-scan.ts';
import { parseScannedJson } from './parse-json.ts';

/** Deepest nesting of arrays and objects in a request body. */
export const MAX_NESTING = 64;

/** @throws ApiError 400 when the bytes are not UTF-8. */
export function refuseOtherEncodings(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw badRequest('The request body is not valid UTF-8');
}

/** A chunk takes about 2 ms, even of the worst text. */
const CHUNK_BYTES = 256 * 1024;
/** The scans of large bodies, until their handlers ask for them. */
const scans_ahead = new WeakMap<Buffer, { member: string | null; scan: JsonScan | null }>();

/** Tells whether a request body is so large that it is read through in chunks. */
export const isScannedAhead = (bytes: Buffer): boolean => bytes.length > CHUNK_BYTES;

/**
 * Reads through a large request body in chunks, so that other requests are served meanwhile, and
 * keeps the result for `scanBody`.
 * @param member Name of a member whose place is wanted.
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

/**
 * Reads through a request body that is UTF-8, before it is parsed.
 * @param member Name of a member whose place is wanted.
 * @throws ApiError 400 when it is not JSON.
 */
export function scanBody(bytes: Buffer, member: string | null = null): JsonScan {
  const ahead = scans_ahead.get(bytes);
  const scan = ahead?.member === member ? ahead.scan : scanJson(bytes, member);
  if (scan === null) throw badRequest(`The request body is not valid JSON${findPlace(bytes)}`);
  return scan;
}

/** The place of the first mistake, if `JSON.parse` tells it. */
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
 * Parses a request body without rules of its own: `__proto__` is an ordinary key, and of duplicate
 * keys the last counts. Refuses values that the database cannot store or nobody can read back:
 * `\u0000`, lone surrogates, numbers that are not finite, nesting over 64.
 * @param member Name of a member whose place is wanted.
 * @throws ApiError 400 for a body that is not JSON, and for a refused value with its place, such as
 * `properties.name must not contain \u0000`.
 */
export function readJsonBody(bytes: Buffer, member: string | null = null): ReadBody {
  const scan = scanBody(bytes, member);
  refuseCostly(scan);
  const value = parseScannedJson(bytes, scan);
  refuseUnstorable(value, scan);
  return { value, scan };
}

/**
 * Reads a query parameter that is JSON by the same rules.
 * @param name Name of the parameter, with which messages begin.
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

/** @throws ApiError 400 for a body that is nested too deep, or has too many odd numbers. */
export function refuseCostly({ rest, member, odd_numbers }: JsonScan): void {
  if (Math.max(rest.nesting, member.nesting) > MAX_NESTING) throw nestedTooDeep();
  if (odd_numbers.length > 2 * MAX_ODD_NUMBERS) {
    throw badRequest(
      `At most ${MAX_ODD_NUMBERS.toLocaleString('en')} numbers of a request may have three digits of exponent or 200 digits`,
    );
  }
}

/** The refusal of a body with too many levels (400). */
export const nestedTooDeep = () =>
  badRequest(`The request body is nested deeper than ${MAX_NESTING} levels`);

/** True if a text may hold a value that cannot be stored. Only then its value is searched. */
export const mayBeUnstorable = ({ rest, member, odd_numbers }: JsonScan): boolean =>
  rest.has_bad_string || member.has_bad_string || odd_numbers.length > 0;

/**
 * @param value The value of the scanned text, or an object around it that names it in messages.
 * @throws ApiError 400 naming the place of a value that cannot be stored.
 */
export function refuseUnstorable(value: unknown, scan: JsonScan): void {
  if (!mayBeUnstorable(scan)) return;
  const problem = findUnstorable(value, '');
  if (problem !== null) throw badRequest(problem);
  if (scan.rest.has_bad_string || scan.member.has_bad_string) throw badRequest(HIDDEN);
}

/** A hidden member must be storable too, because it is in the text. */
export const HIDDEN = 'A member that is given twice must not contain \\u0000 or lone surrogates';

/** The reason why PostgreSQL cannot store a string as text, or null. */
export function findStringProblem(text: string): string | null {
  if (text.includes('\0')) return 'must not contain \\u0000';
  if (!text.isWellFormed()) return 'must not contain lone surrogates';
  return null;
}

/** A name of 1 MB would make a message of 1 MB. */
const MAX_SHOWN_CHARACTERS = 255;

/** Shortens a text for a message. */
export const shorten = (text: string): string =>
  text.length <= MAX_SHOWN_CHARACTERS
    ? text
    : `${text.slice(0, MAX_SHOWN_CHARACTERS).toWellFormed()}…`;

/**
 * Finds a part of a value that cannot be stored, and names its place in a message. Gives null when
 * all parts can be stored.
 * @param path The value's own place; empty for the request body as a whole.
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
  /** True if it is a key of the object to which the steps lead. */
  isKey: boolean;
  /** The steps from the value to it, the last one first. */
  steps: (string | number)[];
}

const addStep = (path: string, step: string | number) => {
  if (typeof step === 'number') return `${path}[${step}]`;
  return path === '' ? step : `${path}.${step}`;
};

/** Notes the steps on the way back: to write the text of every place costs more than parsing. */
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
