import { CURRENCIES } from '@overworld/contract/analytics/currencies';
import { LTV_DAYS } from '@overworld/contract/analytics/limits';
import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import { sql } from '../../../platform/database/sql.ts';
import { addDays } from '../days.ts';
import { createDayFinder } from '../revenue/revenue-days.ts';
import { createPurchaseScan } from '../revenue/purchase-scan.ts';
import { createColumn } from '../scan/columns.ts';
import { scanEvents } from '../scan/event-scan.ts';
import { expectEvents } from '../scan/expected-rows.ts';
import { createPlayerNumbers } from '../scan/player-numbers.ts';
import type { EventSelection } from '../scan/event-selection.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import type { DateRange } from '../../../platform/reports/date-range.ts';

interface Asked extends EventSelection, DateRange {
  settings: RevenueSettings;
}

/** Reads the purchases with a player from the first day of the range to the last day that its cohorts count. */
export async function readValues(
  database: ExploreDatabase,
  { game_id, environment, from, to, today, time_zone, settings }: Asked,
  signal: AbortSignal,
) {
  const latest = addDays(to, LTV_DAYS.at(-1)!);
  const last = latest < today ? latest : today < from ? from : today;
  const rows = await database.query<{ start_at: string; start_us: number }>(
    sql`
      SELECT start_at,
             (extract(epoch FROM start_at - '2000-01-01 00:00:00Z'::timestamptz) * 1000000)::bigint
               AS start_us
      FROM (SELECT ${from}::date + place AS day
            FROM generate_series(0, ${last}::date - ${from}::date + 1) AS place) AS calendar
      CROSS JOIN LATERAL (SELECT day::timestamp AT TIME ZONE ${time_zone}::text AS start_at) AS start
      ORDER BY day`,
    signal,
  );
  const findDay = createDayFinder(Float64Array.from(rows, ({ start_us }) => start_us));
  const selection = {
    game_id,
    environment,
    starts_at: rows[0]!.start_at,
    ends_at: rows.at(-1)!.start_at,
  };
  await expectEvents(database, selection, [settings.event_name], signal);
  const numbers = createPlayerNumbers();
  const players = createColumn.integers();
  const days = createColumn.integers();
  const places = createColumn.bytes();
  const amounts = createColumn.doubles();
  const counts = new Uint32Array(CURRENCIES.length);
  const { scan, read } = createPurchaseScan(settings, numbers.numberOf);
  await scanEvents(
    database,
    selection,
    [
      {
        ...scan,
        with_anonymous: false,
        onEvents: (events) =>
          read(events, ({ player, time, place, millionths, problem }) => {
            if (problem !== null || player === -1) return;
            players.push(player);
            days.push(findDay(time));
            places.push(place);
            amounts.push(millionths);
            counts[place]!++;
          }),
      },
    ],
    signal,
  );
  return {
    findPlayer: numbers.find,
    player_count: numbers.count,
    players: players.values(),
    /** For each purchase, the number of days after `from`. */
    days: days.values(),
    /** For each purchase, the index of its currency in `CURRENCIES`. */
    places: places.values(),
    millionths: amounts.values(),
    /** The number of purchases in each currency. */
    counts,
  };
}

export type ReadValues = Awaited<ReturnType<typeof readValues>>;
