import {
  MAX_EVENT_PROPERTIES_BYTES,
  MAX_TRACK_BATCH_SIZE,
  MAX_VIOLATIONS,
} from '@overworld/contract/events';
import type { EventViolation } from '@overworld/contract/events';
import { ApiError, badRequest } from '../../platform/errors.ts';
import { parseExactly } from '../../platform/http/exact-json.ts';
import {
  findUnstorable,
  mayHoldLongNumber,
  mayHoldOddNumber,
  mayHoldUnstorable,
  parseJson,
} from '../../platform/http/json-text.ts';
import { isClientTimestamp } from './client-timestamp.ts';

/** An event as a game sends it; null counts as absent. */
export interface TrackedEvent {
  event_name: string;
  session_id: string;
  player_id?: string | null;
  properties?: Record<string, unknown> | null;
  client_timestamp?: string | null;
}

export interface TrackRequest {
  /** 1 to 100 valid events. */
  events: readonly TrackedEvent[];
  /** The events as one JSON list that PostgreSQL reads, with the very numbers that were sent. */
  text: string;
}

const MAX_NAME_LENGTH = 255;

/**
 * Reads the body of a track request: an event, or a list of 1 to 100.
 * @throws ApiError 413 for a longer list; 400 for everything else that is wrong, with `violations`
 * where it is about events.
 */
export function readTrackRequest(body: string): TrackRequest {
  const value = parseJson(body);
  const isList = Array.isArray(value);
  if (!isList && (typeof value !== 'object' || value === null)) {
    throw badRequest('The request body must be an event or a list of events');
  }
  const events: unknown[] = isList ? value : [value];
  if (events.length === 0) throw badRequest('The list of events must not be empty');
  if (events.length > MAX_TRACK_BATCH_SIZE) {
    throw new ApiError(413, `A request may hold at most ${MAX_TRACK_BATCH_SIZE} events`, {
      limit: MAX_TRACK_BATCH_SIZE,
      received: events.length,
    });
  }

  const long_numbers = mayHoldLongNumber(body);
  const checks: Checks = {
    unstorable: mayHoldUnstorable(body, long_numbers),
    size: Buffer.byteLength(body) > MAX_EVENT_PROPERTIES_BYTES,
    long_numbers,
    depth: isList ? 2 : 1,
  };
  const violations = findViolations(events, checks);
  if (violations.length > 0) throw badRequest(violations[0]!.message, { violations });

  const checked = events as TrackedEvent[];
  const text = checks.unstorable || mayHoldOddNumber(body, long_numbers) ? rewrite(body) : body;
  return { events: checked, text: isList ? text : `[${text}]` };
}

/** What JSON.parse makes of a text: of two members of one name it shows and checks but the last. */
const rewrite = (text: string) => JSON.stringify(parseExactly(text));

/** Which checks the text of the request makes necessary. */
interface Checks {
  unstorable: boolean;
  size: boolean;
  long_numbers: boolean;
  /** Nesting of an event in the body. */
  depth: number;
}

type Report = (path: string, message: string) => void;

function findViolations(events: readonly unknown[], checks: Checks): EventViolation[] {
  const violations: EventViolation[] = [];
  events.forEach((event, index) => {
    checkEvent(event, checks, (path, message) => {
      if (violations.length >= MAX_VIOLATIONS) return;
      violations.push({ index, event_name: nameOf(event), path, message });
    });
  });
  return violations;
}

function nameOf(event: unknown): string | null {
  const name = (event as Partial<TrackedEvent> | null)?.event_name;
  return typeof name === 'string' ? name : null;
}

function checkEvent(event: unknown, checks: Checks, report: Report): void {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) {
    return report('', 'The event must be a JSON object');
  }
  if (checks.unstorable && !checkStorable(event, checks.depth, report)) return;
  const { event_name, session_id, player_id, properties, client_timestamp } = event as {
    [Member in keyof TrackedEvent]?: unknown;
  };
  checkName('event_name', event_name, true, report);
  checkName('session_id', session_id, true, report);
  checkName('player_id', player_id, false, report);
  checkProperties(properties, checks, report);
  checkClientTimestamp(client_timestamp, report);
}

/** Also what is not kept must be storable: it is in the text. */
function checkStorable(event: object, depth: number, report: Report): boolean {
  let isStorable = true;
  for (const [name, member] of Object.entries(event)) {
    const problem = findUnstorable({ [name]: member }, '', depth);
    if (problem === null) continue;
    report(name, problem);
    isStorable = false;
  }
  return isStorable;
}

function checkName(name: string, value: unknown, isRequired: boolean, report: Report): void {
  if (value === undefined || value === null) {
    if (isRequired) report(name, `${name} is required`);
  } else if (typeof value !== 'string') {
    report(name, `${name} must be a string`);
  } else if (value === '') {
    report(name, `${name} must not be empty`);
  } else if (value.length > MAX_NAME_LENGTH && countCharacters(value) > MAX_NAME_LENGTH) {
    report(name, `${name} must have at most ${MAX_NAME_LENGTH} characters`);
  }
}

/** Characters rather than UTF-16 units; a character has at most two of these. */
const countCharacters = (text: string) =>
  text.length > 2 * MAX_NAME_LENGTH ? text.length : [...text].length;

function checkProperties(properties: unknown, checks: Checks, report: Report): void {
  if (properties === undefined || properties === null) return;
  if (typeof properties !== 'object' || Array.isArray(properties)) {
    return report('properties', 'properties must be a JSON object');
  }
  if (!checks.size && !checks.long_numbers) return;
  const digits = checks.long_numbers ? countOmittedDigits(properties) : 0;
  if (Buffer.byteLength(JSON.stringify(properties)) + digits > MAX_EVENT_PROPERTIES_BYTES) {
    report('properties', `properties must have at most ${MAX_EVENT_PROPERTIES_BYTES} bytes`);
  }
}

/** PostgreSQL writes numbers without exponents: 1e308 with 309 digits. */
function countOmittedDigits(value: unknown): number {
  if (typeof value === 'number') return Number(/e[+-](\d+)$/.exec(String(value))?.[1] ?? 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, member) => sum + countOmittedDigits(member), 0);
}

function checkClientTimestamp(value: unknown, report: Report): void {
  if (value === undefined || value === null) return;
  if (typeof value !== 'string') {
    report('client_timestamp', 'client_timestamp must be a string');
  } else if (!isClientTimestamp(value)) {
    report(
      'client_timestamp',
      'client_timestamp must be a valid ISO 8601 time of the years 1970 to 2100',
    );
  }
}
