import { sql } from '../../../platform/database/sql.ts';
import { createColumn, groupBy } from '../scan/columns.ts';
import { scanEvents } from '../scan/event-scan.ts';
import type { Scan } from '../scan/event-scan.ts';
import { matchesFilter } from '../scan/event-selection.ts';
import type { EventChoice, EventSelection } from '../scan/event-selection.ts';
import { expectEvents } from '../scan/expected-rows.ts';
import type { EventPlayers, Groups } from '../scan/groups.ts';
import { PackedField, read64, SEED } from '../scan/packet.ts';
import { createPlayerNumbers } from '../scan/player-numbers.ts';
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
  groups: Pick<Groups, 'numberOf'> | null;
}

/** The most paths. Each path takes 60 bytes beside its events. */
const MAX_UNITS = 2_000_000;
const HOUR_US = 3_600_000_000;
const HOUR_MS = 3_600_000;
/** A fixed seed, so that each report puts names of equal frequency in the same order. */
const NAME_SEED = '0';
/** The hash of a session and its player: two players may use the same session id. */
const SESSION_HASH = sql`
  int8send(hashtextextended(session_id, hashtextextended(COALESCE(player_id, ''), ${SEED}::bigint)))`;

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
  let first_times = new Float64Array(1 << 12);
  let first_ids = new Float64Array(1 << 12);
  const unit_values = createColumn.integers();

  const fields = [PackedField.time, PackedField.integer(sql`id`)];
  const unit_at = is_session ? 8 * (1 + fields.length) : 0;
  const unit_fields = is_session ? [SESSION_HASH] : [];
  const common = { ...(keeps && { keeps }), with_anonymous: is_session };
  const starts_scan: Scan = {
    ...common,
    names: [events.event_name],
    condition: matchesFilter(events),
    fields: [...fields, ...unit_fields],
    onPacket(packet) {
      const { view, count } = packet;
      const bytes = view.byteLength / Math.max(1, count);
      for (let index = 0; index < count; index++) {
        const at = index * bytes;
        const known = units.count;
        const unit = units.numberOf(view.getInt32(at + unit_at), view.getInt32(at + unit_at + 4));
        if (unit >= MAX_UNITS) throw tooMany();
        if (unit === known && groups !== null) {
          unit_values.push(groups.numberOf(view.getInt32(at), view.getInt32(at + 4), packet));
        }
        if (unit >= first_times.length) {
          first_times = double(first_times);
          first_ids = double(first_ids);
        }
        const time = read64(view, at + 8);
        const id = read64(view, at + 16);
        if (unit < known && isBefore(first_times[unit]!, first_ids[unit]!, time, id)) continue;
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
  const name_at = 8 * (1 + fields.length + unit_fields.length);
  const longest = hours * HOUR_US;
  const scan: Scan = {
    ...common,
    names: null,
    condition: hide.length === 0 ? sql`true` : sql`event_name <> ALL(${hide}::text[])`,
    fields: [...fields, ...unit_fields, PackedField.hash(sql`event_name`, NAME_SEED)],
    onPacket({ view, count }) {
      const bytes = view.byteLength / Math.max(1, count);
      // Makes room for all events of the packet at once. A call for each event would take longer than this
      // whole loop.
      const member = members.extend(count);
      const moment = times.extend(count);
      const key = ids.extend(count);
      const label = names.extend(count);
      let kept = 0;
      for (let index = 0; index < count; index++) {
        const at = index * bytes;
        const unit = units.find(view.getInt32(at + unit_at), view.getInt32(at + unit_at + 4));
        if (unit === -1) continue;
        const time = read64(view, at + 8);
        const first = first_times[unit]!;
        if (Math.abs(time - first) > longest) continue;
        const id = read64(view, at + 16);
        const is_before = isBefore(time, id, first, first_ids[unit]!);
        if (is_before === is_next || (time === first && id === first_ids[unit])) continue;
        const high = view.getInt32(at + name_at);
        const low = view.getInt32(at + name_at + 4);
        const name = name_numbers.numberOf(high, low);
        if (name === name_hashes.length) name_hashes.push(hashText(high, low));
        member.array[member.from + kept] = unit;
        moment.array[moment.from + kept] = time;
        key.array[key.from + kept] = id;
        label.array[label.from + kept] = name;
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

const hashText = (high: number, low: number) =>
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

/** Reads the hash of an event's name. */
export async function readNameHash(
  database: ExploreDatabase,
  event_name: string,
  signal: AbortSignal,
): Promise<string> {
  const [row] = await database.query<{ hash: string }>(
    sql`SELECT hashtextextended(${event_name}::text, ${NAME_SEED}::bigint)::text AS hash`,
    signal,
  );
  return row!.hash;
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
        SELECT hashtextextended(event_name, ${NAME_SEED}::bigint) AS hash
      ) AS hashed
      WHERE game_id = ${game_id}::uuid AND environment = ${environment}::environment
        AND hash = ANY(${hashes}::bigint[])`,
    signal,
  );
  return new Map(rows.map(({ hash, event_name }) => [hash, event_name]));
}
