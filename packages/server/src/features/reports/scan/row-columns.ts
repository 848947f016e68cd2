import { joinSql, sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { propertyText } from '../../../platform/property-text.ts';
import { inRange, matchesFilter } from './event-selection.ts';
import type { EventSelection } from './event-selection.ts';
import type { Chunk } from './chunk-cutter.ts';
import { isInGroup } from './group-value.ts';
import { readNumbers } from './number-texts.ts';
import type { Numbering } from './numbering.ts';
import { PackedField, read64, SEED, VALUE_SEED } from './packet.ts';
import type { Packet } from './packet.ts';
import { createRoom } from './scan.ts';
import type { Scan, ScannedEvents, ValueNumbering } from './scan.ts';

/** The first field of every record: the hash of the player, or 0 if the event names no player. */
export const PLAYER_HASH = PackedField.hash(sql`player_id`, SEED);
/** If two statements get the same sum, they have read the same events of the same players. */
export const ID_SUM = sql`
  COALESCE(sum(hashint8extended(id, hashtextextended(COALESCE(player_id, ''), ${SEED}::bigint))), 0)
    ::text AS id_sum`;

/** A scan of rows. */
export interface RowScan extends Scan {
  /** The seed of the hashes of sessions, as sealed columns have them. */
  session_seed: string;
}

/** The fields of a record after the hash of the player, in their order. */
function listFields({ choices = [], columns, session_seed }: RowScan): Sql[] {
  const { sessions, names, times, ids, masks, values = [] } = columns;
  return [
    ...(times ? [PackedField.time] : []),
    ...(ids ? [PackedField.integer(sql`id`)] : []),
    ...(sessions ? [PackedField.hash(sql`session_id`, session_seed)] : []),
    ...(names ? [PackedField.hash(sql`event_name`, VALUE_SEED)] : []),
    ...(masks && asksForMasks(choices) ? [PackedField.integer(addBits(choices))] : []),
    ...values.flatMap((value) =>
      value.property === null ? [] : [PackedField.hash(textOf(value), VALUE_SEED)],
    ),
  ];
}

/** Tells whether the events of a scan may differ in the choices that they meet. */
const asksForMasks = (choices: NonNullable<Scan['choices']>) =>
  choices.length > 1 && choices.some(({ filter }) => filter.length > 0);

const addBits = (choices: NonNullable<Scan['choices']>): Sql =>
  choices
    .map((choice, place) =>
      choice.filter.length === 0
        ? sql`${2 ** place}::bigint`
        : sql`CASE WHEN ${matchesFilter(choice)} THEN ${2 ** place}::bigint ELSE 0 END`,
    )
    .reduce((sum, bit) => sql`${sum} + ${bit}`);

function textOf({ property, in_upper_case }: ValueNumbering): Sql {
  return in_upper_case ? inUpperCase(property!) : propertyText(property!);
}

/** SQL for a property as text in upper case. Only ASCII letters change, whatever the locale of the database. */
const inUpperCase = (property: string): Sql =>
  sql`upper((properties ->> ${property}::text) COLLATE "C")`;

/** A row of the answer to `selectPackets`. */
export interface PacketRow {
  packed: Buffer<ArrayBuffer>;
  values: string;
  id_sum: string;
  first: string;
  last: string;
}

/** SQL for the packets of the events of a scan in a chunk. */
export function selectPackets(selection: EventSelection, scan: RowScan, chunk: Chunk): Sql {
  const { numbers = null } = scan.columns;
  const record = listFields(scan).reduce(
    (joined, field) => sql`${joined} || ${field}`,
    PLAYER_HASH,
  );
  // A cast to a number would take more time than anything else in the scan. A finite number fits into 400
  // characters, except for digits that are too small to matter.
  const values =
    numbers === null
      ? sql`''`
      : sql`string_agg(COALESCE(left((properties -> ${numbers}::text)::text, 400), ''), E'\\n')`;
  return sql`
    SELECT string_agg(${record}, '') AS packed, ${values} AS values, ${ID_SUM},
           min(received_at)::text AS first, max(received_at)::text AS last
    FROM events
    WHERE ${matchesScan(selection, scan, chunk)}
    GROUP BY id >> 17`;
}

/** SQL that is true for the events of a scan in a chunk. */
export function matchesScan(selection: EventSelection, scan: Scan, { from_ms, to_ms }: Chunk): Sql {
  const { choices = [], in_group, in_currency, key_id = null, hidden_names = [] } = scan;
  const conditions = [
    inRange(selection),
    sql`received_at >= ${new Date(from_ms).toISOString()}::timestamptz`,
    sql`received_at < ${new Date(to_ms).toISOString()}::timestamptz`,
  ];
  const { names } = scan;
  if (names?.length === 1) conditions.push(sql`event_name = ${names[0]}::text`);
  else if (names !== null) conditions.push(sql`event_name = ANY(${names}::text[])`);
  if (hidden_names.length > 0) conditions.push(sql`event_name <> ALL(${hidden_names}::text[])`);
  if (choices.length > 0 && choices.every(({ filter }) => filter.length > 0)) {
    conditions.push(
      sql`(${joinSql(
        choices.map((choice) => sql`(${matchesFilter(choice)})`),
        ' OR ',
      )})`,
    );
  }
  if (in_group) conditions.push(isInGroup(in_group.property, in_group.value));
  if (in_currency) {
    conditions.push(sql`${inUpperCase(in_currency.property)} = ${in_currency.currency}`);
  }
  if (key_id !== null) conditions.push(sql`key_id = ${key_id}::uuid`);
  if (!scan.with_anonymous) conditions.push(sql`player_id IS NOT NULL`);
  return joinSql(conditions, ' AND ');
}

/** The number of bytes of a record of a packet. */
export const recordBytes = (scan: RowScan): number => 8 * (1 + listFields(scan).length);

/** Makes the function that turns the packets of a scan into columns. */
export function createUnpacker(scan: RowScan): (packet: Packet) => ScannedEvents {
  const { keeps, choices = [], columns } = scan;
  const { players, sessions, names, times, ids, masks, numbers = null, values = [] } = columns;
  const record_bytes = recordBytes(scan);
  const room = createRoom(columns);
  /** The places of the records of the players that the report counts. */
  let kept = new Uint32Array(0);

  /** Chooses the records that the report counts. @returns their number. */
  const choose = ({ view, count }: Packet) => {
    if (kept.length < count) kept = Uint32Array.from({ length: count }, (_, place) => place);
    if (keeps === undefined) return count;
    let chosen = 0;
    for (let place = 0; place < count; place++) {
      const at = place * record_bytes;
      kept[chosen] = place;
      if (keeps(view.getInt32(at), view.getInt32(at + 4))) chosen++;
    }
    return chosen;
  };

  return (packet) => {
    const { view } = packet;
    const count = choose(packet);
    const into = room(Math.max(count, packet.count));
    let field = 8;
    const number = (column: Int32Array, at: number, numberOf: Numbering) => {
      for (let index = 0; index < count; index++) {
        const place = kept[index]! * record_bytes + at;
        column[index] = numberOf(view.getInt32(place), view.getInt32(place + 4));
      }
    };
    const read = (column: Float64Array | Uint8Array) => {
      for (let index = 0; index < count; index++) {
        column[index] = read64(view, kept[index]! * record_bytes + field);
      }
      field += 8;
    };
    const next = (column: Int32Array, numberOf: Numbering) => {
      number(column, field, numberOf);
      field += 8;
    };
    if (players) {
      number(into.players, 0, (high, low) => (high === 0 && low === 0 ? -1 : players(high, low)));
    }
    if (times) read(into.times);
    if (ids) read(into.ids);
    if (sessions) {
      // As in sealed columns: two players may use the same session id.
      for (let index = 0; index < count; index++) {
        const at = kept[index]! * record_bytes;
        const high = view.getInt32(at + field) ^ view.getInt32(at);
        const low = view.getInt32(at + field + 4) ^ view.getInt32(at + 4);
        into.sessions[index] = sessions.numberOf(high, low);
      }
      field += 8;
    }
    if (names) next(into.names, names);
    if (masks) {
      if (asksForMasks(choices)) read(into.masks);
      else into.masks.fill(2 ** choices.length - 1, 0, count);
    }
    const { first_received_at, last_received_at } = packet;
    // Without the bytes of the packet, so that these can be freed.
    const source = { first_received_at, last_received_at };
    values.forEach((numbering, index) => {
      const numberOf: Numbering = (high, low) => numbering.numberOf(high, low, source);
      if (numbering.property === null) number(into.values[index]!, 0, numberOf);
      else next(into.values[index]!, numberOf);
    });
    if (numbers !== null) {
      readNumbers(packet.values, into.numbers, 0);
      for (let index = 0; index < count; index++) into.numbers[index] = into.numbers[kept[index]!]!;
    }
    return { ...into, count };
  };
}
