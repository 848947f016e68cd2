import { unwrap, wrap } from './envelope.ts';
import {
  asBuffer,
  compressBytes,
  decodeIntegers,
  decodeNumbers,
  decompressBytes,
  encodeIntegers,
} from './integers.ts';
import { decodeValues, encodeValues } from './property-values.ts';
import type { Values } from './property-values.ts';
import type { PropertyColumn } from '../../scan/event-columns.ts';

/** The events of a part, in any order: an index stands for the same event in each list. */
export interface PartEvents {
  count: number;
  ids: Float64Array;
  /** Microseconds since 2000. */
  times: Float64Array;
  /** The numbers of the players plus 1; 0 for an event without a player. */
  players: Float64Array;
  sessions: Float64Array;
  /** Indexes in `key_ids`. */
  keys: Float64Array;
  key_ids: readonly string[];
  /** Functions that arrange the values of a property. All together might take hundreds of megabytes. */
  properties: ReadonlyMap<string, () => Values>;
  /** Properties that have so many long values that they are only in the rows. */
  omitted: readonly string[];
  /** True if events have further properties, which are only in the rows. */
  has_more: boolean;
}

/** The name of the row of a part that lists its columns. */
export const HEAD = '';
/** The columns that are no properties. */
export const COLUMNS = {
  ids: 'id',
  times: 'time',
  players: 'player',
  sessions: 'session',
} as const;
export const KEYS = 'key';
export const propertyColumn = (property: string) => `.${property}`;

/** Smaller columns are stored in the row that lists them. */
const MAX_INLINE_BYTES = 512;
const MAX_DIRECTORY_BYTES = 16 * 2 ** 20;
const DIRECTORY_CHUNK_BYTES = 4 * 2 ** 10;

interface Directory {
  count: number;
  /** The names of the columns, with the bytes of those that are stored in the head; null for the others. */
  columns: [name: string, inline_bytes: number | null][];
  key_ids: readonly string[];
  omitted: readonly string[];
  has_more: boolean;
}

/** A column as a row. */
export interface StoredColumn {
  column_name: string;
  data: Buffer;
}

/** @param identity Says which part of which version of a day it is. */
export function encodePart(identity: string, events: PartEvents): StoredColumn[] {
  const encoded: [string, Buffer][] = [
    ...Object.entries(COLUMNS).map(([field, name]): [string, Buffer] => [
      name,
      encodeIntegers(events[field as keyof typeof COLUMNS]),
    ]),
    [KEYS, encodeIntegers(events.keys)],
    ...[...events.properties].map(([property, arrange]): [string, Buffer] => [
      propertyColumn(property),
      encodeValues(arrange()),
    ]),
  ];
  const isInline = (bytes: Buffer) => bytes.length <= MAX_INLINE_BYTES;
  const directory: Directory = {
    count: events.count,
    columns: encoded.map(([name, bytes]) => [name, isInline(bytes) ? bytes.length : null]),
    key_ids: events.key_ids,
    omitted: events.omitted,
    has_more: events.has_more,
  };
  const listed = compressBytes(Buffer.from(JSON.stringify(directory)));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(listed.length);
  const inline = encoded.map(([, bytes]) => bytes).filter(isInline);
  const columns = [
    [HEAD, Buffer.concat([length, listed, ...inline])] as const,
    ...encoded.filter(([, bytes]) => !isInline(bytes)),
  ];
  return columns.map(([column_name, bytes]) => ({
    column_name,
    data: wrap(nameColumn(identity, column_name), bytes),
  }));
}

const nameColumn = (identity: string, column_name: string) => `${identity}\n${column_name}`;

/**
 * Opens a part.
 * @param stored The rows that were read: the head, and the columns that are wanted.
 * @throws if the bytes are not those that `encodePart` returned for this identity.
 */
export function openPart(identity: string, stored: ReadonlyMap<string, Uint8Array>) {
  const read = (name: string) => {
    const data = stored.get(name);
    if (data === undefined) throw new RangeError(`The column ${name} is missing`);
    return unwrap(nameColumn(identity, name), data);
  };
  const head = read(HEAD);
  const directory_end = 4 + head.readUInt32LE(0);
  const directory = JSON.parse(
    decompressBytes(
      head.subarray(4, directory_end),
      MAX_DIRECTORY_BYTES,
      DIRECTORY_CHUNK_BYTES,
    ).toString(),
  ) as Directory;
  const inline = new Map<string, Buffer>();
  const known = new Set<string>();
  let at = directory_end;
  for (const [name, bytes] of directory.columns) {
    known.add(name);
    if (bytes === null) continue;
    inline.set(name, head.subarray(at, at + bytes));
    at += bytes;
  }
  const { count } = directory;
  const bytesOf = (name: string) => inline.get(name) ?? read(name);
  const omitted = new Set(directory.omitted);

  return {
    count,
    key_ids: directory.key_ids,
    integers: (field: 'ids' | 'times') => decodeIntegers(bytesOf(COLUMNS[field]), count),
    numbers: (field: 'players' | 'sessions') => decodeNumbers(bytesOf(COLUMNS[field]), count),
    keys: () => decodeNumbers(bytesOf(KEYS), count),
    /** @returns null if the values are only in the rows. */
    property(property: string): PropertyColumn | null {
      const name = propertyColumn(property);
      if (known.has(name)) return decodeValues(bytesOf(name), count);
      if (omitted.has(property) || directory.has_more) return null;
      return { values: [], codes: new Uint8Array(count) };
    },
  };
}

/** Encodes the sessions of a day: the hashes of their ids, and the numbers of their players plus 1. */
export function encodeSessions(
  identity: string,
  { hashes, players }: { hashes: Int32Array; players: Float64Array },
): Buffer {
  const numbers = encodeIntegers(players);
  const length = Buffer.alloc(8);
  length.writeUInt32LE(players.length);
  length.writeUInt32LE(numbers.length, 4);
  const bytes = new Uint8Array(hashes.buffer, hashes.byteOffset, hashes.byteLength);
  return wrap(identity, Buffer.concat([length, numbers, bytes]));
}

/** @throws if the bytes are not those that `encodeSessions` returned for this identity. */
export function decodeSessions(identity: string, data: Uint8Array) {
  const bytes = asBuffer(unwrap(identity, data));
  const count = bytes.readUInt32LE(0);
  const numbers_end = 8 + bytes.readUInt32LE(4);
  const players = decodeNumbers(bytes.subarray(8, numbers_end), count);
  if (bytes.length !== numbers_end + 8 * count) throw new RangeError('Wrong count of sessions');
  // A view needs an offset that is a multiple of 4.
  const hashes = new Int32Array(
    bytes.buffer.slice(bytes.byteOffset + numbers_end, bytes.byteOffset + bytes.length),
  );
  return { players, hashes };
}
