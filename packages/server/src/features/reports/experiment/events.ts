import type { ExperimentMetric } from '@overworld/contract/remote-config/experiment-definition';
import { scanEvents } from '../scan/event-scan.ts';
import type { EventSelection } from '../scan/event-selection.ts';
import type { Scan } from '../scan/scan.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { createPurchaseScan } from '../revenue/purchase-scan.ts';
import type { Purchase } from '../revenue/purchase-scan.ts';
import { addDays } from '../days.ts';
import type {
  DayOutcomes,
  ExperimentInput,
} from '../../../platform/reports/experiment-outcomes.ts';
import type { Exposures } from './players.ts';
import { createAmounts } from './revenue.ts';

const DAY_MS = 86_400_000;
const DAY_US = DAY_MS * 1_000;
const YEAR_2000_MS = Date.UTC(2000);

/** Larger numbers count as this number, because the sum of their squares would be infinite. */
const LARGEST_NUMBER = 1e15;

/** A metric with its value for each player. `values` has the values in the order of the players' numbers. */
interface Counted {
  metric: ExperimentMetric;
  /** The index of the metric in the list of all metrics. */
  index: number;
  values: Float64Array;
}

/**
 * Adds up the metrics that are computed from events. Only events after a player's first exposure are counted
 * for that player.
 */
export async function addUpEvents(
  database: ExploreDatabase,
  input: ExperimentInput,
  exposures: Exposures,
  days: readonly DayOutcomes[],
  signal: AbortSignal,
): Promise<void> {
  const counted = input.metrics.flatMap((metric, index): Counted[] =>
    metric.kind === 'retention'
      ? []
      : [{ metric, index, values: new Float64Array(exposures.times.length) }],
  );
  const of_money = counted.filter(({ metric }) => metric.kind === 'revenue');
  const others = counted.filter(({ metric }) => metric.kind !== 'revenue');
  const same_events = Map.groupBy(others, ({ metric: { event_name, property } }) =>
    JSON.stringify([event_name, property]),
  );
  const scans = [...same_events.values()].map((same) => makeScan(same, exposures));
  if (of_money.length > 0) {
    scans.push(await makeRevenueScan(database, input, of_money, exposures, signal));
  }
  await scanEvents(database, selectEvents(input), scans, signal, Infinity);
  for (const each of counted) addUp(each, exposures, input, days);
}

/** Selects the events that may be counted for the players who were first exposed in the range of days. */
function selectEvents(input: ExperimentInput): EventSelection {
  const { from, to, closed_to, waited_days } = input;
  const closes_on = addDays(to, waited_days);
  // The selection ends at the end of a day, so that all reports of that day can use the same cached chunks.
  const end_ms = Math.ceil(Date.parse(input.ends_at) / DAY_MS) * DAY_MS;
  const ends_at = new Date(Math.min(end_ms, Date.parse(closes_on))).toISOString();
  const starts_at = new Date(from).toISOString();
  const selection = { ...input, starts_at, ends_at };
  if (to > closed_to) return selection;
  return { ...selection, received_until: new Date(closes_on).toISOString() };
}

/** Makes one scan for metrics that read the same events. */
function makeScan(counted: readonly Counted[], { find, times }: Exposures): Scan {
  const { event_name, property } = counted[0]!.metric;
  return {
    names: [event_name!],
    columns: { players: find, times: true, numbers: property ?? null },
    onEvents({ count, players, times: occurred, numbers }) {
      for (let index = 0; index < count; index++) {
        const player = players[index]!;
        if (player === -1) continue;
        const passed = occurred[index]! - times[player]!;
        if (passed < 0) continue;
        for (const { metric, values: sums } of counted) {
          if (passed >= metric.days * DAY_US) continue;
          if (metric.kind === 'event_sum') sums[player]! += bound(numbers[index]!);
          else if (metric.kind === 'event_count') sums[player]!++;
          else sums[player] = 1;
        }
      }
    },
  };
}

/** Makes a scan of the purchases of the game, by the same rules as the revenue report. */
async function makeRevenueScan(
  database: ExploreDatabase,
  { revenue, time_zone }: ExperimentInput,
  counted: readonly Counted[],
  { find, times }: Exposures,
  signal: AbortSignal,
): Promise<Scan> {
  const { scan, read } = createPurchaseScan(revenue!, find);
  const amountOf = await createAmounts(database, revenue!, time_zone, signal);
  const count = (purchase: Purchase) => {
    const { player } = purchase;
    if (player === -1) return;
    const passed = purchase.time - times[player]!;
    if (passed < 0) return;
    for (const { metric, values } of counted) {
      if (passed < metric.days * DAY_US) values[player]! += amountOf(purchase);
    }
  };
  return { ...scan, with_anonymous: false, onEvents: (events) => read(events, count) };
}

const bound = (number: number) =>
  Number.isNaN(number) ? 0 : Math.max(-LARGEST_NUMBER, Math.min(number, LARGEST_NUMBER));

function addUp(
  { metric, index, values }: Counted,
  { variants, times }: Exposures,
  { ends_at, from }: ExperimentInput,
  of_days: readonly DayOutcomes[],
): void {
  const { days, cap = Infinity } = metric;
  const last_time = (Date.parse(ends_at) - YEAR_2000_MS) * 1_000 - days * DAY_US;
  const first_time = (Date.parse(from) - YEAR_2000_MS) * 1_000;
  for (let player = 0; player < values.length; player++) {
    const time = times[player]!;
    if (time > last_time) continue;
    const of_day = of_days[Math.floor((time - first_time) / DAY_US)]!;
    const of_variant = of_day.metrics[index]![variants[player]!]!;
    const value = Math.min(values[player]!, cap);
    of_variant.players++;
    of_variant.sum += value;
    of_variant.sum_of_squares += value * value;
  }
}
