import {
  createMessageSchedule,
  updateMessageSchedule,
} from '@overworld/contract/messages/schedules';
import { WEEKDAYS } from '@overworld/contract/messages/weekdays';
import type { BodyOf } from '@overworld/contract/operation';
import { badRequest } from '../../../platform/errors.ts';
import { compileBody } from '../../../platform/http/validation.ts';
import { MAX_WIDE_NUMBERS, parseExactly, writeExactly } from '../../../platform/json/exact-json.ts';
import { readJsonBody } from '../../../platform/json/parse-json.ts';
import { readContent } from '../send-body.ts';
import type { MessageContent, SentContent } from '../send-body.ts';
import type { Timing } from './schedule-store.ts';

/** The part of a schedule that a request states; members that it leaves out are missing. */
export interface SentSchedule {
  content: Partial<SentContent>;
  /** The same, with every number as it was sent. */
  exact_content: Partial<SentContent>;
  timing: Partial<Timing>;
}

const CONTENT = ['to', 'title', 'text', 'translations', 'data', 'rewards', 'reason'] as const;

const checkNew = compileBody(createMessageSchedule.body);
const checkChanges = compileBody(updateMessageSchedule.body);

type Body = BodyOf<typeof updateMessageSchedule>;

/** @throws ApiError 400 that names the first mistake of a schedule that is made. */
export const readNewSchedule = (bytes: Buffer): SentSchedule => read(bytes, checkNew);

/** @throws ApiError 400 that names the first mistake of a change of a schedule. */
export const readScheduleChanges = (bytes: Buffer): SentSchedule => read(bytes, checkChanges);

function read(bytes: Buffer, check: (body: unknown) => void): SentSchedule {
  const body = readJsonBody(bytes).value as Body;
  check(body);
  const { hour, weekdays, lasts_hours, paused } = body;
  const exact = parseExactly(bytes.toString(), MAX_WIDE_NUMBERS) as Body;
  const content = contentOf(body);
  if (content.to?.type === 'player') throw badRequest('to.type must be segment or everyone');
  const days = weekdays?.map((day) => WEEKDAYS.indexOf(day) + 1).toSorted((a, b) => a - b);
  const stated = { hour, weekdays: days, lasts_hours, paused };
  const timing = Object.fromEntries(
    Object.entries(stated).filter(([, value]) => value !== undefined),
  );
  return { content, exact_content: contentOf(exact), timing };
}

/** Other members of a body are not known, and are left out. */
const contentOf = (body: Body): Partial<SentContent> =>
  Object.fromEntries(
    CONTENT.filter((name) => Object.hasOwn(body, name)).map((name) => [name, body[name]]),
  );

/** Joins a stored content with the changes of a request. @returns JSON text. @throws ApiError 400 or 413. */
export function joinContent(stored: string, { content, exact_content }: SentSchedule): string {
  const joined = { ...JSON.parse(stored), ...content };
  const exact = { ...(parseExactly(stored) as object), ...exact_content } as SentContent;
  readContent(joined, exact);
  return writeExactly(exact);
}

/** Reads a content that `joinContent` has made. */
export const readStoredContent = (stored: string): MessageContent =>
  readContent(JSON.parse(stored), parseExactly(stored) as SentContent);
