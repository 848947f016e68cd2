import { MAX_SCHEDULED_PARAMETERS } from '@overworld/contract/remote-config/schedule-limits';
import {
  createConfigSchedule,
  updateConfigSchedule,
} from '@overworld/contract/remote-config/schedules';
import type { BodyOf } from '@overworld/contract/operation';
import { badRequest } from '../../../platform/errors.ts';
import { compileBody } from '../../../platform/http/validation.ts';
import { parseTime } from '../../../platform/iso-time.ts';
import { readJsonBody } from '../../../platform/json/parse-json.ts';
import { readParametersText } from '../parameters.ts';

/** The parameters of a scheduled change, in the form in which they are stored. */
interface ScheduledParameters {
  /** JSON text. */
  parameters: string;
  keys: string[];
}

export interface SentSchedule extends ScheduledParameters {
  name: string;
  /** Undefined if the change begins at once. */
  starts_at: string | undefined;
  ends_at: string | null;
}

/** A change of a scheduled change. What the request leaves out is undefined, and stays as it is. */
export interface ScheduleUpdate {
  /** The version of the scheduled change that the caller expects. */
  version: number | undefined;
  name: string | undefined;
  starts_at: string | undefined;
  ends_at: string | null | undefined;
  parameters: ScheduledParameters | undefined;
}

const checkNew = compileBody(createConfigSchedule.body);
const checkUpdate = compileBody(updateConfigSchedule.body);

/** @throws ApiError 400 that names the place of the first mistake. */
export function readNewSchedule(bytes: Buffer): SentSchedule {
  const body = readJsonBody(bytes).value as BodyOf<typeof createConfigSchedule>;
  checkNew(body);
  return {
    name: body.name,
    starts_at: body.starts_at === undefined ? undefined : readTime('starts_at', body.starts_at),
    ends_at: readEnd(body.ends_at ?? null),
    ...readScheduledParameters(bytes, body.parameters),
  };
}

/** @throws ApiError 400 that names the place of the first mistake. */
export function readScheduleUpdate(bytes: Buffer): ScheduleUpdate {
  const body = readJsonBody(bytes).value as BodyOf<typeof updateConfigSchedule>;
  checkUpdate(body);
  const { version, name, starts_at, ends_at, parameters } = body;
  return {
    version,
    name,
    starts_at: starts_at === undefined ? undefined : readTime('starts_at', starts_at),
    ends_at: ends_at === undefined ? undefined : readEnd(ends_at),
    parameters: parameters && readScheduledParameters(bytes, parameters),
  };
}

function readScheduledParameters(
  bytes: Buffer,
  parameters: BodyOf<typeof createConfigSchedule>['parameters'],
): ScheduledParameters {
  const keys = Object.keys(parameters);
  if (keys.length === 0) throw badRequest('parameters must have at least 1 entry');
  if (keys.length > MAX_SCHEDULED_PARAMETERS) {
    throw badRequest(`parameters must have at most ${MAX_SCHEDULED_PARAMETERS} entries`);
  }
  return { parameters: readParametersText(bytes, parameters).text, keys };
}

const readEnd = (text: string | null) => (text === null ? null : readTime('ends_at', text));

/** Reads a time: `2026-03-14T09:00:00+01:00` becomes `2026-03-14T08:00:00.000Z`, as the API sends it. */
function readTime(name: string, text: string): string {
  const ms = parseTime(text);
  if (ms === null) throw badRequest(`${name} must be a time`);
  const time = new Date(ms);
  if (time.getUTCFullYear() > 9998) throw badRequest(`${name} is too late`);
  return time.toISOString();
}
