import { randomInt } from 'node:crypto';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';

/** Seed of the hashes of players and ids. It is a secret, so nobody can send values that collide. */
export const SEED = String(randomInt(2 ** 47));
/**
 * Seed of the hashes of names and of values of properties. It is fixed, so that each report puts those of equal
 * frequency in the same order.
 */
export const VALUE_SEED = 0;

/** SQL for the fields of a packed record. Each field has 8 bytes and is never null. */
export const PackedField = {
  /** The time of the event in microseconds since 2000. */
  time: sql`timestamptz_send(occurred_at)`,
  /** The hash of a text, or 0 if the text is null. */
  hash: (text: Sql, seed: string | number) =>
    sql`int8send(COALESCE(hashtextextended(${text}, ${seed}::bigint), 0))`,
  integer: (integer: Sql) => sql`int8send(${integer})`,
};

/** The packed records of events that were received between two moments. */
export interface Packet {
  view: DataView;
  /** The number of records in `view`. A record has the hash of the player and then the fields. */
  count: number;
  /** One line per record: a JSON value that the report reads, or an empty line if the event has none. */
  values: string;
  first_received_at: string;
  last_received_at: string;
}

/** Reads a `bytea` as PostgreSQL writes it: `\x`, and then two hexadecimal digits for each byte. */
export function readPacked(packed: string): DataView<ArrayBuffer> {
  // A buffer from Node's pool would keep the whole pool in memory as long as the view is used.
  const bytes = Buffer.allocUnsafeSlow(packed.length / 2 - 1);
  bytes.write(packed.slice(2), 'hex');
  return new DataView(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
}

/** Reads a field that is a whole number, such as a time. The result is not exact beyond 2^53. */
export const read64 = (view: DataView, at: number): number =>
  view.getInt32(at) * 2 ** 32 + view.getUint32(at + 4);

/** Converts a time to microseconds since 2000-01-01, which is PostgreSQL's internal form of a time. */
export const packedTime = (time: string): number =>
  (Date.parse(time) - Date.UTC(2000, 0, 1)) * 1_000;
