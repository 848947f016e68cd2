import { CURRENCIES, MAX_MILLIONTHS, millionthsOf } from '@overworld/contract/analytics/currencies';
import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import type { SuccessOf } from '@overworld/contract/operation';
import type { getRevenue } from '@overworld/contract/analytics/revenue';
import { hashText } from '../../../platform/database/text-hash.ts';
import { VALUE_SEED } from '../scan/packet.ts';
import type { Numbering } from '../scan/numbering.ts';
import type { ScannedEvents, ValueNumbering } from '../scan/scan.ts';

/** Purchase events that cannot be counted. */
export type Uncounted = Omit<SuccessOf<typeof getRevenue>['left_out'], 'no_rate'>;

/** A purchase event as the settings of its game define it. */
export interface Purchase {
  /** The number of the player; -1 without a player. */
  player: number;
  /** Microseconds since 2000. */
  time: number;
  /** The index of the currency in `CURRENCIES`. */
  place: number;
  /** Millionths of the currency; negative for a refund. */
  millionths: number;
  /** Null if the purchase counts. */
  problem: keyof Uncounted | null;
}

/**
 * Makes the scan of purchase events. All reports with money use this scan.
 * @param players Numbers the players who are of interest.
 */
export function createPurchaseScan(settings: RevenueSettings, players: Numbering) {
  const { event_name, filter, amount_property, amount_unit, currency, currency_property } =
    settings;
  const own_place = CURRENCIES.indexOf(currency!);
  const currencies = currency_property === null ? null : numberCurrencies(currency_property);
  const factors = CURRENCIES.map((code) => millionthsOf(amount_unit, code));
  return {
    scan: {
      names: [event_name],
      choices: [{ filter, text: JSON.stringify(filter), path: [] }],
      with_anonymous: true,
      columns: {
        players,
        times: true,
        numbers: amount_property,
        values: currencies === null ? [] : [currencies],
      },
    },
    /**
     * Calls `onPurchase` for each purchase, with its index. All calls get the same object, with the values of the
     * next purchase.
     */
    read(events: ScannedEvents, onPurchase: (purchase: Purchase, index: number) => void) {
      const { numbers: amounts, values } = events;
      const purchase: Purchase = { player: 0, time: 0, place: 0, millionths: 0, problem: null };
      for (let index = 0; index < events.count; index++) {
        const place = currencies === null ? own_place : values[0]![index]!;
        const millionths = place === NONE ? 0 : Math.round(amounts[index]! * factors[place]!);
        purchase.player = events.players[index]!;
        purchase.time = events.times[index]!;
        purchase.place = place;
        purchase.millionths = millionths;
        purchase.problem = findProblem(amounts[index]!, place, millionths);
        onPurchase(purchase, index);
      }
    },
  };
}

/** The `place` of a purchase whose currency is unknown. */
const NONE = -1;

function findProblem(amount: number, place: number, millionths: number): keyof Uncounted | null {
  if (Number.isNaN(amount)) return 'not_a_number';
  if (place === NONE) return 'no_currency';
  // A number that rounds to zero millionths counts as zero, which is no purchase.
  if (Math.abs(millionths) > MAX_MILLIONTHS) return 'too_large';
  return millionths === 0 ? 'zero' : null;
}

/**
 * Makes the function that finds the index of a currency in `CURRENCIES`. It keeps only the currencies in memory,
 * however many other texts the events have.
 */
function numberCurrencies(property: string): ValueNumbering {
  const places = new Map(
    CURRENCIES.map((code, place) => {
      const { high, low } = hashText(code, VALUE_SEED);
      return [keyOf(high, low), place];
    }),
  );
  const numberOf: Numbering = (high, low) => places.get(keyOf(high, low)) ?? NONE;
  return { property, in_upper_case: true, numberOf };
}

/** Makes a number of 53 bits from the two halves of a hash. */
const keyOf = (high: number, low: number): number => (high >>> 0) * 2 ** 21 + (low >>> 11);
