import type { getMetric } from '@overworld/contract/analytics/metric';
import type { SuccessOf } from '@overworld/contract/operation';
import { sql } from '../../../platform/database/sql.ts';
import type { DateRange } from '../../../platform/reports/date-range.ts';
import type { MetricPart, MetricQuestion } from '../../../platform/reports/metric-parts.ts';
import { countDays } from '../days.ts';
import { findEventPlayers } from '../players/find-players.ts';
import type { PlayerChoice } from '../players/player-choice.ts';
import { createDayFinder } from '../revenue/revenue-days.ts';
import { createColumn } from '../scan/columns.ts';
import { scanEvents } from '../scan/event-scan.ts';
import type { EventSelection } from '../scan/event-selection.ts';
import { expectEvents } from '../scan/expected-rows.ts';
import type { EventPlayers } from '../scan/groups.ts';
import { createPlayerNumbers } from '../scan/player-numbers.ts';
import type { Scan } from '../scan/scan.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { countPart, countsPlayers, divideParts } from './part-numbers.ts';
import type { PartEvents, PartNumbers } from './part-numbers.ts';

export interface MetricInput extends EventSelection, DateRange, MetricQuestion {
  /** The players whose events count; null for all events. */
  choice: PlayerChoice | null;
}

export type MetricReport = Omit<SuccessOf<typeof getMetric>, 'from' | 'to' | 'time_zone'>;

/** Counts a metric for each day and for the whole range, of all players and of each group. */
export async function makeMetric(
  database: ExploreDatabase,
  input: MetricInput,
  signal: AbortSignal,
): Promise<MetricReport> {
  const { metric, numerator, denominator, choice, from, to, today } = input;
  const parts = denominator === null ? [numerator] : [numerator, denominator];
  for (const part of parts) await expectEvents(database, input, namesOf(part), signal);
  const { days, findDay } = await readDays(database, input, signal);
  const found = await findEventPlayers(database, input, choice, signal);
  const scanned = parts.map((part) => createPartScan(part, found, findDay));
  await scanEvents(
    database,
    input,
    scanned.map(({ scan }) => scan),
    signal,
  );
  const read = scanned.map(({ finish }) => finish());
  const sizes = {
    day_count: days.length,
    begun_days: Math.max(0, countDays({ from, to: to > today ? today : to })),
  };
  const count = (groups_of: readonly Uint32Array[], group_count: number): PartNumbers[] => {
    const [above, below] = parts.map((part, index) =>
      countPart(part, read[index]!.events, groups_of[index]!, { ...sizes, group_count }),
    );
    return above!.map((each, group) =>
      below === undefined ? each : divideParts(each, below[group]!),
    );
  };
  const show = ({ total, days: numbers }: PartNumbers) => ({
    total,
    days: days.map((day, place) => ({ day, ...numbers[place]! })),
  });
  const [all] = count(
    read.map(({ events }) => new Uint32Array(events.count)),
    1,
  );
  if (found.groups === null) return { metric, ...show(all!), groups: [] };
  const group_sizes = new Uint32Array(found.groups.count());
  for (const { values } of read) {
    for (let index = 0; index < values.length; index++) group_sizes[values[index]!]!++;
  }
  const { labels, label_of } = await found.groups.choose(group_sizes, choice!.split_limit, signal);
  // The events of players outside of all groups are in one more group, which is not shown.
  const groups = count(
    read.map(({ values }) => values.map((value) => label_of[value]!)),
    labels.length + 1,
  );
  return {
    metric,
    ...show(all!),
    groups: labels.map((label, group) => ({ ...label, ...show(groups[group]!) })),
  };
}

const namesOf = ({ event_name }: MetricPart) => (event_name === null ? null : [event_name]);

function createPartScan(
  part: MetricPart,
  { keeps, groups }: EventPlayers,
  findDay: (time: number) => number,
) {
  const ofPlayers = countsPlayers(part);
  const { event_name, filter, property, in_currency } = part;
  const players = createPlayerNumbers();
  const columns = {
    days: createColumn.integers(),
    players: createColumn.integers(),
    numbers: createColumn.doubles(),
    values: createColumn.integers(),
  };
  const scan: Scan = {
    ...(keeps && { keeps }),
    names: namesOf(part),
    ...(event_name !== null && { choices: [filter] }),
    ...(in_currency !== null && { in_currency }),
    with_anonymous: !ofPlayers,
    columns: {
      ...(ofPlayers && { players: players.numberOf }),
      times: true,
      numbers: property,
      values: groups === null ? [] : [groups],
    },
    onEvents(events) {
      const { count, times } = events;
      const { array, from } = columns.days.extend(count);
      for (let index = 0; index < count; index++) array[from + index] = findDay(times[index]!);
      if (ofPlayers) columns.players.append(events.players, count);
      if (property !== null) columns.numbers.append(events.numbers, count);
      if (groups !== null) columns.values.append(events.values[0]!, count);
    },
  };
  const finish = (): { events: PartEvents; values: Uint32Array<ArrayBuffer> } => {
    const days = columns.days.values();
    return {
      events: {
        count: days.length,
        days,
        players: columns.players.values(),
        numbers: columns.numbers.values(),
        player_count: players.count,
      },
      values: columns.values.values(),
    };
  };
  return { scan, finish };
}

/** Reads the days of the report, and makes the function that finds the index of the day of a time. */
async function readDays(
  database: ExploreDatabase,
  { from, to, time_zone }: DateRange,
  signal: AbortSignal,
) {
  const rows = await database.query<{ day: string; start_us: number }>(
    sql`
      SELECT day::text AS day,
             (extract(epoch FROM day::timestamp AT TIME ZONE ${time_zone}::text
                - '2000-01-01 00:00:00Z'::timestamptz) * 1000000)::bigint AS start_us
      FROM (SELECT ${from}::date + place AS day
            FROM generate_series(0, ${to}::date - ${from}::date + 1) AS place) AS calendar
      ORDER BY day`,
    signal,
  );
  return {
    days: rows.slice(0, -1).map(({ day }) => day),
    findDay: createDayFinder(Float64Array.from(rows, ({ start_us }) => start_us)),
  };
}
