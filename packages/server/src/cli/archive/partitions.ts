import type pg from 'pg';
import type { TableLine } from './format.ts';
import type { Table } from './table-catalog.ts';

/** Makes the partitions that an archive lists for a table, in the connection's current schema. */
export async function makePartitions(
  client: pg.ClientBase,
  table: Table,
  { partitions }: TableLine,
): Promise<void> {
  if (partitions.length === 0) return;
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON oid = inhrelid
     WHERE inhparent = $1::regclass`,
    [`"${table.name}"`],
  );
  const existing = new Set(rows.map(({ name }) => name));
  for (const { name, bound } of partitions) {
    if (existing.has(name)) continue;
    // The name and the bound become SQL. The export copied both from PostgreSQL's catalog, so any other form
    // is refused.
    if (!/^[a-z0-9_]+$/.test(name) || !/^FOR VALUES FROM \('[^']*'\) TO \('[^']*'\)$/.test(bound)) {
      throw new Error(`Not a partition: ${name} ${bound}`);
    }
    await client.query(`CREATE TABLE "${name}" PARTITION OF "${table.name}" ${bound}`);
  }
}
