import { MONTHLY_WINDOW_DAYS, WEEKLY_WINDOW_DAYS } from '@overworld/contract/analytics/players';
import { countDays, dayNumber, dayText } from '../days.ts';
import type { Days } from '../days.ts';
import { labelParts, makeAdder, readSlicePlayers } from '../players/slice.ts';
import type { SliceInput, SlicePlayers } from '../players/slice.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { toActiveDays } from './report.ts';
import type { DayOfPlayers } from './report.ts';

/** Counts active and new players by day, of some players. */
export async function countActivePlayers(
  database: ExploreDatabase,
  input: SliceInput,
  signal: AbortSignal,
) {
  const players = await readSlicePlayers(database, input, signal);
  const { total, parts } = countActiveDays(input, players);
  return { ...toActiveDays(total), groups: labelParts(players.groups, parts.map(toActiveDays)) };
}

/** Makes the rows with the active and new players of each day, for all players and for each group. */
export function countActiveDays(
  { from, to }: Days,
  { activity, groups }: Pick<SlicePlayers, 'activity' | 'groups'>,
): { total: DayOfPlayers[]; parts: DayOfPlayers[][] } {
  const [first, last] = [dayNumber(from), dayNumber(to)];
  const day_count = countDays({ from, to });
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
