import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../packages/server/src/platform/database/sql.ts';
import type { BenchServer } from './bench-server.ts';
import { makeRequest } from './request-shape.ts';
import type { RequestShape } from './request-shape.ts';

/** Counters of what PostgreSQL writes, each with the title of its column. */
const COLUMNS = {
  wal_bytes: 'WAL bytes',
  wal_records: 'WAL records',
  /** Pages that go to the WAL as a whole, as each page does at its first change after a checkpoint. */
  full_pages: 'full pages',
  inserted: 'rows inserted',
  updated: 'rows updated',
  /** Updates that touch no index. */
  updated_in_place: 'of these in place',
  deleted: 'rows deleted',
  /** An upper limit: a row counts once for each index of its table, even if a partial index leaves it out. */
  index_entries: 'index entries, at most',
};

type Count = keyof typeof COLUMNS;

export const WRITTEN_COLUMNS = [...Object.values(COLUMNS), 'rows by table'];

/** Totals since the database was made. */
type Written = Record<Count, number> & { by_table: Record<string, number> };

/** A session of PostgreSQL reports its counts after a statement, but at most once in this time. */
const REPORT_INTERVAL_MS = 1_000;
/**
 * The number of requests, and also the number of statements, that are sent before the counts are read. Then
 * all sessions have reported: the sessions that served the load, and those of the bench itself.
 */
const NUDGES = 32;

/** Reads the amounts written so far, including those of requests that were just answered. */
export async function readWritten(server: BenchServer, shape: RequestShape): Promise<Written> {
  await sleep(REPORT_INTERVAL_MS + 100);
  await Promise.all([
    ...Array.from({ length: NUDGES }, () => send(server, shape)),
    ...Array.from({ length: NUDGES }, () => server.database.execute(sql`SELECT 1`)),
    server.hot.execute(sql`SELECT 1`),
  ]);
  const row = await server.database.queryOne<Written>(sql`
    SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS wal_bytes,
           wal.wal_records, wal.wal_fpi AS full_pages,
           rows.*
    FROM pg_stat_wal AS wal, (
      SELECT sum(n_tup_ins)::float8 AS inserted, sum(n_tup_upd)::float8 AS updated,
             sum(n_tup_hot_upd)::float8 AS updated_in_place, sum(n_tup_del)::float8 AS deleted,
             sum((n_tup_ins + n_tup_upd - n_tup_hot_upd) *
                 (SELECT count(*) FROM pg_index WHERE indrelid = relid))::float8 AS index_entries,
             jsonb_object_agg(relname, n_tup_ins + n_tup_upd + n_tup_del) AS by_table
      FROM pg_stat_user_tables
      -- A temporary table writes no WAL.
      WHERE schemaname = 'public'
    ) AS rows`);
  return row!;
}

async function send({ url }: BenchServer, shape: RequestShape): Promise<void> {
  const { path, ...request } = makeRequest(shape);
  const response = await fetch(url + path, request);
  await response.arrayBuffer();
}

/** Returns the cells of a line: what PostgreSQL wrote per request between two readings. */
export function describeWritten(before: Written, after: Written, requests: number): string[] {
  const format = (total: number) =>
    (total / Math.max(1, requests)).toLocaleString('en-US', { maximumSignificantDigits: 3 });
  const tables = Object.entries(after.by_table)
    .map(([name, rows]) => ({ name, rows: rows - (before.by_table[name] ?? 0) }))
    .filter(({ rows }) => rows > requests / 100)
    .toSorted((one, other) => other.rows - one.rows);
  return [
    ...(Object.keys(COLUMNS) as Count[]).map((name) => format(after[name] - before[name])),
    tables.map(({ name, rows }) => `${name} ${format(rows)}`).join(', '),
  ];
}
