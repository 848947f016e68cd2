import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { PropertyColumn } from '../scan/event-columns.ts';
import { read64 } from '../scan/packet.ts';
import type { Integers } from './codec/integers.ts';
import { encodePart, encodeSessions, openPart } from './codec/part.ts';
import type { PartEvents, StoredColumn } from './codec/part.ts';
import { numberSessions } from './day-sessions.ts';
import { gatherEvents } from './name-events.ts';
import type { NameEvents } from './name-events.ts';
import { DayChanged, openTenant } from './player-dictionary.ts';
import type { PlayerDictionary } from './player-dictionary.ts';
import {
  beginDay,
  finishDay,
  isOfDay,
  lockDay,
  namePart,
  nameSessions,
  storeParts,
} from './sealed-store.ts';
import type { StoredPart, TenantDay } from './sealed-store.ts';

/** Rows are read so many at a time, or fewer if their properties are long: then a page has some 8 MB. */
const MAX_PAGE_EVENTS = 8_000;
/** With the longest properties they take 32 MB. */
const FIRST_PAGE_EVENTS = 1_000;
const MIN_PAGE_EVENTS = 250;
const PAGE_LENGTH = 8_000_000;
/** A part is stored when the events of all names in memory take so many characters. */
const MAX_WEIGHT = 48_000_000;
/** A part has at most this number of events, because readers hold its columns in memory. */
const MAX_EVENTS = 100_000;
/** Parts are stored together up to this size. */
const STORED_BYTES = 4 * 2 ** 20;
/** Days with fewer events are read from rows in a few milliseconds. */
const MIN_DAY_EVENTS = 1_000;
/** Each session takes 30 bytes of memory while its day is sealed. */
const MAX_DAY_SESSIONS = 5_000_000;
/** With more names, columns have so few events that they are larger than the rows. Games choose the names. */
const MAX_DAY_PARTS = 20_000;

export interface SealOptions {
  /** Waits after a page, to leave PostgreSQL and the processor to others. */
  rest?: (worked_ms: number) => Promise<void>;
  signal?: AbortSignal;
  min_events?: number;
  max_page_events?: number;
}

/** `changed`: the events of the day change now, so it is left for the next run. */
export type SealOutcome = 'sealed' | 'left to rows' | 'changed';

/**
 * Seals a day: reads its events in the order of receipt, page by page, and stores parts with their columns. Nothing
 * of it is used before its end, and a change of the day's events meanwhile ends it.
 */
export async function sealDay(
  database: Database,
  of: TenantDay,
  dictionary: PlayerDictionary,
  {
    rest = async () => undefined,
    signal,
    min_events = MIN_DAY_EVENTS,
    max_page_events = MAX_PAGE_EVENTS,
  }: SealOptions = {},
): Promise<SealOutcome> {
  const version = await database.transaction((tx) => beginDay(tx, of));
  if (version === null) return 'changed';
  const leave = async () => {
    await database.transaction((tx) => finishDay(tx, of, version, null));
    return 'left to rows' as const;
  };
  const few = await database.query(sql`
    SELECT id FROM events WHERE ${isReceivedOn(of)} LIMIT ${min_events}::integer`);
  if (few.length < min_events) return leave();

  const isUnchanged = (tx: Queryable) => lockDay(tx, of, version);
  // Not beside a deletion of the game, which would leave the row.
  const seed = await database.transaction(async (tx) =>
    (await isUnchanged(tx)) ? openTenant(tx, of) : null,
  );
  if (seed === null) return 'changed';
  const sessions = numberSessions();
  const parts = createPartWriter(database, of, version);
  try {
    let last: PageEnd | null = { received: -Infinity, id: -1 };
    let page_events = FIRST_PAGE_EVENTS;
    while (last !== null) {
      signal?.throwIfAborted();
      const began = performance.now();
      const rows: PageRow[] = await database.query<PageRow>(
        selectPage(of, seed, last, page_events),
      );
      const groups = rows.map(readGroup);
      const named = groups.flatMap(({ players }) => players);
      const numbers = await dictionary.numbersOf(named, rows[0]?.read_at ?? 'now', isUnchanged);
      let end: PageEnd = last;
      for (const { event_name, key_id, view, count, players, properties } of groups) {
        const events = parts.of(event_name);
        for (let index = 0; index < count; index++) {
          const at = index * RECORD_BYTES;
          const player_id = players[index]!;
          const player = player_id === null ? 0 : numbers.get(player_id)! + 1;
          const id = read64(view, at);
          const received = read64(view, at + 8);
          if (received > end.received || (received === end.received && id > end.id)) {
            end = { received, id };
          }
          const session = sessions.numberOf(view.getInt32(at + 24), view.getInt32(at + 28), player);
          events.add(
            { id, time: read64(view, at + 16), player, session, key_id },
            properties[index]!,
          );
        }
      }
      await parts.fit();
      if (sessions.count > MAX_DAY_SESSIONS || parts.count > MAX_DAY_PARTS) return await leave();
      const count = groups.reduce((sum, group) => sum + group.count, 0);
      last = count < page_events ? null : end;
      const length = rows.reduce((sum, { properties }) => sum + properties.length, 1);
      const fitting = Math.floor((PAGE_LENGTH * count) / length);
      page_events = Math.min(Math.max(fitting, MIN_PAGE_EVENTS), max_page_events);
      await rest(performance.now() - began);
    }
    await parts.finish();
  } catch (error) {
    if (error instanceof DayChanged) return 'changed';
    throw error;
  }
  await requireAll(database, of, version, parts.sums);
  const stored = encodeSessions(nameSessions(of, version), sessions.finish());
  const is_sealed = await database.transaction((tx) =>
    finishDay(tx, of, version, { event_count: parts.sums.count, sessions: stored }),
  );
  return is_sealed ? 'sealed' : 'changed';
}

const nextDay = (day: string): string =>
  new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

const isReceivedOn = (of: TenantDay) => sql`
  ${isOfTenant(of)} AND received_at >= ${of.day}::timestamptz
    AND received_at < ${nextDay(of.day)}::timestamptz`;

/** The last event of a page; `received` is in microseconds since 2000. */
interface PageEnd {
  received: number;
  id: number;
}

/** The events of a page that have one name, and were sent with one key. */
interface PageRow {
  event_name: string;
  key_id: string;
  /** Id, time of receipt, time and hash of the session, 8 bytes each. */
  packed: Buffer<ArrayBuffer>;
  /** A list as JSON. */
  players: string;
  /** A line of JSON for each event. */
  properties: string;
  read_at: string;
}

const RECORD_BYTES = 32;

const selectPage = (of: TenantDay, seed: string, { received, id }: PageEnd, limit: number) => sql`
  SELECT event_name, key_id,
         string_agg(int8send(id) || timestamptz_send(received_at) || timestamptz_send(occurred_at)
                    || int8send(hashtextextended(session_id, ${seed}::bigint)), '') AS packed,
         json_agg(player_id)::text AS players,
         string_agg(properties::text, E'\\n') AS properties,
         now()::text AS read_at
  FROM (
    SELECT id, received_at, occurred_at, key_id, event_name, session_id, player_id, properties
    FROM events
    WHERE ${isReceivedOn(of)}
      AND (received_at, id) > (${writeTime(received, of.day)}::timestamptz, ${id}::bigint)
    ORDER BY received_at, id
    LIMIT ${limit}::integer
  ) AS page
  GROUP BY event_name, key_id`;

const MS_TO_2000 = Date.UTC(2000);

/** Writes a time with its microseconds. */
function writeTime(time: number, earliest: string): string {
  if (time === -Infinity) return earliest;
  const ms = Math.floor(time / 1_000);
  const micros = String(time - 1_000 * ms).padStart(3, '0');
  return new Date(MS_TO_2000 + ms).toISOString().replace('Z', `${micros}Z`);
}

function readGroup({ event_name, key_id, packed, players, properties }: PageRow) {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  return {
    event_name,
    key_id,
    view,
    count: view.byteLength / RECORD_BYTES,
    players: JSON.parse(players) as (string | null)[],
    // JSON as PostgreSQL writes it has no newlines.
    properties: properties.split('\n'),
  };
}

/** Gathers the events of a day by name, and stores them in parts. */
function createPartWriter(database: Database, of: TenantDay, version: string) {
  const gathered = new Map<string, NameEvents>();
  const next_part = new Map<string, number>();
  const sums = { count: 0, ids: 0n };
  let closed = 0;
  let waiting: StoredPart[] = [];
  let waiting_bytes = 0;

  const flush = async () => {
    if (waiting.length === 0) return;
    const parts = waiting;
    [waiting, waiting_bytes] = [[], 0];
    const is_stored = await database.transaction((tx) => storeParts(tx, of, version, parts));
    if (!is_stored) throw new DayChanged();
  };
  const close = async (event_name: string, events: NameEvents) => {
    gathered.delete(event_name);
    closed++;
    const part = next_part.get(event_name) ?? 0;
    next_part.set(event_name, part + 1);
    const finished = events.finish();
    const columns = encodeChecked(namePart(of, version, { event_name, part }), finished);
    sums.count += finished.count;
    sums.ids += addUp(finished.ids);
    waiting.push({ event_name, part, event_count: finished.count, columns });
    waiting_bytes += columns.reduce((sum, { data }) => sum + data.length, 0);
    if (waiting_bytes > STORED_BYTES) await flush();
  };

  return {
    sums,
    /** The parts that are closed or open. */
    get count() {
      return closed + gathered.size;
    },
    /** Returns the part that takes the next event of this name. */
    of(event_name: string): NameEvents {
      let events = gathered.get(event_name);
      if (events === undefined) {
        events = gatherEvents();
        gathered.set(event_name, events);
      }
      return events;
    },
    /** Closes the largest parts, until the others fit into memory. */
    async fit() {
      for (const [event_name, events] of gathered) {
        if (events.count >= MAX_EVENTS) await close(event_name, events);
      }
      let weight = 0;
      for (const events of gathered.values()) weight += events.weight;
      if (weight <= MAX_WEIGHT) return;
      const largest = [...gathered].toSorted(([, one], [, other]) => other.weight - one.weight);
      for (const [event_name, events] of largest) {
        if (weight <= MAX_WEIGHT) break;
        weight -= events.weight;
        await close(event_name, events);
      }
    },
    async finish() {
      for (const [event_name, events] of gathered) await close(event_name, events);
      await flush();
    },
  };
}

/** Encodes a part, reads it back, and compares all of it. */
function encodeChecked(identity: string, events: PartEvents): StoredColumn[] {
  const columns = encodePart(identity, events);
  const part = openPart(
    identity,
    new Map(columns.map(({ column_name, data }) => [column_name, data])),
  );
  for (const field of ['ids', 'times'] as const) {
    requireEqual(part.integers(field), events[field]);
  }
  for (const field of ['players', 'sessions'] as const) {
    requireEqual(part.numbers(field), events[field]);
  }
  requireEqual(part.keys(), events.keys);
  for (const [property, arrange] of events.properties) {
    const { values, codes } = arrange();
    const read = part.property(property)!;
    if (!isSame(read, values, codes)) {
      throw new Error(`Sealed values of ${property} cannot be read back`);
    }
  }
  return columns;
}

function isSame(read: PropertyColumn, values: readonly string[], codes: Uint32Array): boolean {
  if ('numbers' in read) {
    // `Object.is` takes NaN, which stands for an event without the property, for equal.
    const numbers = [NaN, ...values.map(Number)];
    return codes.every((code, index) => Object.is(read.numbers[index], numbers[code]));
  }
  return (
    values.length === read.values.length &&
    values.every((value, index) => value === read.values[index]) &&
    codes.every((code, index) => code === read.codes[index])
  );
}

function requireEqual(read: Integers, written: Float64Array): void {
  if (!written.every((value, index) => value === read[index])) {
    throw new Error('A sealed column cannot be read back');
  }
}

/** Adds up ids, whose sum may be larger than the numbers that a double holds exactly. */
function addUp(ids: Float64Array): bigint {
  let [high, low] = [0, 0];
  for (let index = 0; index < ids.length; index++) {
    const id = ids[index]!;
    high += Math.floor(id / 2 ** 32);
    low += id % 2 ** 32;
  }
  return (BigInt(high) << 32n) + BigInt(low);
}

/** @throws if a day lacks events, or has one twice, although nothing has changed it. */
async function requireAll(
  database: Database,
  of: TenantDay,
  version: string,
  sums: { count: number; ids: bigint },
): Promise<void> {
  const row = await database.queryOne<{ count: number; ids: string }>(sql`
    SELECT count(*) AS count, COALESCE(sum(id), 0)::text AS ids
    FROM events WHERE ${isReceivedOn(of)}`);
  if (row!.count === sums.count && BigInt(row!.ids) === sums.ids) return;
  const unchanged = await database.queryOne(sql`
    SELECT day FROM sealed_days WHERE ${isOfDay(of)} AND version = ${version}::uuid`);
  if (unchanged !== null) {
    throw new Error(`The events of ${of.day} were not read as they are stored`);
  }
}
