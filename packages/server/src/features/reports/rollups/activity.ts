import {
  MAX_RETENTION_DAY,
  MONTHLY_WINDOW_DAYS,
  WEEKLY_WINDOW_DAYS,
} from '@overworld/contract/analytics/players';
import type { ActivityCounts } from './activity-counts.ts';

/** The days on which a player was active. Days are counted from 1970-01-01. */
export interface ActivityHistory {
  first_day: number;
  /**
   * One digit for each day from the first active day to the last: `1` if the player was active on the
   * day, otherwise `0`.
   */
  active_days: string;
}

/**
 * Adds a day on which the player was active. The day may be earlier than the known days.
 * @param counts The resulting changes are added to these counts. There are no changes if the day was
 * already known.
 */
export function addActiveDay(
  history: ActivityHistory | null,
  day: number,
  counts: ActivityCounts,
): ActivityHistory {
  if (history === null) {
    countWindows(-Infinity, day, Infinity, counts);
    counts.addPlayers(day, { active_players: 1, new_players: 1 });
    counts.addRetained(day, 0, 1);
    return { first_day: day, active_days: '1' };
  }
  const { first_day, active_days } = history;
  const place = day - first_day;
  if (active_days[place] === '1') return history;

  const previous = place > 0 ? first_day + active_days.lastIndexOf('1', place - 1) : -Infinity;
  const later = active_days.indexOf('1', Math.max(0, place + 1));
  countWindows(previous, day, later === -1 ? Infinity : first_day + later, counts);
  counts.addPlayers(day, { active_players: 1 });
  if (place > 0) {
    if (place <= MAX_RETENTION_DAY) counts.addRetained(first_day, place, 1);
    return { first_day, active_days: setDay(active_days, place) };
  }

  // This day is earlier than the player's known first day. So the player, with all active days, moves to
  // an earlier cohort.
  const changed = {
    first_day: day,
    active_days: `1${'0'.repeat(-place - 1)}${active_days}`,
  };
  counts.addPlayers(first_day, { new_players: -1 });
  counts.addPlayers(day, { new_players: 1 });
  countRetained(history, -1, counts);
  countRetained(changed, 1, counts);
  return changed;
}

/** Removes a player from all counts, because the player is being erased. */
export function removeHistory(
  { first_day, active_days }: ActivityHistory,
  counts: ActivityCounts,
): void {
  const taken = counts.negated();
  let history: ActivityHistory | null = null;
  for (let place = 0; place < active_days.length; place++) {
    if (active_days[place] === '1') history = addActiveDay(history, first_day + place, taken);
  }
}

/**
 * Adds an active day to the counts of weekly and monthly active players. An active day makes the player
 * count on that day and on the following days, 7 or 30 days in all. Days on which the player already
 * counts because of another active day are not changed.
 */
function countWindows(previous: number, day: number, next: number, counts: ActivityCounts): void {
  const count = (length: number, change: 'weekly_change' | 'monthly_change') => {
    const start = Math.max(day, previous + length);
    const end = Math.min(day + length, next);
    if (start >= end) return;
    counts.addPlayers(start, { [change]: 1 });
    counts.addPlayers(end, { [change]: -1 });
  };
  count(WEEKLY_WINDOW_DAYS, 'weekly_change');
  count(MONTHLY_WINDOW_DAYS, 'monthly_change');
}

function countRetained(
  { first_day, active_days }: ActivityHistory,
  sign: 1 | -1,
  counts: ActivityCounts,
): void {
  const end = Math.min(active_days.length, MAX_RETENTION_DAY + 1);
  for (let place = 0; place < end; place++) {
    if (active_days[place] === '1') counts.addRetained(first_day, place, sign);
  }
}

const setDay = (days: string, place: number): string =>
  place < days.length
    ? `${days.slice(0, place)}1${days.slice(place + 1)}`
    : `${days.padEnd(place, '0')}1`;
