import { sql } from '../../../platform/database/sql.ts';
import type { SliceInputs } from '../../../platform/reports/player-slices.ts';
import { scanEvents, SEED } from '../scan/event-scan.ts';
import { expectEvents } from '../scan/expected-rows.ts';
import { PackedField } from '../scan/packet.ts';
import { findPlayers } from '../players/find-players.ts';
import { createPlayerNumbers } from '../scan/player-numbers.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { groupPlayers, isActiveWithin, makeAdder, readActivity } from '../players/activity.ts';
import { toResult } from '../active-players/count-active-players.ts';
import { findPeriod, packedTime } from '../players/slice-input.ts';
import type { SliceInput, SliceResult } from '../players/slice-input.ts';

export type EventSliceInput = SliceInput & SliceInputs['events'];

/** The maximum number of names that are counted separately. All other names are counted together. */
const MAX_NAMES = 2_000;
const RECORD_BYTES = 24;

/** Counts the events of players, for each event name and each period. */
export async function sliceEvents(
  database: ExploreDatabase,
  input: EventSliceInput,
  signal: AbortSignal,
): Promise<SliceResult<'events'>> {
  const { choice, key_id } = input;
  const { names, are_all } = await listNames(database, input, signal);
  const scanned = are_all ? names.map(({ event_name }) => event_name) : null;
  await expectEvents(database, input, scanned, signal);
  const set = await findPlayers(database, input, choice, signal);
  const groups =
    choice.split === null
      ? null
      : await groupPlayers(
          input,
          set,
          await readActivity(database, input, set, signal),
          isActiveWithin(input),
        );

  const starts = Float64Array.from(input.periods, packedTime);
  const makeCounts = () => new Float64Array(starts.length);
  const by_hash = createPlayerNumbers();
  for (const { high, low } of names) by_hash.numberOf(high, low);
  const listed: (Float64Array | undefined)[] = [];
  /** The hashes of all names except the most frequent ones. */
  const rare = createPlayerNumbers();
  const rare_counts = makeCounts();
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
            if (name === -1) {
              rare.numberOf(high, low);
              rare_counts[period]!++;
            } else {
              (listed[name] ??= makeCounts())[period]!++;
            }
            adder.ofValue(value, (counts) => counts[period]!++);
          }
        },
      },
    ],
    signal,
  );
  const found = names.flatMap(({ event_name }, name) => {
    const counts = listed[name];
    return counts === undefined ? [] : [{ event_name, counts, sum: sumOf(counts) }];
  });
  found.sort((a, b) => b.sum - a.sum || (a.event_name < b.event_name ? -1 : 1));
  const rows = found.slice(0, input.names).map(({ event_name, counts }) => ({
    event_name: event_name as string | null,
    counts: [...counts],
  }));
  const others = rare_counts;
  for (const { counts } of found.slice(input.names)) {
    counts.forEach((count, period) => (others[period]! += count));
  }
  const name_count = found.length + rare.count;
  if (name_count > rows.length) rows.push({ event_name: null, counts: [...others] });
  return toResult(
    groups,
    {
      total: rows,
      parts: adder.parts.map((counts) => [{ event_name: null, counts: [...counts] }]),
    },
    name_count,
  );
}

const sumOf = (counts: Float64Array) => counts.reduce((total, count) => total + count, 0);

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
