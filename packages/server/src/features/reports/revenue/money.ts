import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';

/**
 * Amounts are added up as whole millionths of the currency. Such sums are exact, and do not depend on the
 * order of the events.
 */
export const MILLION = 1_000_000;

/**
 * Makes exact sums. The sum of 20 million amounts may have more digits than a double can hold. So two doubles
 * are used: one for the whole units, and one for the millionths.
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
    /** Returns the sum of a day, in units of the currency. */
    of: (day: number): number => units[day]! + rests[day]! / MILLION,
  };
}

/** Exact sums of millionths, one for each day. */
export type Sums = ReturnType<typeof createSums>;

/** Rounds an amount to millionths, to remove the errors of computing with doubles. */
export const roundMoney = (amount: number): number => {
  const rounded = Math.round(amount * MILLION) / MILLION;
  return Number.isFinite(rounded) ? rounded : amount;
};

/**
 * Makes the function that returns the rate of a currency on a day; null if the currency has no rate. A rate
 * is valid from its day until the day of the next rate. The earliest rate is also valid on all days before.
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
