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
  /** A JSON value of each record, one a line. A line is empty when the event has no such value. */
  values: string;
  first_received_at: string;
  last_received_at: string;
}
