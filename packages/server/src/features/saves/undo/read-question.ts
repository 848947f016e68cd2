import { needsValue } from '@overworld/contract/saves/restoration-limits';
import { SAVE_HISTORY_DAYS } from '@overworld/contract/saves/limits';
import type { RestorationQuestion, SentQuestion } from '@overworld/contract/saves/restorations';
import { comparesOrder } from '@overworld/contract/players/filter-operators';
import { badRequest } from '../../../platform/errors.ts';
import { parseTime } from '../../../platform/iso-time.ts';
import type { SaveCondition } from './conditions.ts';

const DAY_MS = 86_400_000;

/**
 * Reads what to look for, as of a time.
 * @throws ApiError 400 naming the field.
 */
export function readQuestion(sent: SentQuestion, now_ms: number): RestorationQuestion {
  const {
    saved_from,
    saved_until,
    app_versions = [],
    segment = null,
    slot = null,
    data = [],
  } = sent;
  if (saved_from === undefined && app_versions.length === 0) {
    throw badRequest('saved_from or app_versions is required');
  }
  const from_ms =
    saved_from === undefined
      ? now_ms - SAVE_HISTORY_DAYS * DAY_MS
      : readTime('saved_from', saved_from);
  const until_ms =
    saved_until === undefined ? now_ms : Math.min(now_ms, readTime('saved_until', saved_until));
  if (from_ms >= now_ms) throw badRequest('The time of the bad versions begins in the future');
  if (from_ms >= until_ms) throw badRequest('saved_from must be before saved_until');
  data.forEach(checkCondition);
  return {
    saved_from: new Date(from_ms).toISOString(),
    saved_until: new Date(until_ms).toISOString(),
    app_versions: [...new Set(app_versions)],
    segment,
    slot,
    data,
  };
}

const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

function readTime(name: string, text: string): number {
  const ms = parseTime(text);
  if (ms === null || ms < 0 || ms > LATEST_MS) {
    throw badRequest(`${name} must be in the years 1970 to 9999`);
  }
  return ms;
}

function checkCondition({ operator, value }: SaveCondition, index: number): void {
  const field = `data[${index}].value`;
  if (!needsValue(operator)) {
    if (value !== undefined) throw badRequest(`${field} is not allowed with ${operator}`);
    return;
  }
  if (value === undefined) throw badRequest(`${field} is required`);
  if (comparesOrder(operator) && typeof value !== 'number' && typeof value !== 'string') {
    throw badRequest(`${field} must be a number or a string with ${operator}`);
  }
}
