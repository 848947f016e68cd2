import { CURRENCIES } from '@overworld/contract/analytics/currencies';
import { createColumn } from '../scan/columns.ts';
import { createSums } from './money.ts';
import type { Sums } from './money.ts';

/** The sums and numbers of purchases and refunds in one currency, for each day. */
export interface CurrencyDays {
  revenue: Sums;
  refunded: Sums;
  purchases: Uint32Array;
  refunds: Uint32Array;
  /** The number of those purchases that have no player. */
  anonymous: Uint32Array;
}

export interface Purchases {
  currencies: ReadonlyMap<string, CurrencyDays>;
  /**
   * The purchases that have a player and an amount above zero, as columns: the player, the day, and
   * the index of the currency in `CURRENCIES`.
   */
  players: Uint32Array;
  days: Uint32Array;
  currency_places: Uint8Array;
}

/** A purchase or refund that the report counts. */
interface Counted {
  /** The number of the player; -1 without a player. */
  player: number;
  day: number;
  /** The index of the currency in `CURRENCIES`. */
  place: number;
  millionths: number;
}

/** Makes a collector of purchases. Call `add` for each purchase, and `collected` at the end. */
export function createCollector(day_count: number): {
  add(counted: Counted): void;
  collected(): Purchases;
} {
  const players = createColumn.integers();
  const days = createColumn.integers();
  const places = createColumn.bytes();
  const currencies = new Map<string, CurrencyDays>();
  return {
    add({ player, day, place, millionths }) {
      const currency = CURRENCIES[place]!;
      let sums = currencies.get(currency);
      if (sums === undefined) currencies.set(currency, (sums = createCurrencyDays(day_count)));
      const is_anonymous = player === -1;
      addTo(sums, day, millionths, is_anonymous);
      if (millionths < 0 || is_anonymous) return;
      players.push(player);
      days.push(day);
      places.push(place);
    },
    collected: () => ({
      currencies,
      players: players.values(),
      days: days.values(),
      currency_places: places.values(),
    }),
  };
}

function addTo(
  counted: CurrencyDays,
  day: number,
  millionths: number,
  is_anonymous: boolean,
): void {
  counted.revenue.add(day, millionths);
  if (millionths > 0) counted.purchases[day]!++;
  else {
    counted.refunds[day]!++;
    counted.refunded.add(day, -millionths);
  }
  if (is_anonymous) counted.anonymous[day]!++;
}

const createCurrencyDays = (day_count: number): CurrencyDays => ({
  revenue: createSums(day_count),
  refunded: createSums(day_count),
  purchases: new Uint32Array(day_count),
  refunds: new Uint32Array(day_count),
  anonymous: new Uint32Array(day_count),
});
