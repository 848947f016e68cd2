import type pg from 'pg';

export interface Column {
  name: string;
  /** The type as SQL names it, such as `timestamp with time zone`. */
  type: string;
  /** True if a sequence of the table fills the column. */
  identity: boolean;
}

export interface Table {
  name: string;
  columns: Column[];
  /** The partitions of a partitioned table. Their names are enough to make them again. */
  partitions: { name: string }[];
}

/**
 * Lists the tables that the connection sees, with their columns. Each table comes after
 * the tables that it references, so rows can be loaded in this order. The list comes from
 * PostgreSQL's catalog, so it includes tables of later migrations without a change here.
 */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table & { needs: string[] }>(`
    SELECT relname AS name,
      (SELECT json_agg(json_build_object(
                'name', attname,
                'type', format_type(atttypid, atttypmod),
                'identity', attidentity <> '') ORDER BY attnum)
       FROM pg_attribute
       WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
         AND attgenerated = '') AS columns,
      COALESCE((SELECT json_agg(json_build_object('name', part.relname) ORDER BY part.relname)
                FROM pg_inherits JOIN pg_class part ON part.oid = inhrelid
                WHERE inhparent = pg_class.oid), '[]') AS partitions,
      ARRAY(SELECT DISTINCT target.relname::text
            FROM pg_constraint JOIN pg_class target ON target.oid = confrelid
            WHERE conrelid = pg_class.oid AND contype = 'f' AND confrelid <> conrelid) AS needs
    FROM pg_class
    WHERE relnamespace = ANY (current_schemas(false)::text[]::regnamespace[])
      AND relkind IN ('r', 'p')
      AND NOT relispartition AND relname NOT IN ('migrations', 'group_migrations')
    ORDER BY relname`);

  const ordered: Table[] = [];
  const remaining = [...rows];
  while (remaining.length > 0) {
    const next = remaining.findIndex(({ needs }) =>
      needs.every((name) => ordered.some((table) => table.name === name)),
    );
    if (next === -1) throw new Error('Tables reference each other in a circle');
    const { name, columns, partitions } = remaining[next]!;
    remaining.splice(next, 1);
    ordered.push({ name, columns, partitions });
  }
  return ordered;
}

export const hasColumn = (table: Table, name: string): boolean =>
  table.columns.some((column) => column.name === name);
