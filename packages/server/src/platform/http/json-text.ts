import { isUtf8 } from 'node:buffer';
import { badRequest } from '../errors.ts';
import {
  CLOSING_BRACE,
  CLOSING_BRACKET,
  endOfString,
  NINE,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
  ZERO,
} from './json-tokens.ts';
import { parseJsonText } from './parse-json.ts';

/** Deepest nesting of arrays and objects in a request body. */
export const MAX_NESTING = 64;

/**
 * Decodes a request body.
 * @throws ApiError 400 when the bytes are not UTF-8.
 */
export function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw badRequest('The request body is not valid UTF-8');
  return bytes.toString('utf8');
}

/**
 * Parses JSON text without rules of its own: `__proto__` is an ordinary key, and of duplicate keys
 * the last counts.
 * @throws ApiError 400 when the text is not JSON.
 */
export function parseJson(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch (cause) {
    if (cause instanceof RangeError) throw badRequest('The request body is nested too deep');
    const reason = cause instanceof Error ? cause.message : '';
    const place = /line \d+ column \d+/.exec(reason)?.[0];
    throw badRequest(`The request body is not valid JSON${place ? ` (${place})` : ''}`);
  }
}

const MAY_HOLD_BAD_STRING = /\\u(?:0000|[dD][89a-fA-F])/;
/** With fewer digits and an exponent of two, a number is finite; not just any hexadecimal id. */
const MAY_HOLD_BAD_NUMBER = /(?:^|[:,[\s])-?\d+(?:\.\d+)?[eE]\+?\d{3}|\d{200}/;

const MAY_HOLD_ODD_NUMBER = /[:,[\s]-?\d+(?:\.\d+)?[eE][+-]?\d{3}|\d{200}/;

const MAY_HOLD_LONG_EXPONENT = /[eE][+-]?\d\d+(?:[\s,}\]]|$)/;

/**
 * Whether a JSON text could hold a number with an exponent of two digits or more, or with 200
 * digits. It costs a third of looking for the numbers themselves, which only such a text needs.
 */
export const mayHoldLongNumber = (text: string): boolean =>
  MAY_HOLD_LONG_EXPONENT.test(text) || mayHoldManyDigits(text);

const STEP = 100;

/** Of 200 digits in a row two are at multiples of 100, with nothing but digits between them. */
function mayHoldManyDigits(text: string): boolean {
  let digits = 0;
  for (let index = 0; index < text.length; index += digits === 0 ? STEP : 1) {
    const code = text.charCodeAt(index);
    if (code < ZERO || code > NINE) {
      index -= index % STEP;
      digits = 0;
    } else if (++digits > STEP) {
      return true;
    }
  }
  return false;
}

/**
 * Whether a JSON text could hold a number with a three-digit exponent or so many digits: PostgreSQL
 * cannot read all of them (1e-20000) and writes some of them out at length (1e-16000), so such a
 * text is better written anew by `JSON.stringify`, which makes them zero.
 * @param mayHoldLong What `mayHoldLongNumber` says of the text, where that is known.
 */
export const mayHoldOddNumber = (text: string, mayHoldLong = mayHoldLongNumber(text)): boolean =>
  mayHoldLong && MAY_HOLD_ODD_NUMBER.test(text);

/**
 * Refuses what the database cannot store or nobody can read back: `\u0000`, lone surrogates,
 * numbers that are not finite, nesting over 64. Only values whose text could hold one of these are
 * walked.
 * @throws ApiError 400 naming the place, such as `properties.name must not contain \u0000`.
 */
export function refuseUnstorable(value: unknown, text: string): void {
  if (!mayHoldUnstorable(text)) return;
  const problem = findUnstorable(value, '', 1);
  if (problem !== null) throw badRequest(problem);
}

/**
 * Whether a JSON text could hold what cannot be stored: only then is its value worth walking.
 * @param mayHoldLong What `mayHoldLongNumber` says of the text, where that is known.
 */
export function mayHoldUnstorable(text: string, mayHoldLong = mayHoldLongNumber(text)): boolean {
  return (
    MAY_HOLD_BAD_STRING.test(text) ||
    (mayHoldLong && MAY_HOLD_BAD_NUMBER.test(text)) ||
    isNestedTooDeep(text)
  );
}

/** `text` is known to be JSON, so that quotes come in pairs. */
function isNestedTooDeep(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index = endOfString(text, index) - 1;
    } else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      depth++;
      if (depth > MAX_NESTING) return true;
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) {
      depth--;
    }
  }
  return false;
}

/** What is wrong with a string that PostgreSQL cannot store as text, or null. */
export function findStringProblem(text: string): string | null {
  if (text.includes('\0')) return 'must not contain \\u0000';
  if (!text.isWellFormed()) return 'must not contain lone surrogates';
  return null;
}

/**
 * What in a value cannot be stored, in words that name the place, or null.
 * @param path Of the value, for the words; empty for the request body as a whole.
 * @param depth Of the value in the request body, which itself is at 1.
 */
export function findUnstorable(value: unknown, path: string, depth: number): string | null {
  const name = path === '' ? 'The request body' : path;
  if (typeof value === 'string') {
    const problem = findStringProblem(value);
    return problem && `${name} ${problem}`;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? null : `${name} is too large`;
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_NESTING) return `The request body is nested deeper than ${MAX_NESTING} levels`;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const problem = findUnstorable(value[index], `${path}[${index}]`, depth + 1);
      if (problem !== null) return problem;
    }
    return null;
  }
  for (const [key, member] of Object.entries(value)) {
    const keyProblem = findStringProblem(key);
    if (keyProblem !== null) return `A key in ${path || 'the request body'} ${keyProblem}`;
    const problem = findUnstorable(member, path === '' ? key : `${path}.${key}`, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}
