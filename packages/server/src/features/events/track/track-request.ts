import {
  MAX_EVENT_BYTES,
  MAX_EVENT_PROPERTIES_BYTES,
  MAX_TRACK_BATCH_SIZE,
  MAX_VIOLATIONS,
} from '@overworld/contract/events/track';
import type { EventViolation } from '@overworld/contract/events/track';
import { ApiError, badRequest } from '../../../platform/errors.ts';
import { writeOddNumbers } from '../../../platform/json/exact-json.ts';
import { OPENING_BRACKET, scanJson, skipSpace } from '../../../platform/json/json-scan.ts';
import { measureJson } from '../../../platform/json/json-size.ts';
import { findUnstorable, shorten } from '../../../platform/json/json-text.ts';
import {
  HIDDEN,
  mayBeUnstorable,
  parseScannedJson,
  refuseCostly,
  scanBody,
} from '../../../platform/json/parse-json.ts';
import { parseTime } from '../../../platform/iso-time.ts';

/** An event as a game sends it. A member that is null counts as absent. */
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
  /** The events as one JSON list that PostgreSQL reads, with all numbers exactly as they were sent. */
  text: string;
}

/** The error 400 for events that were read and are malformed. */
export class MalformedEvents extends ApiError {
  readonly events: readonly unknown[];

  constructor(
    events: readonly unknown[],
    violations: readonly EventViolation[],
    hint: { message?: string },
  ) {
    super(400, violations[0]!.message, { ...hint, violations });
    this.events = events;
  }
}

const MAX_NAME_LENGTH = 255;

/**
 * Reads the body of a track request: one event or a list of 1 to 100 events, in UTF-8.
 * @throws ApiError 413 for a longer list, which is not even parsed; 400 for every other problem,
 * with `violations` for the problems of events.
 */
export function readTrackRequest(body: Buffer): TrackRequest {
  if (body[skipSpace(body, 0)] !== OPENING_BRACKET) refuseLargeEvents([0, body.length]);
  const scan = scanBody(body);
  const { count, elements, rest, has_exponents, numbers } = scan;
  if (count !== null && count > MAX_TRACK_BATCH_SIZE) {
    throw new ApiError(413, `A request may hold at most ${MAX_TRACK_BATCH_SIZE} events`, {
      limit: MAX_TRACK_BATCH_SIZE,
      received: count,
    });
  }
  refuseLargeEvents(elements);
  refuseCostly(scan);
  const value = parseScannedJson(body, scan);
  if (typeof value !== 'object' || value === null) {
    throw badRequest('The request body must be an event or a list of events');
  }
  const events: unknown[] = Array.isArray(value) ? value : [value];
  if (events.length === 0) throw badRequest('The list of events must not be empty');

  const violations = findViolations(events, {
    unstorable: mayBeUnstorable(scan),
    exponents: has_exponents,
    textOfEvent(index) {
      const [start, end] =
        count === null ? [0, body.length] : [elements[2 * index], elements[2 * index + 1]];
      if (numbers.length === 0) return body.subarray(start, end);
      return Buffer.from(writeOddNumbers(body, numbers, start, end));
    },
  });
  if (violations.length > 0) {
    throw new MalformedEvents(events, violations, explainWrapping(value));
  }
  if (rest.has_bad_string) throw badRequest(HIDDEN);

  const text = numbers.length > 0 ? writeOddNumbers(body, numbers) : body.toString();
  return { events: events as TrackedEvent[], text: count === null ? `[${text}]` : text };
}

/**
 * Explains the mistake to callers who send the list as a member `events` of an object. Other services take
 * events in this form.
 */
const explainWrapping = (value: { event_name?: unknown; events?: unknown }) =>
  value.event_name === undefined && Array.isArray(value.events)
    ? { message: 'Send the list of events itself as the body, not in a member `events`' }
    : {};

/**
 * Refuses large events before anything is parsed.
 * @param places Start and end of each event, in bytes.
 */
function refuseLargeEvents(places: readonly number[]): void {
  const violations: EventViolation[] = [];
  for (let index = 0; 2 * index < places.length; index++) {
    if (places[2 * index + 1]! - places[2 * index]! <= MAX_EVENT_BYTES) continue;
    const message = `The event must have at most ${MAX_EVENT_BYTES} bytes`;
    violations.push({ index, event_name: null, path: '', message });
  }
  if (violations.length > 0) throw badRequest(violations[0]!.message, { violations });
}

/** The checks that are necessary for this request, chosen by a scan of its text. */
interface Checks {
  unstorable: boolean;
  exponents: boolean;
  textOfEvent(index: number): Buffer;
}

type Report = (path: string, message: string) => void;

function findViolations(events: readonly unknown[], checks: Checks): EventViolation[] {
  const violations: EventViolation[] = [];
  events.forEach((event, index) => {
    checkEvent(event, index, checks, (path, message) => {
      if (violations.length >= MAX_VIOLATIONS) return;
      violations.push({ index, event_name: nameOf(event), path: shorten(path), message });
    });
  });
  return violations;
}

function nameOf(event: unknown): string | null {
  const name = (event as Partial<TrackedEvent> | null)?.event_name;
  return typeof name === 'string' ? shorten(name) : null;
}

function checkEvent(event: unknown, index: number, checks: Checks, report: Report): void {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) {
    return report('', 'The event must be a JSON object');
  }
  if (checks.unstorable && !checkStorable(event, report)) return;
  const { event_name, session_id, player_id, properties, client_timestamp } = event as {
    [Member in keyof TrackedEvent]?: unknown;
  };
  checkName('event_name', event_name, true, report);
  checkName('session_id', session_id, true, report);
  checkName('player_id', player_id, false, report);
  checkProperties(properties, index, checks, report);
  checkClientTimestamp(client_timestamp, report);
}

/** Unknown members must be storable too, because the inbox stores the whole text. */
function checkStorable(event: object, report: Report): boolean {
  let isStorable = true;
  for (const [name, member] of Object.entries(event)) {
    const problem = findUnstorable({ [name]: member }, '');
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

/**
 * Counts characters, not UTF-16 units. A character has at most two units, so a longer text is too long
 * anyway.
 */
const countCharacters = (text: string) =>
  text.length > 2 * MAX_NAME_LENGTH ? text.length : [...text].length;

function checkProperties(
  properties: unknown,
  index: number,
  { exponents, textOfEvent }: Checks,
  report: Report,
): void {
  if (properties === undefined || properties === null) return;
  if (typeof properties !== 'object' || Array.isArray(properties)) {
    return report('properties', 'properties must be a JSON object');
  }
  const event = textOfEvent(index);
  if (event.length <= MAX_EVENT_PROPERTIES_BYTES && !exponents) return;
  const [start, end] = scanJson(event, 'properties')!.member_place;
  // PostgreSQL writes numbers without exponents: 1e308 with 309 digits.
  const { bytes, omitted_digits } = measureJson(event, start!, end!);
  if (bytes + omitted_digits > MAX_EVENT_PROPERTIES_BYTES) {
    report('properties', `properties must have at most ${MAX_EVENT_PROPERTIES_BYTES} bytes`);
  }
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

const FIRST_TOO_LATE_MS = Date.UTC(2101, 0, 1);
/** PostgreSQL refuses an offset of 16 hours. */
const MAX_OFFSET_HOURS = 15;

/**
 * Tells whether a text is a time that may be stored: one of the years 1970 to 2100 (UTC). A cast to
 * `timestamptz` in PostgreSQL gives the same time.
 */
export function isClientTimestamp(text: string): boolean {
  const time_ms = parseTime(text, MAX_OFFSET_HOURS);
  return time_ms !== null && time_ms >= 0 && time_ms < FIRST_TOO_LATE_MS;
}
