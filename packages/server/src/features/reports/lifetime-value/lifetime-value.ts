import { CURRENCIES } from '@overworld/contract/analytics/currencies';
import { LTV_DAYS } from '@overworld/contract/analytics/limits';
import type { getLifetimeValue } from '@overworld/contract/analytics/lifetime-value';
import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import type { SuccessOf } from '@overworld/contract/operation';
import type { DateRange } from '../../../platform/reports/date-range.ts';
import { addDays, countDays, dayNumber, dayText, divide } from '../days.ts';
import { eachActivity } from '../players/activity.ts';
import type { ActiveDays } from '../players/activity.ts';
import type { PlayerChoice } from '../players/player-choice.ts';
import { readSlicePlayers } from '../players/slice.ts';
import { lastOfWeek } from '../retention/report.ts';
import { createRates, MILLION, roundMoney } from '../revenue/money.ts';
import type { EventSelection } from '../scan/event-selection.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { forecastValue } from './forecast.ts';
import { readValues } from './read-values.ts';
import type { ReadValues } from './read-values.ts';

export interface LifetimeValueInput extends EventSelection, DateRange {
  settings: RevenueSettings;
  /** The only currency whose purchases count; null for all, or for the one with the most purchases. */
  currency: string | null;
  cohort: 'day' | 'week';
  choice: PlayerChoice | null;
}

type Report = SuccessOf<typeof getLifetimeValue>;
type Part = Omit<Report['groups'][number], 'kind' | 'value'>;

const WIDTH = LTV_DAYS.length;

/** Adds up the revenue of cohorts by the days since their first day. The contract has the definitions. */
export async function makeLifetimeValue(
  database: ExploreDatabase,
  input: LifetimeValueInput,
  signal: AbortSignal,
): Promise<Omit<Report, 'from' | 'to' | 'time_zone'>> {
  const { choice, from, to } = input;
  const [first, last] = [dayNumber(from), dayNumber(to)];
  const isNew = ({ first_day }: ActiveDays) => first_day >= first && first_day <= last;
  const slice =
    choice === null ? null : await readSlicePlayers(database, { ...input, choice }, signal, isNew);
  const read = await readValues(database, input, signal);

  const labels = slice?.groups?.labels ?? [];
  const makeScope = () => ({
    players: new Uint32Array(countDays({ from, to })),
    is_in: new Uint8Array(read.player_count),
  });
  const total = makeScope();
  const parts = labels.map(makeScope);
  /** For each player with a purchase, the number of days from `from` to the first day. */
  const first_days = new Int32Array(read.player_count).fill(-1);
  await eachActivity(database, input, signal, (high, low, days) => {
    if (!isNew(days)) return;
    const day = days.first_day - first;
    const player = read.findPlayer(high, low);
    if (player !== -1) first_days[player] = day;
    const add = ({ players, is_in }: typeof total) => {
      players[day]!++;
      if (player !== -1) is_in[player] = 1;
    };
    const value = slice === null ? 0 : slice.set.valueOf(high, low);
    if (slice === null || choice?.players === null || value !== -1) add(total);
    const group = value === -1 ? undefined : parts[slice?.groups?.label_of[value] ?? -1];
    if (group !== undefined) add(group);
  });

  const { shown, is_converted, amountOf } = chooseCurrency(input, read);
  const revenue = addUp(read, first_days, amountOf);
  const describe = (scope: typeof total) => describeScope(scope, first_days, revenue, input);
  return {
    currency: read.players.length === 0 ? null : shown,
    is_converted,
    ...describe(total),
    groups: labels.map((label, index) => ({ ...label, ...describe(parts[index]!) })),
  };
}

/** Chooses the currency of the report, and the function that returns the amount of a purchase; NaN if it does not count. */
function chooseCurrency(
  { settings, currency, from }: LifetimeValueInput,
  { counts, days, places, millionths }: ReadValues,
) {
  const most = counts.reduce((best, count, place) => (count > counts[best]! ? place : best), 0);
  const is_converted = currency === null && settings.report_currency !== null;
  const frequent = counts[most]! > 0 ? CURRENCIES[most]! : settings.currency;
  const shown = currency ?? settings.report_currency ?? frequent;
  const rateOf = createRates(settings);
  return {
    shown,
    is_converted,
    amountOf(index: number): number {
      const code = CURRENCIES[places[index]!]!;
      if (!is_converted) return code === shown ? millionths[index]! / MILLION : NaN;
      const rate = rateOf(code, addDays(from, days[index]!));
      return rate === null ? NaN : (millionths[index]! / MILLION) * rate;
    },
  };
}

/**
 * Adds up the purchases of each player by the end of each day of `LTV_DAYS`. `has_paid` is 1 for a player with a
 * purchase above zero.
 */
function addUp(
  { players, days, player_count }: ReadValues,
  first_days: Int32Array,
  amountOf: (index: number) => number,
) {
  const table = new Float64Array(player_count * WIDTH);
  const has_paid = new Uint8Array(player_count);
  for (let index = 0; index < players.length; index++) {
    const player = players[index]!;
    const amount = amountOf(index);
    if (first_days[player] === -1 || Number.isNaN(amount)) continue;
    const after = Math.max(0, days[index]! - first_days[player]!);
    if (after > LTV_DAYS.at(-1)!) continue;
    if (amount > 0) has_paid[player] = 1;
    for (let place = WIDTH - 1; place >= 0 && LTV_DAYS[place]! >= after; place--) {
      table[player * WIDTH + place]! += amount;
    }
  }
  return { table, has_paid };
}

function describeScope(
  { players, is_in }: { players: Uint32Array; is_in: Uint8Array },
  first_days: Int32Array,
  { table, has_paid }: ReturnType<typeof addUp>,
  { from, to, today, cohort }: LifetimeValueInput,
): Part {
  const [first, last, now] = [dayNumber(from), dayNumber(to), dayNumber(today)];
  const sums = new Float64Array(players.length * WIDTH);
  const payers = new Uint32Array(players.length);
  const members = [...is_in.keys()].filter((player) => is_in[player] === 1);
  for (const player of members) {
    const day = first_days[player]!;
    payers[day]! += has_paid[player]!;
    for (let place = 0; place < WIDTH; place++) {
      sums[day * WIDTH + place]! += table[player * WIDTH + place]!;
    }
  }
  const isOver = (day: number, place: number) => now - (first + day) > LTV_DAYS[place]!;
  const span = (start: number, end: number, place: number) => {
    let [count, paying, revenue] = [0, 0, 0];
    for (let day = start; day <= end; day++) {
      count += players[day]!;
      paying += payers[day]!;
      revenue += sums[day * WIDTH + place]!;
    }
    return { count, paying, revenue };
  };
  const cohorts: Part['cohorts'] = [];
  for (let start = first, end: number; start <= last; start = end + 1) {
    end = cohort === 'day' ? start : Math.min(last, lastOfWeek(start));
    const [from_day, to_day] = [start - first, end - first];
    const { count, paying, revenue } = span(from_day, to_day, WIDTH - 1);
    cohorts.push({
      first_day: dayText(start),
      last_day: dayText(end),
      player_count: count,
      payers: paying,
      revenue: roundMoney(revenue),
      per_player: LTV_DAYS.map((_day, place) =>
        isOver(to_day, place) ? divide(span(from_day, to_day, place).revenue, count) : null,
      ),
    });
  }
  const all = span(0, players.length - 1, WIDTH - 1);
  const over = Int8Array.from(players, (_count, day) =>
    LTV_DAYS.findLastIndex((_day, place) => isOver(day, place)),
  );
  const own = new Float64Array(members.length * WIDTH);
  members.forEach((player, index) => {
    own.set(table.subarray(player * WIDTH, (player + 1) * WIDTH), index * WIDTH);
  });
  const forecast = forecastValue({
    players,
    over,
    cohorts: Uint32Array.from(members, (player) => first_days[player]!),
    revenue: own,
  });
  return {
    player_count: all.count,
    payers: all.paying,
    revenue: roundMoney(all.revenue),
    per_player: LTV_DAYS.map((day, place) => {
      // The cohorts for which the day is over come first.
      const end = players.findLastIndex((_count, index) => isOver(index, place));
      const { count, revenue } = span(0, end, place);
      return { day, players: count, revenue: roundMoney(revenue), value: divide(revenue, count) };
    }),
    forecast: forecast === null ? null : { day: LTV_DAYS.at(-1)!, ...forecast },
    cohorts,
  };
}
