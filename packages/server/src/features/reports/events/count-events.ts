import { sql } from '../../../platform/database/sql.ts';
import { sum } from '../days.ts';
import { findPlayers } from '../players/find-players.ts';
import { labelParts, makeAdder, readSlicePlayers } from '../players/slice.ts';
import type { SliceInput } from '../players/slice.ts';
import { scanEvents } from '../scan/event-scan.ts';
import { expectEvents } from '../scan/expected-rows.ts';
import { PackedField, packedTime, SEED } from '../scan/packet.ts';
import { createPlayerNumbers } from '../scan/player-numbers.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { namesOf } from './report.ts';
import type { EventCounts, PeriodQuestion } from './report.ts';

type EventSliceInput = SliceInput & PeriodQuestion;

/** The maximum number of names that are counted separately. All other names are counted together. */
const MAX_NAMES = 2_000;
const RECORD_BYTES = 24;

/** Counts the events of some players, for each event name and each period. */
export async function countEvents(
  database: ExploreDatabase,
  input: EventSliceInput,
  signal: AbortSignal,
): Promise<Omit<EventCounts, 'from' | 'to' | 'time_zone'>> {
  const { by, choice, key_id, limit } = input;
  const { names, are_all } = await listNames(database, input, signal);
  const scanned = are_all ? names.map(({ event_name }) => event_name) : null;
  await expectEvents(database, input, scanned, signal);
  const { set, groups } =
    choice.split === null
      ? { set: await findPlayers(database, input, choice, signal), groups: null }
      : await readSlicePlayers(database, input, signal);

  const starts = Float64Array.from(input.periods, ({ starts_at }) => packedTime(starts_at));
  const makeCounts = () => new Float64Array(starts.length);
  const by_hash = createPlayerNumbers();
  for (const { high, low } of names) by_hash.numberOf(high, low);
  const listed: (Float64Array | undefined)[] = [];
  /** The hashes of all names except the most frequent ones. */
  const rare = createPlayerNumbers();
  const adder = makeAdder(groups, makeCounts);

  await scanEvents(
    database,
    input,
    [
      {
        names: scanned,
        condition: key_id === null ? sql`true` : sql`key_id = ${key_id}::uuid`,
        fields: [PackedField.time, PackedField.hash(sql`event_name`, SEED)],
        onPacket({ view, count }) {
          for (let at = 0; at < count * RECORD_BYTES; at += RECORD_BYTES) {
            const value = set.valueOf(view.getUint32(at), view.getUint32(at + 4));
            if (value === -1) continue;
            const time = view.getInt32(at + 8) * 2 ** 32 + view.getUint32(at + 12);
            const period = findPeriod(starts, time);
            if (period === -1) continue;
            const [high, low] = [view.getUint32(at + 16), view.getUint32(at + 20)];
            const name = by_hash.find(high, low);
            if (name === -1) rare.numberOf(high, low);
            else (listed[name] ??= makeCounts())[period]!++;
            adder.ofValue(value, (counts) => counts[period]!++);
          }
        },
      },
    ],
    signal,
  );
  const found = names.flatMap(({ event_name }, name) => {
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
    other_name_count: found.length + rare.count - events.length,
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

/**
 * Lists the names that events have on the days of the report, the most frequent first.
 * `high` and `low` are the two halves of the hash of a name.
 */
async function listNames(
  database: ExploreDatabase,
  input: EventSliceInput,
  signal: AbortSignal,
): Promise<{ names: { event_name: string; high: number; low: number }[]; are_all: boolean }> {
  const { game_id, environment, from, to, event_name } = input;
  const rows = await database.query<{ event_name: string; hash: string }>(
    sql`
      SELECT event_name, ${PackedField.hash(sql`event_name`, SEED)}::text AS hash
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
  const names = rows.slice(0, MAX_NAMES).map(({ event_name: name, hash }) => ({
    event_name: name,
    high: Number.parseInt(hash.slice(2, 10), 16),
    low: Number.parseInt(hash.slice(10), 16),
  }));
  return { names, are_all: rows.length <= MAX_NAMES };
}
