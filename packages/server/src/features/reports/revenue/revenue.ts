import type { getRevenue } from '@overworld/contract/analytics/revenue';
import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { expectEvents } from '../scan/expected-rows.ts';
import type { PlayerChoice } from '../players/player-choice.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { countConversion } from './conversion.ts';
import { createRates, roundMoney } from './money.ts';
import { readPurchases } from './purchases.ts';
import { readRevenueDays } from './revenue-days.ts';
import type { Span } from './revenue-days.ts';
import { createCounter, findPayers, sumOf, sumOver } from './revenue-numbers.ts';
import type { Part } from './revenue-numbers.ts';
import { readRevenuePlayers } from './revenue-players.ts';
import type { DateRange } from '../../../platform/reports/date-range.ts';

export interface RevenueInput extends Tenant, DateRange {
  settings: RevenueSettings;
  /**
   * The only currency whose purchases count. Null to count all purchases; they are converted if the settings
   * say so.
   */
  currency: string | null;
  /** The players whose purchases count; null for all purchases. */
  choice: PlayerChoice | null;
}

type Report = SuccessOf<typeof getRevenue>;
export type RevenueReport = Omit<Report, 'from' | 'to' | 'time_zone'>;

/** Counts revenue, payers and conversion. The contract has the definitions. */
export async function makeRevenue(
  database: ExploreDatabase,
  { settings, currency, choice, ...asked }: RevenueInput,
  signal: AbortSignal,
): Promise<RevenueReport> {
  const { game_id, environment } = asked;
  const tenant = { game_id, environment };
  const all_days = await readRevenueDays(database, tenant, asked, signal);
  const { starts_at, ends_at, days, range, period } = all_days;
  const selection = { ...tenant, starts_at, ends_at };
  await expectEvents(database, selection, [settings.event_name], signal);
  const players = await readRevenuePlayers(database, { ...asked, choice }, all_days, signal);
  const { all, groups, uncounted, player_count, findPlayer } = await readPurchases(
    database,
    selection,
    { settings, ...players, group_count: players.groups.length },
    signal,
  );
  const rateOf = createRates(settings);
  const countIn = (span: Span, code: string) => {
    const { purchases, refunds } = all.currencies.get(code)!;
    return sumOver(span, (day) => purchases[day]! + refunds[day]!);
  };
  const currencies = [...all.currencies]
    .map(([code, counted]) => ({
      currency: code,
      purchase_count: sumOver(period, (day) => counted.purchases[day]!),
      refund_count: sumOver(period, (day) => counted.refunds[day]!),
      revenue: roundMoney(sumOver(period, (day) => counted.revenue.of(day))),
      has_rate: rateOf(code, days[0]!) !== null,
    }))
    .filter(({ currency: code }) => countIn(range, code) > 0)
    .toSorted(
      (a, b) =>
        b.purchase_count - a.purchase_count ||
        b.refund_count - a.refund_count ||
        countIn(range, b.currency) - countIn(range, a.currency) ||
        (a.currency < b.currency ? -1 : 1),
    );

  const is_converted = currency === null && settings.report_currency !== null;
  const shown =
    currency ?? settings.report_currency ?? currencies[0]?.currency ?? settings.currency;
  const isShown = (code: string) =>
    is_converted ? rateOf(code, days[0]!) !== null : code === shown;
  const told = [
    { purchases: all, calendar: players.calendar },
    ...groups.map((purchases, index) => ({
      purchases,
      calendar: players.groups[index]!.calendar,
    })),
  ].map(({ purchases, calendar }) => {
    const parts = [...purchases.currencies]
      .filter(([code]) => isShown(code))
      .map(([code, counted]): Part => ({
        counted,
        rateOf: (day) => (is_converted ? rateOf(code, days[day]!)! : 1),
      }));
    const payers = findPayers(purchases, player_count, days.length, isShown);
    return { purchases, calendar, parts, payers };
  });
  const conversions = await countConversion(
    database,
    tenant,
    { ...all_days, today: asked.today },
    findPlayer,
    told.map(({ calendar, payers }) => ({
      new_players: calendar.new_players,
      first_purchases: payers.first_purchases,
    })),
    signal,
  );
  const [total, ...parts] = told.map(({ calendar, parts: of, payers }, index) => {
    const count = createCounter(of, payers, calendar);
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
    return {
      period: periodOf(calendar.period),
      previous: periodOf(calendar.previous),
      days: daysOf(range),
      previous_days: daysOf(calendar.previous),
      conversion: conversions[index]!,
    };
  });
  const unconverted = currencies.filter(({ has_rate }) => is_converted && !has_rate);
  return {
    currency: shown,
    is_converted,
    currencies,
    ...total!,
    groups: parts.map(({ previous_days: _previous_days, ...part }, index) => ({
      ...players.groups[index]!.label,
      ...part,
    })),
    anonymous_count: sumOf(told[0]!.parts, ({ counted }) =>
      sumOver(range, (day) => counted.anonymous[day]!),
    ),
    left_out: {
      ...uncounted,
      no_rate: sumOf(unconverted, (each) => countIn(range, each.currency)),
    },
  };
}
