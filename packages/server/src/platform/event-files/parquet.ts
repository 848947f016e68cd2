import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { EventFile, ExportedEvent } from './event-file.ts';

/**
 * The most events of a row group, which is gathered and made in memory. Each open file holds one: at most 8 MB
 * of properties. Larger row groups make the file no smaller.
 */
const ROW_GROUP_SIZE = 10_000;
/** A row group ends earlier when its properties have this many characters. */
const ROW_GROUP_LENGTH = 8 * 1024 * 1024;

const text = (name: string, repetition_type: 'REQUIRED' | 'OPTIONAL') =>
  ({ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type }) as const;
const time = (name: string, repetition_type: 'REQUIRED' | 'OPTIONAL') =>
  ({
    name,
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    repetition_type,
  }) as const;

const SCHEMA = [
  { name: 'event', num_children: 8 },
  { name: 'id', type: 'INT64', repetition_type: 'REQUIRED' } as const,
  text('event_name', 'REQUIRED'),
  text('session_id', 'REQUIRED'),
  text('player_id', 'OPTIONAL'),
  // The type is not JSON, because JSON values would be parsed, and large numbers would lose digits.
  text('properties', 'REQUIRED'),
  time('client_timestamp', 'OPTIONAL'),
  time('occurred_at', 'REQUIRED'),
  time('received_at', 'REQUIRED'),
];

/** Makes an Apache Parquet file with times in microseconds and properties as JSON text. */
export function createParquetFile(): EventFile {
  const bytes = new ByteWriter(1024 * 1024);
  const writer = new ParquetWriter({ writer: bytes, schema: SCHEMA, createdBy: 'Overworld' });
  let gathered: ExportedEvent[] = [];
  let length = 0;

  /** Returns the bytes that were written since the last call. Offsets in the file go on counting. */
  const take = (): Uint8Array => {
    const taken = new Uint8Array(bytes.getBuffer());
    bytes.index = 0;
    return taken;
  };
  const writeRowGroup = () => {
    writer.write({ columnData: toColumns(gathered), rowGroupSize: gathered.length });
    gathered = [];
    length = 0;
  };

  return {
    add(events) {
      for (const event of events) {
        gathered.push(event);
        length += event.properties.length;
      }
      if (gathered.length < ROW_GROUP_SIZE && length < ROW_GROUP_LENGTH) return null;
      writeRowGroup();
      return take();
    },
    end() {
      if (gathered.length > 0) writeRowGroup();
      writer.finish();
      return take();
    },
  };
}

const toColumns = (events: readonly ExportedEvent[]) => [
  { name: 'id', data: events.map(({ id }) => BigInt(id)) },
  { name: 'event_name', data: events.map(({ event_name }) => event_name) },
  { name: 'session_id', data: events.map(({ session_id }) => session_id) },
  { name: 'player_id', data: events.map(({ player_id }) => player_id) },
  { name: 'properties', data: events.map(({ properties }) => properties) },
  { name: 'client_timestamp', data: events.map((event) => toMicroseconds(event.client_timestamp)) },
  { name: 'occurred_at', data: events.map((event) => toMicroseconds(event.occurred_at)) },
  { name: 'received_at', data: events.map((event) => toMicroseconds(event.received_at)) },
];

/** Reads a time such as `2026-01-31 12:00:00.123456+00`. @returns microseconds since 1970. */
function toMicroseconds(written: string | null): bigint | null {
  if (written === null) return null;
  const seconds = Date.parse(`${written.slice(0, 10)}T${written.slice(11, 19)}Z`) / 1_000;
  const fraction = written.charAt(19) === '.' ? written.slice(20, written.indexOf('+', 20)) : '';
  return BigInt(seconds) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
}
