import { CURRENCIES, MAX_MILLIONTHS, millionthsOf } from '@overworld/contract/analytics/currencies';
import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import { sql } from '../../../../platform/database/sql.ts';
import type { Sql } from '../../../../platform/database/sql.ts';
import { scanEvents } from '../../scan/event-scan.ts';
import type { Scan } from '../../scan/event-scan.ts';
import { matchesFilter } from '../../scan/event-selection.ts';
import type { EventSelection } from '../../scan/event-selection.ts';
import { readNumbers } from '../../scan/number-texts.ts';
import { PackedField } from '../../scan/packet.ts';
import type { ExploreDatabase } from '../../thread/explore-database.ts';
import { createCollector } from './collected-purchases.ts';
import type { Purchases } from './collected-purchases.ts';
import { createDayFinder } from './revenue-days.ts';
import type { RevenueDays } from './revenue-days.ts';

/** Purchase events of the range that cannot be counted. */
export interface Uncounted {
  not_a_number: number;
  too_large: number;
  zero: number;
  no_currency: number;
}

interface PurchaseQuestion {
  settings: RevenueSettings;
  calendar: Pick<RevenueDays, 'days' | 'starts' | 'range'>;
  /** Whether the purchases of a player count, by the hash of the player. */
  keeps?: ((high: number, low: number) => boolean) | undefined;
  /** The index of the group of a player; there are `group_count`, and other indexes are none. */
  groupOf: (high: number, low: number) => number;
  group_count: number;
}

/** The purchases of a report, and those of each group of players. */
interface ReadPurchases {
  all: Purchases;
  groups: Purchases[];
  uncounted: Uncounted;
}

export async function readPurchases(
  database: ExploreDatabase,
  selection: EventSelection,
  { settings, calendar, keeps, groupOf, group_count }: PurchaseQuestion,
  signal: AbortSignal,
): Promise<ReadPurchases> {
  const { event_name, filter, amount_property, amount_unit, currency_property } = settings;
  const { range, days } = calendar;
  const findDay = createDayFinder(calendar.starts);
  const findCurrency = await createCurrencyFinder(database, settings, signal);
  const all = createCollector(days.length);
  const groups = Array.from({ length: group_count }, () => createCollector(days.length));
  const uncounted: Uncounted = { not_a_number: 0, too_large: 0, zero: 0, no_currency: 0 };
  const factors = CURRENCIES.map((currency) => millionthsOf(amount_unit, currency));

  const fields = [PackedField.time];
  if (currency_property !== null) fields.push(PackedField.hash(codeIn(currency_property), SEED));
  const record_bytes = 8 * (1 + fields.length);
  const scan: Scan = {
    ...(keeps && { keeps }),
    names: [event_name],
    condition: matchesFilter({ event_name, filter, text: JSON.stringify(filter), path: [] }),
    fields,
    value: sql`properties -> ${amount_property}::text`,
    with_anonymous: true,
    onPacket({ view, count, values }) {
      const amounts = new Float64Array(count);
      readNumbers(values, amounts, 0);
      for (let index = 0; index < count; index++) {
        const at = index * record_bytes;
        const day = findDay(view.getInt32(at + 8) * 2 ** 32 + view.getUint32(at + 12));
        const place = findCurrency(view, at + 16);
        const millionths = place === NONE ? 0 : Math.round(amounts[index]! * factors[place]!);
        const problem = findProblem(amounts[index]!, place, millionths);
        if (problem !== null) {
          if (day >= range.first && day <= range.last) uncounted[problem]++;
          continue;
        }
        const [high, low] = [view.getUint32(at), view.getUint32(at + 4)];
        const counted = { high, low, day, place, millionths };
        all.add(counted);
        if (group_count > 0) groups[groupOf(high, low)]?.add(counted);
      }
    },
  };
  await scanEvents(database, selection, [scan], signal);
  return {
    all: all.collected(),
    groups: groups.map(({ collected }) => collected()),
    uncounted,
  };
}

/** The place of no currency. */
const NONE = -1;
/** A fixed seed: the codes of currencies are known to everybody. */
const SEED = '0';

function findProblem(amount: number, place: number, millionths: number): keyof Uncounted | null {
  if (Number.isNaN(amount)) return 'not_a_number';
  if (place === NONE) return 'no_currency';
  // Zero is no purchase, whatever its currency; a number too small to be money is zero.
  if (Math.abs(millionths) > MAX_MILLIONTHS) return 'too_large';
  return millionths === 0 ? 'zero' : null;
}

/** Upper case of ASCII alone, whatever the locale of the database. */
const codeIn = (property: string): Sql =>
  sql`upper((properties ->> ${property}::text) COLLATE "C")`;

/**
 * Makes the function that finds the place of a record's currency among all currencies. Texts that
 * are no currency cost nothing, however many there are.
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

/** 53 bits of a hash. */
const keyOf = (high: number, low: number): number => high * 2 ** 21 + (low >>> 11);
