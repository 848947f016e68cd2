import type pg from 'pg';
import { openDatabase } from '../../../platform/database/open-database.ts';
import { BACKUP_ROWS } from '../../../features/backups/backup-rows.ts';
import { JSON_LIST_COLUMNS, JSON_TEXT_COLUMNS } from '../value-checks.ts';

interface WholeTable {
  /** `public`, or the schema of a group. */
  schema: string;
  name: string;
  /** The name with its schema, quoted as in SQL. */
  full_name: string;
}

/**
 * Lists all tables, as PostgreSQL's catalog lists them, so that no new table can be forgotten. Leaves out
 * the tables that triggers and workers fill from other tables: those with sums and those with players'
 * names.
 */
async function listAllTables(client: pg.ClientBase): Promise<WholeTable[]> {
  const { rows } = await client.query<WholeTable>(`
    SELECT relnamespace::regnamespace::text AS schema,
           relname AS name, format('%s.%I', relnamespace::regnamespace, relname) AS full_name
    FROM pg_class
    WHERE relkind IN ('r', 'p') AND NOT relispartition
      AND relnamespace::regnamespace::text ~ '^(public|group_\\d+)$' AND relpersistence <> 't'
      AND relname NOT IN ('group_migrations', 'game_storage', 'storage_changes', 'player_names',
                          'player_name_changes', 'player_name_builds',
                          'sealed_days', 'sealed_events', 'sealed_players', 'sealed_tenants')
    ORDER BY relnamespace::regnamespace::text <> 'public', 3`);
  return rows;
}

/**
 * For some tables, the SQL that makes a row comparable between installations. It leaves out a game's
 * group, and ids that change when a game is moved to another group.
 */
const WITHOUT_GROUPS: Record<string, string> = {
  event_inbox: `to_jsonb(t) - 'id'`,
  game_deletions: `to_jsonb(t) - 'tenant_group'`,
  games: `to_jsonb(t) - 'tenant_group'`,
  installation: `NULLIF(name, 'tenant_groups') || value`,
};

/** The rows to compare, for tables of which an archive leaves some out. */
const ROWS_OF: Record<string, string> = {
  installation: `WHERE name NOT IN (${BACKUP_ROWS.map((name) => `'${name}'`).join(', ')})`,
};

/**
 * Reads all rows of all tables as text. The rows of one table in all groups are in one list.
 * @param sees_groups False: leaves out the group to which each game belongs.
 */
export function readAll(url: string, sees_groups = true): Promise<Record<string, string[]>> {
  return withClient(url, async (client) => {
    const contents: Record<string, string[]> = {};
    for (const { name, full_name } of await listAllTables(client)) {
      // A restored installation differs only in the times of its migrations.
      const restored = name === 'migrations' ? 'ROW(name)' : 't';
      const columns = sees_groups ? restored : (WITHOUT_GROUPS[name] ?? restored);
      const { rows } = await client.query<{ row: string }>(
        `SELECT (${columns})::text AS row FROM ${full_name} AS t ${ROWS_OF[name] ?? ''}`,
      );
      const texts = rows.map(({ row }) => row);
      contents[name] = [...(contents[name] ?? []), ...texts].toSorted();
    }
    return contents;
  });
}

/**
 * Reads how many bytes, players and entries each game has. Triggers have counted them while the rows were
 * loaded.
 */
export function readStorage(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rows: schemas } = await client.query<{ name: string }>(`
      SELECT relnamespace::regnamespace::text AS name FROM pg_class
      WHERE relname = 'game_storage' AND relkind = 'r'`);
    const counted: string[] = [];
    for (const { name } of schemas) {
      const { rows } = await client.query<{ row: string }>(`
        SELECT concat_ws(' ', game_id, resource, sum(amount)) AS row
        FROM (SELECT game_id, resource, used AS amount FROM ${name}.game_storage
              UNION ALL
              SELECT game_id, resource, change FROM ${name}.storage_changes) AS amounts
        GROUP BY game_id, resource
        HAVING sum(amount) <> 0`);
      counted.push(...rows.map(({ row }) => row));
    }
    return counted.toSorted();
  });
}

/** Lists the tables that are not empty, with their schemas. */
export function readPlaces(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const places: string[] = [];
    for (const { full_name } of await listAllTables(client)) {
      const { rowCount } = await client.query(`SELECT FROM ${full_name} LIMIT 1`);
      if (rowCount !== 0) places.push(full_name);
    }
    return places;
  });
}

/** Reads the partitions with their bounds, and the last value of each sequence. */
export function readShape(url: string) {
  return withClient(url, async (client) => {
    const partitions = await client.query<{ name: string; bound: string }>(`
      SELECT relname AS name, pg_get_expr(relpartbound, oid) AS bound
      FROM pg_class WHERE relispartition AND relkind = 'r' ORDER BY 1`);
    const sequences = await client.query<{ name: string; last_value: string | null }>(
      `SELECT sequencename AS name, last_value FROM pg_sequences ORDER BY 1`,
    );
    return { partitions: partitions.rows, sequences: sequences.rows };
  });
}

/** For each type of column, a valid value, as SQL. */
const VALUES: Record<string, string> = {
  bigint: '7',
  'bigint[]': 'ARRAY[7, 8]',
  'bit varying': `B'101'`,
  boolean: 'true',
  bytea: `'\\x00ff'`,
  date: `'2026-03-01'`,
  integer: '7',
  numeric: '-9007199254740991.000001',
  'double precision': '0.1',
  json: `'{"a": 1}'`,
  jsonb: `'{"a": 1}'`,
  smallint: '7',
  'smallint[]': 'ARRAY[7, 8]',
  text: `'It''s a "text", \\ with\ttab, newline\n, ü, \u2028 and 🎈'`,
  'text[]': `ARRAY['a', NULL, 'b,c']`,
  'timestamp with time zone': `'2026-03-01 12:00:00.123456+00'`,
  'timestamp with time zone[]': `ARRAY['2026-03-01 12:00:00.123456+00'::timestamptz]`,
  real: '0.5',
  uuid: 'gen_random_uuid()',
  'uuid[]': 'ARRAY[gen_random_uuid()]',
};

/**
 * Inserts a row into each empty table, with a value in every column, so that a comparison of tables
 * always has rows to compare. Fails for a table that does not accept these values.
 * @param left_out Matches the schemas whose tables stay empty, such as those of other groups.
 * @param game_id The game to which all rows belong. Without it, most rows belong to games that do not
 * exist.
 */
export function fillEmptyTables(
  url: string,
  left_out = /^$/,
  game_id: string | null = null,
): Promise<void> {
  return withClient(url, async (client) => {
    const tables = (await listAllTables(client)).filter(({ schema }) => !left_out.test(schema));
    // A row may need a row of a later table, which needs one of a still later table.
    for (const is_last_try of [false, false, true]) {
      for (const { schema, name, full_name } of tables) {
        // With this path, the triggers of a group find the tables of the group.
        await client.query(`SET search_path = ${schema}, public`);
        const { rowCount } = await client.query(`SELECT FROM ${full_name} LIMIT 1`);
        if (rowCount !== 0) continue;
        if (name === 'events') {
          await client.query(`CREATE TABLE IF NOT EXISTS ${full_name}_2026_03
            PARTITION OF ${full_name} FOR VALUES FROM ('2026-03-01') TO ('2026-04-01')`);
        }
        await insertRow(client, full_name, game_id).catch((error: unknown) => {
          if (is_last_try) throw error;
        });
      }
    }
  });
}

async function insertRow(
  client: pg.ClientBase,
  table: string,
  game_id: string | null,
): Promise<void> {
  const { rows: columns } = await client.query<{
    name: string;
    type: string;
    source: string | null;
  }>(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type,
       (SELECT format('(SELECT %I FROM %s LIMIT 1)', target.attname, confrelid::regclass)
        FROM pg_constraint
        JOIN pg_attribute target ON target.attrelid = confrelid
          AND target.attnum = confkey[array_position(conkey, attribute.attnum)]
        WHERE conrelid = attribute.attrelid AND contype = 'f' AND attribute.attnum = ANY(conkey)
        ORDER BY cardinality(conkey) DESC
        LIMIT 1) AS source
     FROM pg_attribute attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
       AND attgenerated = '' AND attidentity = ''`,
    [table],
  );
  const values: string[] = [];
  for (const { name, type, source } of columns) {
    values.push(
      (source && (await readLiteral(client, source))) ??
        (name === 'role' ? `'viewer'` : null) ??
        (JSON_LIST_COLUMNS.has(name) ? `'[]'` : null) ??
        (name === 'game_id' && game_id !== null
          ? `'${game_id}'`
          : VALUES[JSON_TEXT_COLUMNS.has(name) ? 'jsonb' : type]) ??
        `(enum_range(NULL::${type}))[1]`,
    );
  }
  const names = columns.map(({ name }) => `"${name}"`);
  await client
    .query(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${values.join(', ')})`)
    .catch((cause: Error) => {
      throw new Error(`${table} has no row, and takes none of these: ${cause.message}`, { cause });
    });
}

/**
 * Reads the value of a subquery as a literal, because a
 * cluster accepts no subquery among the values of an insert.
 */
async function readLiteral(client: pg.ClientBase, subquery: string): Promise<string> {
  const { rows } = await client.query<{ literal: string }>(
    `SELECT quote_nullable(${subquery}::text) AS literal`,
  );
  return rows[0]!.literal;
}

async function withClient<T>(url: string, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const database = openDatabase({ url }, { application_name: 'test', max_connections: 1 });
  const client = await database.connect();
  try {
    return await work(client);
  } finally {
    client.release();
    await database.close();
  }
}
