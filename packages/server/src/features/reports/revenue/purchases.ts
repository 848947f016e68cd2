import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import { scanEvents } from '../scan/event-scan.ts';
import type { EventSelection } from '../scan/event-selection.ts';
import { createPlayerNumbers } from '../scan/player-numbers.ts';
import type { Scan } from '../scan/scan.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { createCollector } from './collected-purchases.ts';
import { createPurchaseScan } from './purchase-scan.ts';
import type { Purchase, Uncounted } from './purchase-scan.ts';
import { createDayFinder } from './revenue-days.ts';
import type { RevenueDays } from './revenue-days.ts';

interface PurchaseQuestion {
  settings: RevenueSettings;
  calendar: Pick<RevenueDays, 'days' | 'starts' | 'range'>;
  /**
   * Tells whether the report counts the purchases of a player. The arguments are the two halves of the
   * player's hash.
   */
  keeps?: ((high: number, low: number) => boolean) | undefined;
  /**
   * Returns the index of a player's group. An index outside of 0 to `group_count - 1` stands for no group.
   */
  groupOf: (high: number, low: number) => number;
  group_count: number;
}

/** Reads the purchases of a report, and the purchases of each group of players. */
export async function readPurchases(
  database: ExploreDatabase,
  selection: EventSelection,
  { settings, calendar, keeps, groupOf, group_count }: PurchaseQuestion,
  signal: AbortSignal,
) {
  const { range, days } = calendar;
  const findDay = createDayFinder(calendar.starts);
  const all = createCollector(days.length);
  const groups = Array.from({ length: group_count }, () => createCollector(days.length));
  const uncounted: Uncounted = { not_a_number: 0, too_large: 0, zero: 0, no_currency: 0 };

  const count = ({ player, time, place, millionths, problem }: Purchase, group: number) => {
    const day = findDay(time);
    if (problem !== null) {
      if (day >= range.first && day <= range.last) uncounted[problem]++;
      return;
    }
    const counted = { player, day, place, millionths };
    all.add(counted);
    groups[group]?.add(counted);
  };
  const numbers = createPlayerNumbers();
  const { scan: purchases, read } = createPurchaseScan(settings, numbers.numberOf);
  const { columns } = purchases;
  const by_group = group_count === 0 ? [] : [{ property: null, numberOf: groupOf }];
  const group_at = columns.values.length;
  const scan: Scan = {
    ...purchases,
    ...(keeps && { keeps }),
    columns: { ...columns, values: [...columns.values, ...by_group] },
    onEvents(events) {
      const group_of = events.values[group_at];
      read(events, (purchase, index) => count(purchase, group_of?.[index] ?? -1));
    },
  };
  await scanEvents(database, selection, [scan], signal);
  return {
    all: all.collected(),
    groups: groups.map(({ collected }) => collected()),
    uncounted,
    player_count: numbers.count,
    /** Returns the number of the player whose hash has these halves, or -1 if the player bought nothing. */
    findPlayer: numbers.find,
  };
}
