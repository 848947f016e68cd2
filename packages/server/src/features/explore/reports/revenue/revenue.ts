import { CURRENCIES } from '@overworld/contract/analytics/currencies';
import type { getRevenue } from '@overworld/contract/analytics/revenue';
import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Tenant } from '../../../../platform/players/player-key.ts';
import { groupBy } from '../../scan/columns.ts';
import type { PlayerChoice } from '../../scan/player-choice.ts';
import { findPlayers } from '../../scan/player-set.ts';
import { readActivity } from '../../slices/activity.ts';
import { countActiveDays } from '../../slices/player-days.ts';
import type { ExploreDatabase } from '../../thread/explore-database.ts';
import { countConversion, NEVER } from './conversion.ts';
import { createRates, roundMoney } from './money.ts';
import { readPurchases } from './purchases.ts';
import type { CurrencyDays, Purchases } from './purchases.ts';
import { readRevenueDays } from './revenue-days.ts';
import type { AskedDays, RevenueDays, Span } from './revenue-days.ts';

export interface RevenueInput extends Tenant {
  days: AskedDays;
  settings: RevenueSettings;
  /** Null: all purchases, converted if the settings say so. */
  currency: string | null;
  /** The players whose purchases count; null for all purchases. */
  choice: PlayerChoice | null;
}

type Report = SuccessOf<typeof getRevenue>;
export type RevenueReport = Omit<Report, 'from' | 'to' | 'time_zone'>;
type Numbers = Omit<Report['period'], 'from' | 'to'>;

/** Counts revenue, payers and conversion. The contract has the definitions. */
export async function makeRevenue(
  database: ExploreDatabase,
  { settings, currency, choice, days: asked, ...tenant }: RevenueInput,
  signal: AbortSignal,
): Promise<RevenueReport> {
  const { calendar, keeps } = await readPlayers(
    database,
    { ...tenant, ...asked, choice },
    await readRevenueDays(database, tenant, asked, signal),
    signal,
  );
  const { starts_at, ends_at, days, range } = calendar;
  const selection = { ...tenant, starts_at, ends_at };
  const purchases = await readPurchases(database, selection, { settings, calendar, keeps }, signal);
  const rateOf = createRates(settings);
  const currencies = [...purchases.currencies]
    .map(([code, counted]) => ({
      currency: code,
      purchase_count: sumOver(range, (day) => counted.purchases[day]!),
      refund_count: sumOver(range, (day) => counted.refunds[day]!),
      revenue: roundMoney(sumOver(range, (day) => counted.revenue.of(day))),
      has_rate: rateOf(code, days[0]!) !== null,
    }))
    .filter(({ purchase_count, refund_count }) => purchase_count + refund_count > 0)
    .toSorted(
      (a, b) =>
        b.purchase_count - a.purchase_count ||
        b.refund_count - a.refund_count ||
        (a.currency < b.currency ? -1 : 1),
    );

  const is_converted = currency === null && settings.report_currency !== null;
  const shown =
    currency ?? settings.report_currency ?? currencies[0]?.currency ?? settings.currency;
  const isShown = (code: string) =>
    is_converted ? rateOf(code, days[0]!) !== null : code === shown;
  const parts = [...purchases.currencies]
    .filter(([code]) => isShown(code))
    .map(([code, counted]): Part => ({
      counted,
      rateOf: (day) => (is_converted ? rateOf(code, days[day]!)! : 1),
    }));
  const payers = findPayers(purchases, days.length, isShown);
  const count = createCounter(parts, payers, calendar);
  const periodOf = (span: Span) => ({
    from: days[span.first]!,
    to: days[span.last]!,
    ...count(span),
  });
  const daysOf = (span: Span) =>
    days.slice(span.first, span.last + 1).map((day, place) => ({
      day,
      ...count({ first: span.first + place, last: span.first + place }),
    }));
  const unconverted = currencies.filter(({ has_rate }) => is_converted && !has_rate);
  return {
    currency: shown,
    is_converted,
    currencies,
    period: periodOf(calendar.period),
    previous: periodOf(calendar.previous),
    days: daysOf(range),
    previous_days: daysOf(calendar.previous),
    conversion: await countConversion(
      database,
      tenant,
      { ...calendar, today: asked.today },
      purchases,
      payers.first_purchases,
      signal,
    ),
    anonymous_count: sumOf(parts, ({ counted }) =>
      sumOver(range, (day) => counted.anonymous[day]!),
    ),
    left_out: {
      ...purchases.uncounted,
      no_rate: sumOf(unconverted, (each) => each.purchase_count + each.refund_count),
    },
  };
}

/** Counts the active and new players of a choice of players, in the place of those of all. */
async function readPlayers(
  database: ExploreDatabase,
  { choice, ...asked }: Tenant & AskedDays & { choice: PlayerChoice | null },
  calendar: RevenueDays,
  signal: AbortSignal,
): Promise<{ calendar: RevenueDays; keeps?: (high: number, low: number) => boolean }> {
  if (choice === null) return { calendar };
  const set = await findPlayers(database, asked, choice, signal);
  const { days } = calendar;
  const slice = { ...asked, from: days[0]!, to: days.at(-1)!, choice };
  const { total } = countActiveDays(slice, await readActivity(database, slice, set, signal), null);
  return {
    calendar: {
      ...calendar,
      active_players: Uint32Array.from(total, ({ daily }) => daily),
      new_players: Uint32Array.from(total, ({ new_players }) => new_players),
    },
    keeps: (high, low) => set.valueOf(high, low) !== -1,
  };
}

/** The purchases of one currency that the report counts. */
interface Part {
  counted: CurrencyDays;
  /** Converts amounts of a day. */
  rateOf(day: number): number;
}

interface Payers {
  /** Payers by the day of a purchase, day after day; a player may be there several times. */
  players: Uint32Array;
  starts: Uint32Array;
  first_purchases: Uint32Array;
}

function findPayers(
  { players, days, currency_places, player_count }: Purchases,
  day_count: number,
  isShown: (currency: string) => boolean,
): Payers {
  const is_shown = CURRENCIES.map(isShown);
  const first_purchases = new Uint32Array(player_count).fill(NEVER);
  const { order, starts } = groupBy(days, day_count);
  const arranged = new Uint32Array(order.length);
  let to = 0;
  const shown_starts = new Uint32Array(day_count + 1);
  for (let day = 0; day < day_count; day++) {
    shown_starts[day] = to;
    for (let place = starts[day]!; place < starts[day + 1]!; place++) {
      const index = order[place]!;
      if (!is_shown[currency_places[index]!]) continue;
      const player = players[index]!;
      arranged[to++] = player;
      if (first_purchases[player] === NEVER) first_purchases[player] = day;
    }
  }
  shown_starts[day_count] = to;
  return { players: arranged, starts: shown_starts, first_purchases };
}

/** Makes the function that counts the numbers of some days. */
function createCounter(parts: readonly Part[], payers: Payers, calendar: RevenueDays) {
  const counted_in = new Uint32Array(payers.first_purchases.length);
  let call = 0;
  const countPayers = ({ first, last }: Span) => {
    call++;
    let unique = 0;
    for (let place = payers.starts[first]!; place < payers.starts[last + 1]!; place++) {
      const player = payers.players[place]!;
      if (counted_in[player] === call) continue;
      counted_in[player] = call;
      unique++;
    }
    return unique;
  };
  const addUp = (span: Span, amountOf: (part: Part, day: number) => number) =>
    sumOf(parts, (part) => sumOver(span, (day) => amountOf(part, day)));
  return (span: Span): Numbers => {
    const revenue = roundMoney(
      addUp(span, (part, day) => part.counted.revenue.of(day) * part.rateOf(day)),
    );
    const unique = countPayers(span);
    const daily = sumOver(span, (day) => countPayers({ first: day, last: day }));
    const active_players = sumOver(span, (day) => calendar.active_players[day]!);
    return {
      revenue,
      refunded: roundMoney(
        addUp(span, (part, day) => part.counted.refunded.of(day) * part.rateOf(day)),
      ),
      purchase_count: addUp(span, (part, day) => part.counted.purchases[day]!),
      refund_count: addUp(span, (part, day) => part.counted.refunds[day]!),
      payers: unique,
      active_players,
      arpdau: divide(revenue, active_players),
      arppu: divide(revenue, unique),
      paying_share: divide(daily, active_players),
    };
  };
}

const divide = (total: number, count: number) => (count === 0 ? null : total / count);

const sumOf = <Each>(list: readonly Each[], valueOf: (each: Each) => number): number =>
  list.reduce((sum, each) => sum + valueOf(each), 0);

function sumOver({ first, last }: Span, valueOf: (day: number) => number): number {
  let sum = 0;
  for (let day = first; day <= last; day++) sum += valueOf(day);
  return sum;
}
