import { sql } from '../../../platform/database/sql.ts';
import { hashText } from '../../../platform/database/text-hash.ts';
import { createColumn, groupBy } from '../scan/columns.ts';
import { scanEvents } from '../scan/event-scan.ts';
import type { EventChoice, EventSelection } from '../scan/event-selection.ts';
import { expectEvents } from '../scan/expected-rows.ts';
import type { EventPlayers } from '../scan/groups.ts';
import type { Numbering } from '../scan/numbering.ts';
import { VALUE_SEED } from '../scan/packet.ts';
import { createPlayerNumbers } from '../scan/player-numbers.ts';
import { createKnownSessions } from '../scan/remembered.ts';
import type { Scan, ScannedEvents, ValueNumbering } from '../scan/scan.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { badRequest } from '../../../platform/errors.ts';

/** The question that decides which events are read. */
export interface PathQuestion {
  events: EventChoice;
  direction: 'next' | 'previous';
  /** Null if a path stays within its session. */
  window_hours: number | null;
  hide: readonly string[];
}

/** The players whose events count, and the groups into which the report splits them. */
export interface PathPlayers extends Pick<EventPlayers, 'keeps'> {
  groups: ValueNumbering | null;
}

/** The most paths. Each path takes 60 bytes beside its events. */
const MAX_UNITS = 2_000_000;
const HOUR_US = 3_600_000_000;
const HOUR_MS = 3_600_000;

export async function readPathEvents(
  database: ExploreDatabase,
  selection: EventSelection,
  question: PathQuestion & { hours: number },
  { keeps, groups }: PathPlayers,
  signal: AbortSignal,
) {
  const { events, direction, window_hours, hide, hours } = question;
  const is_session = window_hours === null;
  const is_next = direction === 'next';
  const units = createPlayerNumbers();
  /** The number of units whose first event is known. */
  let known = 0;
  let first_times = new Float64Array(1 << 12);
  let first_ids = new Float64Array(1 << 12);
  const unit_values = createColumn.integers();

  const common = { ...(keeps && { keeps }), with_anonymous: is_session };
  const known_sessions = createKnownSessions();
  /** Asks for the session or the player of each event. */
  const unitBy = (numberOf: Numbering) =>
    is_session ? { sessions: { numberOf, known: known_sessions } } : { players: numberOf };
  const unitsOf = ({ sessions, players }: ScannedEvents) => (is_session ? sessions : players);
  const starts_scan: Scan = {
    ...common,
    names: [events.event_name],
    choices: [events],
    columns: {
      ...unitBy(units.numberOf),
      times: true,
      ids: true,
      values: groups === null ? [] : [groups],
    },
    onEvents(read) {
      if (units.count > MAX_UNITS) throw tooMany();
      const { count, times, ids, values } = read;
      const unit_of = unitsOf(read);
      for (let index = 0; index < count; index++) {
        const unit = unit_of[index]!;
        const is_new = unit === known;
        if (is_new) {
          known++;
          if (groups !== null) unit_values.push(values[0]![index]!);
        }
        if (unit >= first_times.length) {
          first_times = double(first_times);
          first_ids = double(first_ids);
        }
        const time = times[index]!;
        const id = ids[index]!;
        if (!is_new && isBefore(first_times[unit]!, first_ids[unit]!, time, id)) continue;
        first_times[unit] = time;
        first_ids[unit] = id;
      }
    },
  };
  await scanEvents(database, selection, [starts_scan], signal);

  const members = createColumn.integers();
  const times = createColumn.doubles();
  const ids = createColumn.doubles();
  const names = createColumn.integers();
  const name_numbers = createPlayerNumbers();
  const name_hashes: string[] = [];
  const longest = hours * HOUR_US;
  const scan: Scan = {
    ...common,
    names: null,
    hidden_names: hide,
    columns: {
      ...unitBy(units.find),
      names(high, low) {
        const name = name_numbers.numberOf(high, low);
        if (name === name_hashes.length) name_hashes.push(writeHash(high, low));
        return name;
      },
      times: true,
      ids: true,
    },
    onEvents(read) {
      const { count } = read;
      const unit_of = unitsOf(read);
      // Makes room for all events at once. A call for each event would take longer than this whole loop.
      const member = members.extend(count);
      const moment = times.extend(count);
      const key = ids.extend(count);
      const label = names.extend(count);
      let kept = 0;
      for (let index = 0; index < count; index++) {
        const unit = unit_of[index]!;
        if (unit === -1) continue;
        const time = read.times[index]!;
        const first = first_times[unit]!;
        if (Math.abs(time - first) > longest) continue;
        const id = read.ids[index]!;
        const is_before = isBefore(time, id, first, first_ids[unit]!);
        if (is_before === is_next || (time === first && id === first_ids[unit])) continue;
        member.array[member.from + kept] = unit;
        moment.array[moment.from + kept] = time;
        key.array[key.from + kept] = id;
        label.array[label.from + kept] = read.names[index]!;
        kept++;
      }
      for (const column of [members, times, ids, names]) column.drop(count - kept);
    },
  };
  if (units.count > 0) await scanEvents(database, widen(selection, hours, is_next), [scan], signal);
  const { order, starts } = groupBy(members.values(), units.count);
  return {
    /** Number of units: sessions, or players. */
    unit_count: units.count,
    /** The number of the group value of each unit; empty without groups. */
    unit_values: unit_values.values(),
    /**
     * `order` has the indexes of the events, unit after unit. `starts` has the place in `order` at which each
     * unit begins.
     */
    order,
    starts,
    /** Microseconds since 2000. */
    times: times.values(),
    ids: ids.values(),
    /** The number of each event's name. */
    names: names.values(),
    /** The hash of each name. The index is the number of the name. */
    name_hashes,
  };
}

/** For each session or player, the events after the start of its path, or the events before that start. */
export type PathEvents = Awaited<ReturnType<typeof readPathEvents>>;

/**
 * Tells the progress of the report how many rows to expect from its two scans: of the events at which paths
 * begin, and of all events around them.
 */
export async function expectPathEvents(
  database: ExploreDatabase,
  selection: EventSelection,
  { events, direction, hours }: PathQuestion & { hours: number },
  signal: AbortSignal,
): Promise<void> {
  await expectEvents(database, selection, [events.event_name], signal);
  await expectEvents(database, widen(selection, hours, direction === 'next'), null, signal);
}

/** Makes the time range of a selection longer, because paths may leave its range of days. */
function widen(selection: EventSelection, hours: number, is_next: boolean): EventSelection {
  const { starts_at, ends_at } = selection;
  const move = (time: string, by: number) =>
    new Date(Date.parse(time) + by * HOUR_MS).toISOString();
  return is_next
    ? { ...selection, ends_at: move(ends_at, hours) }
    : { ...selection, starts_at: move(starts_at, -hours) };
}

/**
 * Tells whether an event comes before another one, by time, and at equal times in the order of sending.
 */
const isBefore = (time: number, id: number, other_time: number, other_id: number) =>
  time < other_time || (time === other_time && id < other_id);

const writeHash = (high: number, low: number) =>
  BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low >>> 0)).toString();

function double(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(array.length * 2);
  larger.set(array);
  return larger;
}

const tooMany = () =>
  badRequest(
    `More than ${MAX_UNITS / 1_000_000} million paths begin with this event: choose fewer days or more conditions`,
  );

/** The hash of an event's name, as in `name_hashes`. */
export function hashName(event_name: string): string {
  const { high, low } = hashText(event_name, VALUE_SEED);
  return writeHash(high, low);
}

/** Finds the names that have these hashes. */
export async function readNames(
  database: ExploreDatabase,
  { game_id, environment }: EventSelection,
  hashes: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  if (hashes.length === 0) return new Map();
  const rows = await database.query<{ hash: string; event_name: string }>(
    sql`
      SELECT DISTINCT hash::text AS hash, event_name
      FROM daily_event_counts
      CROSS JOIN LATERAL (
        SELECT hashtextextended(event_name, ${VALUE_SEED}::bigint) AS hash
      ) AS hashed
      WHERE game_id = ${game_id}::uuid AND environment = ${environment}::environment
        AND hash = ANY(${hashes}::bigint[])`,
    signal,
  );
  return new Map(rows.map(({ hash, event_name }) => [hash, event_name]));
}
