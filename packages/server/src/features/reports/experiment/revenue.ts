import { CURRENCIES } from '@overworld/contract/analytics/currencies';
import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import { sql } from '../../../platform/database/sql.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { createRates, MILLION } from '../revenue/money.ts';
import type { Purchase } from '../revenue/purchase-scan.ts';
import { createDayFinder } from '../revenue/revenue-days.ts';

/**
 * Makes a function that converts a purchase to the currency of the game's reports,
 * at the exchange rate of the purchase's day. The revenue report uses the same
 * rates. The function returns 0 for purchases that the report leaves out.
 */
export async function createAmounts(
  database: ExploreDatabase,
  settings: RevenueSettings,
  time_zone: string,
  signal: AbortSignal,
): Promise<(purchase: Purchase) => number> {
  const { report_currency, currency, rates } = settings;
  if (report_currency === null) {
    const shown = CURRENCIES.indexOf(currency!);
    return ({ place, millionths, problem }) =>
      problem === null && place === shown ? millionths / MILLION : 0;
  }
  const days = await database.query<{ day: string; time: number }>(
    sql`
      SELECT day, (extract(epoch FROM day::timestamp AT TIME ZONE ${time_zone}::text
                                      - '2000-01-01 00:00+00') * 1000000)::bigint AS time
      FROM (SELECT DISTINCT unnest(${rates.map(({ valid_from }) => valid_from)}::text[]) AS day) AS of_rates
      ORDER BY day`,
    signal,
  );
  const rateOf = createRates(settings);
  // Before the first of these days, the rates of the first day apply.
  const names = days.length === 0 ? [''] : days.map(({ day }) => day);
  const findDay = createDayFinder(Float64Array.of(...days.map(({ time }) => time), Infinity));
  const by_currency = CURRENCIES.map((code) => names.map((day) => rateOf(code, day)));
  return ({ place, time, millionths, problem }) => {
    if (problem !== null) return 0;
    const rate = by_currency[place]![findDay(time)]!;
    return rate === null ? 0 : (millionths * rate) / MILLION;
  };
}
