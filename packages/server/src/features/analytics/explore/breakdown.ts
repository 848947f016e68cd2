import { sql } from '../../../platform/database/sql.ts';
import { createDoubles, createIntegers, groupBy, percentile } from './columns.ts';
import { makeSeed, PackedField, scanEvents } from './event-scan.ts';
import { matches } from './event-selection.ts';
import type { EventChoice, EventSelection } from './event-selection.ts';
import type { ExploreDatabase } from './explore-database.ts';
import { createGroups } from './groups.ts';
import type { GroupLabel } from './groups.ts';
import { createPlayerNumbers } from './player-numbers.ts';

export interface BreakdownInput extends EventSelection {
  events: EventChoice;
  /** Property whose values make the groups; null: all is one. */
  group_by: string | null;
  /** Property whose numbers are summed up; null: events are only counted. */
  property: string | null;
  limit: number;
  timeout_ms?: number;
}

export interface BreakdownNumbers {
  events: number;
  players: number;
  numbers: number;
  sum: number | null;
  average: number | null;
  minimum: number | null;
  p25: number | null;
  median: number | null;
  p75: number | null;
  p90: number | null;
  p99: number | null;
  maximum: number | null;
}

export interface BreakdownReport {
  total: BreakdownNumbers;
  groups: (GroupLabel & BreakdownNumbers)[];
}

/** Counts the events of a name, and the numbers in a property of them, by the values of another. */
export async function makeBreakdown(
  database: ExploreDatabase,
  input: BreakdownInput,
  signal: AbortSignal,
): Promise<BreakdownReport> {
  const scanned = await scanBreakdown(database, input, signal);
  const { players, groups, group_numbers } = scanned;
  const total = describe(scanned, new Uint32Array(players.length), 1)[0]!;
  if (groups === null) return { total, groups: [] };
  const sizes = new Uint32Array(groups.count());
  for (const number of group_numbers) sizes[number]!++;
  const { labels, label_of } = await groups.choose(sizes, input.limit, signal);
  const labelled = group_numbers.map((number) => label_of[number]!);
  const parts = describe(scanned, labelled, labels.length);
  return { total, groups: labels.map((label, index) => ({ ...label, ...parts[index]! })) };
}

type Scanned = Awaited<ReturnType<typeof scanBreakdown>>;

async function scanBreakdown(
  database: ExploreDatabase,
  input: BreakdownInput,
  signal: AbortSignal,
) {
  const { events, group_by, property } = input;
  const groups =
    group_by === null ? null : createGroups(database, input, events.event_name, group_by);
  const fields = [];
  if (property !== null) {
    // Only what is a number in JSON: a cast of any other text would fail.
    const value = sql`properties -> ${property}::text`;
    fields.push(
      PackedField.number(
        sql`CASE jsonb_typeof(${value}) WHEN 'number' THEN (${value})::float8 END`,
      ),
    );
  }
  if (groups !== null) fields.push(groups.field);

  const numbers = createPlayerNumbers();
  const players = createIntegers();
  const values = createDoubles();
  const group_numbers = createIntegers();
  const record_bytes = 8 * (1 + fields.length);
  const group_at = property === null ? 8 : 16;
  await scanEvents(
    database,
    input,
    {
      names: [events.event_name],
      condition: matches(events),
      fields,
      seed: makeSeed(),
      with_anonymous: true,
    },
    (packet) => {
      const { view, count } = packet;
      for (let index = 0; index < count; index++) {
        const at = index * record_bytes;
        const [high, low] = [view.getUint32(at), view.getUint32(at + 4)];
        players.push(high === 0 && low === 0 ? NOBODY : numbers.numberOf(high, low));
        if (property !== null) values.push(view.getFloat64(at + 8));
        if (groups === null) continue;
        const [group_high, group_low] = [
          view.getUint32(at + group_at),
          view.getUint32(at + group_at + 4),
        ];
        group_numbers.push(groups.numberOf(group_high, group_low, packet));
      }
    },
    signal,
  );
  return {
    player_count: numbers.count,
    players: players.values(),
    values: values.values(),
    groups,
    group_numbers: group_numbers.values(),
  };
}

const NOBODY = 0xffff_ffff;

function describe(
  scanned: Scanned,
  group_of: Uint32Array,
  group_count: number,
): BreakdownNumbers[] {
  const { player_count, players, values } = scanned;
  const { order, starts } = groupBy(group_of, group_count);
  /** The group in which a player was counted last, plus 1. */
  const counted = new Uint32Array(player_count);
  return Array.from({ length: group_count }, (_, group) => {
    const members = order.subarray(starts[group], starts[group + 1]);
    let unique = 0;
    for (const at of members) {
      const player = players[at]!;
      if (player === NOBODY || counted[player] === group + 1) continue;
      counted[player] = group + 1;
      unique++;
    }
    return { events: members.length, players: unique, ...describeNumbers(members, values) };
  });
}

function describeNumbers(members: Uint32Array, values: Float64Array) {
  const all = new Float64Array(values.length === 0 ? 0 : members.length);
  let count = 0;
  for (const at of members) {
    const value = values[at];
    if (value !== undefined && !Number.isNaN(value)) all[count++] = value;
  }
  const sorted = all.subarray(0, count).sort();
  const sum = count === 0 ? null : addUp(sorted);
  return {
    numbers: count,
    sum,
    average: sum === null ? null : sum / count,
    minimum: percentile(sorted, 0),
    p25: percentile(sorted, 0.25),
    median: percentile(sorted, 0.5),
    p75: percentile(sorted, 0.75),
    p90: percentile(sorted, 0.9),
    p99: percentile(sorted, 0.99),
    maximum: percentile(sorted, 1),
  };
}

/** Neumaier's sum, whose error does not grow with the number of values; null when it is too large. */
function addUp(values: Float64Array): number | null {
  let sum = 0;
  let lost = 0;
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return Number.isFinite(sum + lost) ? sum + lost : null;
}
