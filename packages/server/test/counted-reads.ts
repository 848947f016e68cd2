import assert from 'node:assert/strict';
import { startTestServer } from './harness.ts';
import type { TestServer } from './harness.ts';
import { sql } from '../src/platform/database/sql.ts';
import { waitUntil } from './wait-until.ts';

/** The reads of requests. */
export interface Reads {
  rows: number;
  /** Blocks of the table and of its large values. */
  blocks: number;
  /** How often a table or an index was read through, or looked into. */
  scans: number;
}

/**
 * Counts what requests read from tables. They go to a server of their own, which is then stopped, because
 * PostgreSQL adds the reads of a connection to its statistics when the connection ends.
 */
export async function countReads(
  { database, database_url }: TestServer,
  tables: readonly string[],
  send: (node: TestServer) => Promise<unknown>,
): Promise<Reads> {
  const read = async (): Promise<Reads> =>
    (await database.queryOne<{ rows: number; blocks: number; scans: number }>(sql`
      SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint AS rows,
             sum(heap_blks_read + heap_blks_hit + coalesce(toast_blks_read + toast_blks_hit, 0))::bigint
               AS blocks,
             sum(seq_scan + coalesce(idx_scan, 0))::bigint AS scans
      FROM pg_stat_user_tables
      JOIN pg_statio_user_tables USING (relid)
      LEFT JOIN pg_inherits ON inhrelid = relid
      WHERE coalesce(inhparent::regclass::text, pg_stat_user_tables.relname) = ANY (${tables}::text[])`))!;
  const listConnections = () =>
    database.query<{ pid: number }>(sql`
      SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`);

  const earlier = (await listConnections()).map(({ pid }) => pid);
  const before = await read();
  const node = await startTestServer({ database_url, env: { WORKERS: '1' } });
  await send(node);
  const ofNode = (await listConnections()).filter(({ pid }) => !earlier.includes(pid));
  assert.ok(ofNode.length > 0);
  await node.close();
  // Some of these connections may belong to the first server, which keeps them open.
  await database.query(
    sql`SELECT pg_terminate_backend(pid) FROM unnest(${ofNode.map(({ pid }) => pid)}::integer[]) AS pid`,
  );
  await waitUntil('the connections of the server have ended', async () => {
    const left = (await listConnections()).map(({ pid }) => pid);
    return !ofNode.some(({ pid }) => left.includes(pid));
  });
  const after = await read();
  return {
    rows: after.rows - before.rows,
    blocks: after.blocks - before.blocks,
    scans: after.scans - before.scans,
  };
}
