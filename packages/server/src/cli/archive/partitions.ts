import type pg from 'pg';
import { monthOfPartition, partitionBound } from '../../features/events/event-partitions.ts';
import { CommandError } from '../command.ts';
import { shorten } from '../../platform/json/json-text.ts';
import type { TableLine } from '../../features/backups/archive/format.ts';
import type { Table } from '../../features/backups/archive/table-catalog.ts';

/**
 * Makes the partitions that an archive lists for a table, in the connection's current schema.
 * @throws CommandError for a partition that no server makes. Servers could not make the partitions of some
 * months beside it.
 */
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
  for (const { name } of partitions) {
    const month = table.name === 'events' ? monthOfPartition(name) : null;
    if (month === null) {
      throw new CommandError(
        `The archive cannot be loaded: the table ${table.name} has no partition ${shorten(name)}.`,
      );
    }
    if (existing.has(name)) continue;
    await client.query(`CREATE TABLE "${name}" PARTITION OF events ${partitionBound(month)}`);
  }
}
