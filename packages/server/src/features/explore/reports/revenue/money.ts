import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';

/** Sums of millionths are exact, and do not depend on the order in which events are read. */
export const MILLION = 1_000_000;

/** Exact sums of millionths, one for each day. */
export interface Sums {
  add(day: number, millionths: number): void;
  /** The sum of a day, in units of the currency. */
  of(day: number): number;
}

/** A sum of 20 million amounts has more digits than a double; whole units and the rest fit into two. */
export function createSums(day_count: number): Sums {
  const units = new Float64Array(day_count);
  const rests = new Float64Array(day_count);
  return {
    add(day, millionths) {
      const unit = Math.floor(millionths / MILLION);
      units[day]! += unit;
      rests[day]! += millionths - unit * MILLION;
    },
    of: (day) => units[day]! + rests[day]! / MILLION,
  };
}

/** Cuts the digits that come from computing with doubles. */
export const roundMoney = (amount: number): number => {
  const rounded = Math.round(amount * MILLION) / MILLION;
  return Number.isFinite(rounded) ? rounded : amount;
};

/**
 * Makes the function that tells the rate of a currency on a day; null if there is none. A rate holds
 * until the next one, and the earliest also before.
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
