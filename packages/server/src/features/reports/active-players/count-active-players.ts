import {
  MAX_RETENTION_DAY,
  MONTHLY_WINDOW_DAYS,
  WEEKLY_WINDOW_DAYS,
} from '@overworld/contract/analytics/players';
import type { SliceKind, SliceRows } from '../../../platform/reports/player-slices.ts';
import { expectPlayers } from '../scan/expected-rows.ts';
import type { ChosenGroups } from '../scan/choose-groups.ts';
import { findPlayers } from '../players/find-players.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { groupPlayers, isActiveWithin, makeAdder, readActivity } from '../players/activity.ts';
import type { ActiveDays, PlayerActivity } from '../players/activity.ts';
import { dayNumber, dayText } from '../players/slice-input.ts';
import type { SliceInput, SliceResult } from '../players/slice-input.ts';

/** Counts active and new players by day. */
export async function sliceActiveDays(
  database: ExploreDatabase,
  input: SliceInput,
  signal: AbortSignal,
): Promise<SliceResult<'active_days'>> {
  await expectPlayers(database, input, ['players', 'active days'], signal);
  const set = await findPlayers(database, input, input.choice, signal);
  const activity = await readActivity(database, input, set, signal);
  const groups = await groupPlayers(input, set, activity, isActiveWithin(input));
  return toResult(groups, countActiveDays(input, activity, groups));
}

/** Makes the rows with the active and new players of each day, for all players and for each group. */
export function countActiveDays(
  { from, to }: SliceInput,
  activity: PlayerActivity,
  groups: ChosenGroups | null,
): Parts<'active_days'> {
  const [first, last] = [dayNumber(from), dayNumber(to)];
  const day_count = last - first + 1;
  const column = () => new Float64Array(day_count + 1);
  const adder = makeAdder(groups, () => ({
    daily: column(),
    weekly: column(),
    monthly: column(),
    new_players: column(),
  }));
  /**
   * Counts one more player on each day from `start` to the day before `end`. `changes` has only the
   * differences between each day and the day before it.
   */
  const addSpan = (changes: Float64Array, start: number, end: number) => {
    if (end <= 0 || start >= day_count) return;
    changes[Math.max(0, start)]!++;
    changes[Math.min(end, day_count)]!--;
  };
  activity.each((value, { first_day, length, isActive }) => {
    const earliest = Math.max(0, first - MONTHLY_WINDOW_DAYS + 1 - first_day);
    const end = Math.min(last - first_day, length - 1);
    if (earliest > end) return;
    adder.ofValue(value, (numbers) => {
      if (first_day >= first && first_day <= last) numbers.new_players[first_day - first]!++;
      for (let place = earliest; place <= end;) {
        let next = place + 1;
        if (!isActive(place)) {
          place = next;
          continue;
        }
        while (next <= end && !isActive(next)) next++;
        const until = next > end ? Infinity : first_day + next - first;
        const day = first_day + place - first;
        if (day >= 0) numbers.daily[day]!++;
        addSpan(numbers.weekly, day, Math.min(day + WEEKLY_WINDOW_DAYS, until));
        addSpan(numbers.monthly, day, Math.min(day + MONTHLY_WINDOW_DAYS, until));
        place = next;
      }
    });
  });
  const toRows = ({ daily, weekly, monthly, new_players }: typeof adder.total) => {
    let [week, month] = [0, 0];
    return Array.from({ length: day_count }, (_, day) => {
      week += weekly[day]!;
      month += monthly[day]!;
      return {
        day: dayText(first + day),
        daily: daily[day]!,
        weekly: week,
        monthly: month,
        new_players: new_players[day]!,
      };
    });
  };
  return { total: toRows(adder.total), parts: adder.parts.map(toRows) };
}

/** For each cohort (the players with the same first day), counts how many were active on each later day. */
export async function sliceRetention(
  database: ExploreDatabase,
  input: SliceInput,
  signal: AbortSignal,
): Promise<SliceResult<'retention'>> {
  await expectPlayers(database, input, ['players', 'active days'], signal);
  const set = await findPlayers(database, input, input.choice, signal);
  const activity = await readActivity(database, input, set, signal);
  const [first, last] = [dayNumber(input.from), dayNumber(input.to)];
  const isNew = ({ first_day }: ActiveDays) => first_day >= first && first_day <= last;
  const groups = await groupPlayers(input, set, activity, isNew);
  const width = MAX_RETENTION_DAY + 1;
  const adder = makeAdder(groups, () => new Float64Array((last - first + 1) * width));
  activity.each((value, days) => {
    if (!isNew(days)) return;
    adder.ofValue(value, (counts) => {
      const row = (days.first_day - first) * width;
      for (let place = 0; place < Math.min(days.length, width); place++) {
        if (days.isActive(place)) counts[row + place]!++;
      }
    });
  });
  const toRows = (counts: Float64Array) => {
    const rows: SliceRows['retention'] = [];
    counts.forEach((player_count, place) => {
      if (player_count === 0) return;
      const first_day = dayText(first + Math.floor(place / width));
      rows.push({ first_day, day_number: place % width, player_count });
    });
    return rows;
  };
  return toResult(groups, { total: toRows(adder.total), parts: adder.parts.map(toRows) });
}

interface Parts<K extends SliceKind> {
  total: SliceRows[K];
  parts: SliceRows[K][];
}

export const toResult = <K extends SliceKind>(
  groups: ChosenGroups | null,
  { total, parts }: Parts<K>,
  name_count = 0,
): SliceResult<K> => ({
  total,
  groups: (groups?.labels ?? []).map((label, index) => ({ ...label, rows: parts[index]! })),
  name_count,
});
