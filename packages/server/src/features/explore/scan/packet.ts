import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';

/** Expressions for the fields of a record: 8 bytes each, never null. */
export const PackedField = {
  /** Microseconds since 2000, as two halves. */
  time: sql`timestamptz_send(occurred_at)`,
  /** A hash of a text, 0 for null. */
  hash: (text: Sql, seed: string) =>
    sql`int8send(COALESCE(hashtextextended(${text}, ${seed}::bigint), 0))`,
  integer: (integer: Sql) => sql`int8send(${integer})`,
};

/** Records that were received between two moments. */
export interface Packet {
  view: DataView;
  /** Number of records. Each has the hash of the player and then the fields, 8 bytes each. */
  count: number;
  /** A JSON value of each record, one per line. A line is empty when the event has no such value. */
  values: string;
  first_received_at: string;
  last_received_at: string;
}

/** The bytes of a `bytea` as PostgreSQL writes it: two characters per byte, after `\\x`. */
export function readPacked(packed: string): DataView<ArrayBuffer> {
  // A buffer of Node's pool would keep more memory alive.
  const bytes = Buffer.allocUnsafeSlow(packed.length / 2 - 1);
  bytes.write(packed.slice(2), 'hex');
  return new DataView(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
}

/** A field that is a whole number, such as a time; beyond 2^53 it is not exact. */
export const read64 = (view: DataView, at: number): number =>
  view.getInt32(at) * 2 ** 32 + view.getUint32(at + 4);

/** The packet with only those records whose players count. */
export function keepPlayers(
  packet: Packet,
  record_bytes: number,
  keeps: (high: number, low: number) => boolean,
): Packet {
  const { view, count, values } = packet;
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  const kept = new Uint8Array(view.byteLength);
  const places: number[] = [];
  for (let index = 0; index < count; index++) {
    const at = index * record_bytes;
    if (!keeps(view.getInt32(at), view.getInt32(at + 4))) continue;
    kept.set(bytes.subarray(at, at + record_bytes), places.length * record_bytes);
    places.push(index);
  }
  if (places.length === count) return packet;
  const lines = values === '' ? null : values.split('\n');
  return {
    ...packet,
    view: new DataView(kept.buffer, 0, places.length * record_bytes),
    count: places.length,
    values: lines === null ? '' : places.map((index) => lines[index]!).join('\n'),
  };
}
