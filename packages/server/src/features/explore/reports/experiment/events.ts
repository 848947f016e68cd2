import type { ExperimentMetric } from '@overworld/contract/remote-config/experiment-definition';
import { sql } from '../../../../platform/database/sql.ts';
import { scanEvents } from '../../scan/event-scan.ts';
import type { Scan } from '../../scan/event-scan.ts';
import { readNumbers } from '../../scan/number-texts.ts';
import { PackedField } from '../../scan/packet.ts';
import type { Packet } from '../../scan/packet.ts';
import type { ExploreDatabase } from '../../thread/explore-database.ts';
import { makeSums } from './outcomes.ts';
import type { ExperimentInput, Sums } from './outcomes.ts';
import type { Exposures } from './players.ts';

const DAY_MS = 86_400_000;
const DAY_US = DAY_MS * 1_000;
const YEAR_2000_MS = Date.UTC(2000);
const RECORD_BYTES = 16;

/** Larger numbers count as this: the sum of their squares would be infinite. */
const LARGEST_NUMBER = 1e15;

/** A metric with the value of each player, by number. */
interface Counted {
  metric: ExperimentMetric;
  values: Float64Array;
}

/** Adds up the metrics over events in the time after the exposure of each player. */
export async function addUpEvents(
  database: ExploreDatabase,
  input: ExperimentInput,
  exposures: Exposures,
  metrics: readonly ExperimentMetric[],
  signal: AbortSignal,
): Promise<[ExperimentMetric, Sums[]][]> {
  const player_count = exposures.times.length;
  const counted = metrics.map((metric) => ({ metric, values: new Float64Array(player_count) }));
  const scans = Map.groupBy(counted, ({ metric: { event_name, property } }) =>
    JSON.stringify([event_name, property]),
  );
  // A range until the end of the day has the same slices at each look.
  const ends_at = new Date(Math.ceil(Date.parse(input.ends_at) / DAY_MS) * DAY_MS).toISOString();
  await scanEvents(
    database,
    { ...input, ends_at },
    [...scans.values()].map((same) => makeScan(same, exposures)),
    signal,
  );
  return counted.map(({ metric, values }) => [metric, addUp({ metric, values }, exposures, input)]);
}

/** A scan of the events of metrics that read the same ones. */
function makeScan(counted: readonly Counted[], { find, times }: Exposures): Scan {
  const { event_name, property } = counted[0]!.metric;
  let numbers = new Float64Array(0);
  const scan: Scan = {
    names: [event_name!],
    condition: sql`true`,
    fields: [PackedField.time],
    onPacket({ view, count, values }: Packet) {
      if (property !== undefined) {
        if (numbers.length < count) numbers = new Float64Array(count);
        readNumbers(values, numbers, 0);
      }
      for (let index = 0; index < count; index++) {
        const at = index * RECORD_BYTES;
        const player = find(view.getUint32(at), view.getUint32(at + 4));
        if (player === -1) continue;
        const moment = view.getInt32(at + 8) * 2 ** 32 + view.getUint32(at + 12);
        const passed = moment - times[player]!;
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
  if (property !== undefined) scan.value = sql`properties -> ${property}::text`;
  return scan;
}

const bound = (number: number) =>
  Number.isNaN(number) ? 0 : Math.max(-LARGEST_NUMBER, Math.min(number, LARGEST_NUMBER));

function addUp(
  { metric, values }: Counted,
  { variants, times }: Exposures,
  { ends_at, variant_count }: ExperimentInput,
): Sums[] {
  const { days, cap = Infinity } = metric;
  const last_time = (Date.parse(ends_at) - YEAR_2000_MS) * 1_000 - days * DAY_US;
  const sums = makeSums(variant_count);
  for (let player = 0; player < values.length; player++) {
    if (times[player]! > last_time) continue;
    const of_variant = sums[variants[player]!]!;
    const value = Math.min(values[player]!, cap);
    of_variant.players++;
    of_variant.sum += value;
    of_variant.sum_of_squares += value * value;
  }
  return sums;
}
