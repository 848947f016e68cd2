import { STAT_HOUR_DAYS } from '@overworld/contract/stats/stat-limits';
import type { SentStatQuestion, StatQuestion } from '@overworld/contract/stats/restorations';
import { badRequest } from '../../../platform/errors.ts';
import { parseTime } from '../../../platform/iso-time.ts';
import { shorten } from '../../../platform/json/json-text.ts';
import type { DefinedStat } from '../catalogue.ts';

const HOUR_MS = 3_600_000;

/**
 * Reads what to take back, as of a time.
 * @param defined The statistics of the game.
 * @throws ApiError 400 naming the field.
 */
export function readQuestion(
  { stats, changed_from, changed_until, segment = null }: SentStatQuestion,
  defined: readonly DefinedStat[],
  now_ms: number,
): StatQuestion {
  stats.forEach((key, index) => requireRestorable(defined, key, `stats[${index}]`));
  const from_ms = readHour('changed_from', changed_from);
  const until_ms = readHour('changed_until', changed_until);
  if (from_ms < earliestHour(now_ms)) {
    throw badRequest(`changed_from must be in the last ${STAT_HOUR_DAYS} days`);
  }
  if (until_ms > now_ms) {
    throw badRequest('changed_until must not be after the beginning of the present hour');
  }
  if (from_ms >= until_ms) throw badRequest('changed_from must be before changed_until');
  return {
    stats: [...new Set(stats)],
    changed_from: new Date(from_ms).toISOString(),
    changed_until: new Date(until_ms).toISOString(),
    segment,
  };
}

/** The time from which on hours are kept apart, in milliseconds. Hours that are older may be joined already. */
export const earliestHour = (now_ms: number): number => now_ms - STAT_HOUR_DAYS * 24 * HOUR_MS;

function requireRestorable(defined: readonly DefinedStat[], key: string, field: string): void {
  const stat = defined.find((each) => each.key === key);
  if (stat === undefined) {
    throw badRequest(`${field}: the game has no statistic "${shorten(key)}"`);
  }
  if (stat.archived) throw badRequest(`${field}: ${shorten(key)} is archived, restore it first`);
  if (stat.source !== null) {
    throw badRequest(
      `${field}: ${shorten(key)} is moved by events, which would bring its changes back when they are counted anew`,
    );
  }
}

function readHour(name: string, text: string): number {
  const ms = parseTime(text);
  if (ms === null || ms % HOUR_MS !== 0) {
    throw badRequest(`${name} must be a whole hour (UTC), such as 2026-03-14T01:00:00Z`);
  }
  return ms;
}
