import { sql } from '../../../platform/database/sql.ts';
import { hashText } from '../../../platform/database/text-hash.ts';
import { sum } from '../days.ts';
import { findPlayers } from '../players/find-players.ts';
import { labelParts, makeAdder, readSlicePlayers } from '../players/slice.ts';
import type { SliceInput } from '../players/slice.ts';
import { scanEvents } from '../scan/event-scan.ts';
import { expectEvents } from '../scan/expected-rows.ts';
import { packedTime, VALUE_SEED } from '../scan/packet.ts';
import { createPlayerNumbers } from '../scan/player-numbers.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { namesOf } from './report.ts';
import type { EventCounts, PeriodQuestion } from './report.ts';

type EventSliceInput = SliceInput & PeriodQuestion;

/** The maximum number of names that are counted separately. All other names are counted together. */
const MAX_NAMES = 2_000;

/** Counts the events of some players, for each event name and each period. */
export async function countEvents(
  database: ExploreDatabase,
  input: EventSliceInput,
  signal: AbortSignal,
): Promise<Omit<EventCounts, 'from' | 'to' | 'time_zone'>> {
  const { by, choice, key_id, limit } = input;
  const { names, are_all } = await listNames(database, input, signal);
  const scanned = are_all ? names : null;
  await expectEvents(database, input, scanned, signal);
  const { set, groups } =
    choice.split === null
      ? { set: await findPlayers(database, input, choice, signal), groups: null }
      : await readSlicePlayers(database, input, signal);

  const starts = Float64Array.from(input.periods, ({ starts_at }) => packedTime(starts_at));
  const makeCounts = () => new Float64Array(starts.length);
  const numbers = createPlayerNumbers();
  for (const name of names) {
    const { high, low } = hashText(name, VALUE_SEED);
    numbers.numberOf(high, low);
  }
  const listed: (Float64Array | undefined)[] = [];
  /** The numbers of all names except the most frequent ones. */
  const rare = new Set<number>();
  const adder = makeAdder(groups, makeCounts);

  await scanEvents(
    database,
    input,
    [
      {
        names: scanned,
        key_id,
        columns: { players: set.valueOf, names: numbers.numberOf, times: true },
        onEvents({ count, players, names: name_of, times }) {
          for (let index = 0; index < count; index++) {
            const value = players[index]!;
            if (value === -1) continue;
            const period = findPeriod(starts, times[index]!);
            if (period === -1) continue;
            const name = name_of[index]!;
            if (name < names.length) (listed[name] ??= makeCounts())[period]!++;
            else rare.add(name);
            adder.ofValue(value, (counts) => counts[period]!++);
          }
        },
      },
    ],
    signal,
  );
  const found = names.flatMap((event_name, name) => {
    const counts = listed[name];
    return counts === undefined ? [] : [{ event_name, ...show(counts) }];
  });
  found.sort((a, b) => b.event_count - a.event_count || (a.event_name < b.event_name ? -1 : 1));
  const events = found.slice(0, limit);
  return {
    by,
    periods: namesOf(input),
    ...show(adder.total),
    events,
    other_name_count: found.length + rare.size - events.length,
    groups: labelParts(groups, adder.parts.map(show)),
  };
}

/** Returns the index of the last start at or before a time, or -1 if the time is before all starts. */
function findPeriod(starts: Float64Array, time: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const show = (counts: Float64Array) => ({ event_count: sum([...counts]), counts: [...counts] });

/** Lists the names that events have on the days of the report, the most frequent first. */
async function listNames(
  database: ExploreDatabase,
  input: EventSliceInput,
  signal: AbortSignal,
): Promise<{ names: string[]; are_all: boolean }> {
  const { game_id, environment, from, to, event_name } = input;
  const rows = await database.query<{ event_name: string }>(
    sql`
      SELECT event_name
      FROM ${
        event_name === null
          ? sql`(
              SELECT event_name, sum(event_count) AS event_count
              FROM daily_event_counts
              WHERE game_id = ${game_id}::uuid AND environment = ${environment}::environment
                AND day BETWEEN ${from}::date AND ${to}::date
              GROUP BY event_name
              HAVING sum(event_count) > 0
            )`
          : sql`(SELECT ${event_name}::text AS event_name, 1 AS event_count)`
      } AS counted
      ORDER BY event_count DESC, event_name
      LIMIT ${MAX_NAMES + 1}`,
    signal,
  );
  const names = rows.slice(0, MAX_NAMES).map(({ event_name: name }) => name);
  return { names, are_all: rows.length <= MAX_NAMES };
}
