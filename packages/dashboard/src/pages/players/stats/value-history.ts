import type { Aggregation } from '@overworld/contract/stats/stat-limits';
import { STAT_DECIMALS } from '@overworld/contract/stats/stat-limits';
import { calendarDayOf } from '../../../ui/time/format-time.ts';

const HOUR_MS = 3_600_000;

export interface Changes {
  aggregation: Aggregation;
  /** The value to which the hours before the first one join; null without any. */
  base: number | null;
  /** The hours with changes, the oldest first. */
  hours: readonly { hour: string; value: number }[];
}

/** A value at the end of a period, which an hour begins. */
export interface PeriodValue {
  hour: string;
  value: number;
}

/**
 * Returns the value of a statistic at the end of each hour from `days` days ago until now. Hours before the
 * first value are left out, unless the statistic is a sum, whose value begins at 0.
 */
export function valuesByHour(changes: Changes, days: number, now: number): PeriodValue[] {
  const { aggregation, base, hours } = changes;
  const last = Math.floor(now / HOUR_MS);
  const ofHours = new Map(hours.map(({ hour, value }) => [Date.parse(hour) / HOUR_MS, value]));
  let value = base ?? (aggregation === 'sum' ? 0 : null);
  const values: PeriodValue[] = [];
  const first = Math.min(last - days * 24, ...ofHours.keys());
  for (let hour = first; hour <= last; hour++) {
    const joined = ofHours.get(hour);
    if (joined !== undefined) value = join(aggregation, value, joined);
    if (value === null || hour < last - days * 24) continue;
    values.push({ hour: new Date(hour * HOUR_MS).toISOString(), value });
  }
  return values;
}

/** Keeps the last hour of each calendar day of a zone. */
export function lastOfDays(values: readonly PeriodValue[], zone: string): PeriodValue[] {
  const ofDays = new Map<string, PeriodValue>();
  for (const each of values) ofDays.set(calendarDayOf(Date.parse(each.hour), zone), each);
  return [...ofDays.values()];
}

function join(aggregation: Aggregation, value: number | null, joined: number): number {
  switch (aggregation) {
    case 'sum':
      return roundDecimals((value ?? 0) + joined);
    case 'max':
      return Math.max(value ?? joined, joined);
    case 'min':
      return Math.min(value ?? joined, joined);
    case 'latest':
      return joined;
  }
}

/** Rounds to the decimals of a statistic: the server's sums are exact, those of doubles are not. */
const roundDecimals = (sum: number): number =>
  Number.isInteger(sum) ? sum : Number(sum.toFixed(STAT_DECIMALS));
