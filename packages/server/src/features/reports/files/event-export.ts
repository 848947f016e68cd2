import type { Environment } from '@overworld/contract/common';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { createCsvFile } from './csv.ts';
import type { ExportedEvent } from '../../../platform/event-files/event-file.ts';
import { createNdjsonFile } from './ndjson.ts';
import { createParquetFile } from '../../../platform/event-files/parquet.ts';

/** The events that an export contains. */
export interface ExportedSelection {
  game_id: string;
  environment: Environment;
  /** The events were received between these times; the end is excluded. */
  starts_at: string;
  ends_at: string;
  event_name: string | null;
  player_id: string | null;
}

export interface ExportInput extends ExportedSelection {
  form: keyof typeof FILES;
}

const FILES = { ndjson: createNdjsonFile, csv: createCsvFile, parquet: createParquetFile };

/**
 * The number of events in a page. An event has at most 32 KB of properties, so a page has at most 8 MB of
 * them. Up to sixteen exports may be open.
 */
const PAGE_SIZE = 250;

/**
 * Yields the events of a range in the order of receipt, as the bytes of a file. Events are read page by page:
 * neither this process nor PostgreSQL holds more than one page, and no snapshot lasts longer than a page.
 * Events that are received meanwhile are not in the file.
 */
export async function* exportEvents(
  database: ExploreDatabase,
  input: ExportInput,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { starts_at, ends_at } = input;
  const file = FILES[input.form]();
  const [clock] = await database.query<{ ends: string }>(
    sql`SELECT LEAST(${ends_at}::timestamptz, now())::text AS ends`,
    signal,
  );
  let after = { received_at: starts_at, id: -1 };
  for (;;) {
    const events = await database.query<ExportedEvent>(
      sql`
        SELECT received_at::text, id, event_name, session_id, player_id, properties::text,
               client_timestamp::text, occurred_at::text
        FROM events
        WHERE ${isExported(input)}
          AND (received_at, id) > (${after.received_at}::timestamptz, ${after.id}::bigint)
          AND received_at >= ${after.received_at}::timestamptz
          AND received_at < ${clock!.ends}::timestamptz
        ORDER BY events.received_at, events.id
        LIMIT ${PAGE_SIZE}`,
      signal,
    );
    if (events.length > 0) {
      after = events.at(-1)!;
      const bytes = file.add(events);
      if (bytes !== null) yield bytes;
    }
    if (events.length < PAGE_SIZE) break;
  }
  const last = file.end();
  if (last !== null) yield last;
}

/** Counts the events of an export up to a limit, which bounds the time that the count takes. */
export async function countEvents(
  database: Queryable,
  selection: ExportedSelection,
  limit: number,
): Promise<number> {
  const row = await database.queryOne<{ count: number }>(sql`
    SELECT count(*) AS count
    FROM (
      SELECT 1 FROM events
      WHERE ${isExported(selection)}
        AND received_at >= ${selection.starts_at}::timestamptz
        AND received_at < ${selection.ends_at}::timestamptz
      LIMIT ${limit}
    ) AS counted`);
  return row!.count;
}

/** The condition on the game, the name and the player of an event. */
function isExported({ game_id, environment, event_name, player_id }: ExportedSelection) {
  return sql`game_id = ${game_id}::uuid AND environment = ${environment}::environment
          ${event_name === null ? sql`` : sql`AND event_name = ${event_name}::text`}
          ${player_id === null ? sql`` : sql`AND player_id = ${player_id}::text`}`;
}
