import { CURRENCIES, MAX_MILLIONTHS, millionthsOf } from '@overworld/contract/analytics/currencies';
import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import type { SuccessOf } from '@overworld/contract/operation';
import type { getRevenue } from '@overworld/contract/analytics/revenue';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { matchesFilter } from '../scan/event-selection.ts';
import { readNumbers } from '../scan/number-texts.ts';
import { PackedField, read64 } from '../scan/packet.ts';
import type { Packet } from '../scan/packet.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';

/** Purchase events that cannot be counted. */
export type Uncounted = Omit<SuccessOf<typeof getRevenue>['left_out'], 'no_rate'>;

/** A purchase event as the settings of its game define it. */
export interface Purchase {
  /** The halves of the hash of the player; both 0 without a player. */
  high: number;
  low: number;
  /** Microseconds since 2000. */
  time: number;
  /** The index of the currency in `CURRENCIES`. */
  place: number;
  /** Millionths of the currency; negative for a refund. */
  millionths: number;
  /** Null if the purchase counts. */
  problem: keyof Uncounted | null;
}

/** Makes the scan of purchase events. All reports with money use this scan. */
export async function createPurchaseScan(
  database: ExploreDatabase,
  settings: RevenueSettings,
  signal: AbortSignal,
) {
  const { event_name, filter, amount_property, amount_unit, currency_property } = settings;
  const findCurrency = await createCurrencyFinder(database, settings, signal);
  const factors = CURRENCIES.map((currency) => millionthsOf(amount_unit, currency));
  const fields = [PackedField.time];
  if (currency_property !== null) fields.push(PackedField.hash(codeIn(currency_property), SEED));
  const record_bytes = 8 * (1 + fields.length);
  return {
    scan: {
      names: [event_name],
      condition: matchesFilter({ event_name, filter, text: JSON.stringify(filter), path: [] }),
      fields,
      value: sql`properties -> ${amount_property}::text`,
      with_anonymous: true,
    },
    /**
     * Calls `onPurchase` for each purchase of a packet. All calls get the same object, with the values of the
     * next purchase.
     */
    read({ view, count, values }: Packet, onPurchase: (purchase: Purchase) => void) {
      const amounts = new Float64Array(count);
      readNumbers(values, amounts, 0);
      const purchase: Purchase = {
        high: 0,
        low: 0,
        time: 0,
        place: 0,
        millionths: 0,
        problem: null,
      };
      for (let index = 0; index < count; index++) {
        const at = index * record_bytes;
        const place = findCurrency(view, at + 16);
        const millionths = place === NONE ? 0 : Math.round(amounts[index]! * factors[place]!);
        purchase.high = view.getUint32(at);
        purchase.low = view.getUint32(at + 4);
        purchase.time = read64(view, at + 8);
        purchase.place = place;
        purchase.millionths = millionths;
        purchase.problem = findProblem(amounts[index]!, place, millionths);
        onPurchase(purchase);
      }
    },
  };
}

/** The `place` of a purchase whose currency is unknown. */
const NONE = -1;
/** A fixed seed is enough, because the codes of currencies are no secret. */
const SEED = '0';

function findProblem(amount: number, place: number, millionths: number): keyof Uncounted | null {
  if (Number.isNaN(amount)) return 'not_a_number';
  if (place === NONE) return 'no_currency';
  // A number that rounds to zero millionths counts as zero, which is no purchase.
  if (Math.abs(millionths) > MAX_MILLIONTHS) return 'too_large';
  return millionths === 0 ? 'zero' : null;
}

/**
 * Makes SQL for the code of a currency in upper case. Only
 * ASCII letters change, whatever the locale of the database.
 */
const codeIn = (property: string): Sql =>
  sql`upper((properties ->> ${property}::text) COLLATE "C")`;

/**
 * Makes the function that finds the index of a record's currency in `CURRENCIES`. It keeps only the
 * currencies in memory, however many other texts the events have.
 */
async function createCurrencyFinder(
  database: ExploreDatabase,
  { currency, currency_property }: RevenueSettings,
  signal: AbortSignal,
): Promise<(view: DataView, at: number) => number> {
  if (currency_property === null) {
    const place = CURRENCIES.indexOf(currency!);
    return () => place;
  }
  const rows = await database.query<{ place: number; hash: string }>(
    sql`
      SELECT place, hashtextextended(code, ${SEED}::bigint)::text AS hash
      FROM unnest(${CURRENCIES}::text[]) WITH ORDINALITY AS known (code, place)`,
    signal,
  );
  const places = new Map(
    rows.map(({ place, hash }) => {
      const bits = BigInt.asUintN(64, BigInt(hash));
      return [keyOf(Number(bits >> 32n), Number(bits & 0xffff_ffffn)), place - 1];
    }),
  );
  return (view, at) => places.get(keyOf(view.getUint32(at), view.getUint32(at + 4))) ?? NONE;
}

/** Makes a number of 53 bits from the two halves of a hash. */
const keyOf = (high: number, low: number): number => high * 2 ** 21 + (low >>> 11);
