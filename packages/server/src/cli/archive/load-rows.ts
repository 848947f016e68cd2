import type pg from 'pg';
import type { Database } from '../../platform/database/database.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { chooseGroup, schemaOf } from '../../platform/database/group-directory.ts';
import type { ArchiveLine, ArchiveRow, TableLine } from './format.ts';
import { listTables } from './table-catalog.ts';
import type { Table } from './table-catalog.ts';

const MAX_BATCH_ROWS = 1_000;
const MAX_BATCH_CHARACTERS = 4_000_000;

interface LoadOptions {
  /** Replaces the game's id, for a copy of a game beside the original. */
  new_game_id?: string;
  onProgress: (rows: number) => void;
}

/** Runs `work` in one transaction, on a connection that is closed when it fails. */
export async function withClientInTransaction<T>(
  database: Database,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const client = await database.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/**
 * Loads a new game in one transaction, into the group that it gets.
 * @param work Inserts the game with its rows.
 */
export async function withNewGame<T>(
  database: GroupedDatabase,
  game_id: string,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const group = await database.transaction((tx) => chooseGroup(database, tx));
  return withClientInTransaction(database.groups[group]!, async (client) => {
    const result = await work(client);
    await client.query('UPDATE games SET tenant_group = $1 WHERE id = $2', [group, game_id]);
    return result;
  });
}

/**
 * Inserts the rows of an archive, in the open transaction of `client`.
 * @returns the number of rows.
 */
export async function loadRows(
  client: pg.ClientBase,
  lines: AsyncIterable<ArchiveLine>,
  options: LoadOptions,
): Promise<number> {
  let group: number | undefined;
  let tables = await readTables(client);
  const loaded = new Set<Table>();
  let insert: ((rows: ArchiveRow[]) => Promise<void>) | undefined;
  let batch: ArchiveRow[] = [];
  let characters = 0;
  let total = 0;

  const flush = async () => {
    if (batch.length > 0) await insert!(batch);
    total += batch.length;
    batch = [];
    characters = 0;
    options.onProgress(total);
  };

  const finishTables = async () => {
    await flush();
    for (const table of loaded) await raiseSequences(client, table);
    loaded.clear();
  };

  const enterGroup = async (next: number) => {
    await finishTables();
    if (!Number.isSafeInteger(next)) throw new Error(`Not a group: ${next}`);
    await client.query(`SET LOCAL search_path = ${schemaOf(next)}, public`);
    tables = await readTables(client);
    group = next;
  };

  for await (const line of lines) {
    if (Array.isArray(line)) {
      batch.push(line);
      for (const value of line) characters += value?.length ?? 0;
      if (batch.length >= MAX_BATCH_ROWS || characters >= MAX_BATCH_CHARACTERS) await flush();
    } else if ('table' in line) {
      await flush();
      if (line.group !== undefined && line.group !== group) await enterGroup(line.group);
      const table = tables.get(line.table);
      if (table === undefined) throw new Error(`This release has no table ${line.table}`);
      loaded.add(table);
      await makePartitions(client, table, line);
      insert = prepareInsert(client, table, line.columns, options.new_game_id);
    }
  }
  await finishTables();
  return total;
}

const readTables = async (client: pg.ClientBase) =>
  new Map((await listTables(client)).map((table) => [table.name, table]));

async function makePartitions(client: pg.ClientBase, table: Table, line: TableLine) {
  const existing = new Set(table.partitions.map(({ name }) => name));
  for (const { name, bound } of line.partitions) {
    if (existing.has(name)) continue;
    // PostgreSQL's catalog has written both into the archive: refuse all other texts.
    if (!/^[a-z0-9_]+$/.test(name) || !/^FOR VALUES FROM \('[^']*'\) TO \('[^']*'\)$/.test(bound)) {
      throw new Error(`Not a partition: ${name} ${bound}`);
    }
    await client.query(`CREATE TABLE "${name}" PARTITION OF "${table.name}" ${bound}`);
  }
}

function prepareInsert(
  client: pg.ClientBase,
  table: Table,
  columns: string[],
  new_game_id: string | undefined,
): (rows: ArchiveRow[]) => Promise<void> {
  const known = columns.map((name) => {
    const column = table.columns.find((candidate) => candidate.name === name);
    if (column === undefined) throw new Error(`Table ${table.name} has no column ${name}`);
    return column;
  });
  const list = known.map(({ name }) => `"${name}"`).join(', ');
  const values = known.map(({ type }, index) => `c${index}::${type}`).join(', ');
  const names = known.map((_column, index) => `c${index}`).join(', ');
  const parameters = known.map((_column, index) => `$${index + 1}::text[]`).join(', ');
  const text = `INSERT INTO "${table.name}" (${list}) OVERRIDING SYSTEM VALUE
    SELECT ${values} FROM unnest(${parameters}) AS row (${names})`;
  const idColumn = columns.indexOf(table.name === 'games' ? 'id' : 'game_id');
  return async (rows) => {
    const perColumn = columns.map((_name, index) =>
      rows.map((row) =>
        index === idColumn && new_game_id !== undefined ? new_game_id : (row[index] ?? null),
      ),
    );
    await client.query(text, perColumn);
  };
}

/** Lets sequences go on after the loaded ids. */
async function raiseSequences(client: pg.ClientBase, table: Table) {
  for (const { name } of table.columns.filter(({ identity }) => identity)) {
    await client.query(
      `SELECT setval(pg_get_serial_sequence($1, $2), max("${name}")) FROM "${table.name}"
       HAVING max("${name}") IS NOT NULL`,
      [`"${table.name}"`, name],
    );
  }
}
