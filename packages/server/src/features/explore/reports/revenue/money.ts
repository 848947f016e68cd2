import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';

/** Sums of millionths are exact, and do not depend on the order in which events are read. */
export const MILLION = 1_000_000;

/**
 * Makes exact sums. A sum of 20 million amounts has more digits than a double, so whole units and the rest
 * are added up in two doubles.
 */
export function createSums(day_count: number) {
  const units = new Float64Array(day_count);
  const rests = new Float64Array(day_count);
  return {
    add(day: number, millionths: number) {
      const unit = Math.floor(millionths / MILLION);
      units[day]! += unit;
      rests[day]! += millionths - unit * MILLION;
    },
    /** The sum of a day, in units of the currency. */
    of: (day: number): number => units[day]! + rests[day]! / MILLION,
  };
}

/** Exact sums of millionths, one for each day. */
export type Sums = ReturnType<typeof createSums>;

/** Cuts the digits that come from computing with doubles. */
export const roundMoney = (amount: number): number => {
  const rounded = Math.round(amount * MILLION) / MILLION;
  return Number.isFinite(rounded) ? rounded : amount;
};

/**
 * Makes the function that tells the rate of a currency on a day; null if there is none. A rate holds until
 * the day of the next rate. The earliest rate also holds before its day.
 */
export function createRates({ report_currency, rates }: RevenueSettings) {
  const of = Map.groupBy(rates, ({ currency }) => currency);
  return (currency: string, day: string): number | null => {
    if (currency === report_currency) return 1;
    const known = of.get(currency);
    if (known === undefined) return null;
    return (known.findLast(({ valid_from }) => valid_from <= day) ?? known[0]!).rate;
  };
}
