import type pg from 'pg';
import { classifyFailure } from '../../platform/database/failure.ts';
import { schemaOf } from '../../platform/database/group-directory.ts';
import { shorten } from '../../platform/json/json-text.ts';
import { CommandError } from '../command.ts';
import { archivedColumns, conditionFor } from '../../features/backups/archive/archived-rows.ts';
import type { ArchiveContents } from '../../features/backups/archive/archived-rows.ts';
import { copyRows } from './copy-rows.ts';
import { INBOX_TABLE } from '../../features/backups/archive/format.ts';
import type { ArchiveLine, TableLine } from '../../features/backups/archive/format.ts';
import { ONE_GROUP } from './game-places.ts';
import type { GamePlaces } from './game-places.ts';
import { createInboxIds } from './inbox-ids.ts';
import { makePartitions } from './partitions.ts';
import { readTable } from './read-table.ts';
import type { LoadedTable } from './read-table.ts';
import { listTables } from '../../features/backups/archive/table-catalog.ts';
import type { Table } from '../../features/backups/archive/table-catalog.ts';

const MAX_BATCH_ROWS = 1_000;
const MAX_BATCH_CHARACTERS = 4_000_000;
/** The maximum number of characters in the batches of all groups together. */
const MAX_WAITING_CHARACTERS = 16_000_000;

interface LoadOptions {
  /** The part of an installation that the rows may belong to. Null for rows that this release makes itself. */
  contents: ArchiveContents | null;
  /**
   * The id that the game gets, if the archive has one game. Undefined if the
   * archive has a whole installation.
   */
  game_id?: string;
  /** Default: all games in one group. */
  places?: GamePlaces;
  onProgress: (rows: number) => void;
}

/** Rows that wait for the next COPY into the table of a group. */
interface Batch {
  rows: number;
  text: string;
}

/**
 * Loads the rows of an archive in the open transaction of `client`. Rows of a whole installation are loaded
 * into the groups of their games, and rows of one game into the group of the connection.
 * @returns the number of rows.
 * @throws CommandError for tables, columns and values that do not belong in the archive, or that PostgreSQL
 * refuses.
 */
export async function loadRows(
  client: pg.ClientBase,
  lines: AsyncIterable<ArchiveLine>,
  { contents, game_id, places = ONE_GROUP, onProgress }: LoadOptions,
): Promise<number> {
  const inboxIds = createInboxIds();
  let entered: number | null = null;
  const enterGroup = async (group: number) => {
    if (places.groups === 1 || group === entered) return;
    await client.query(`SET LOCAL search_path = ${schemaOf(group)}, public`);
    entered = group;
  };
  await enterGroup(0);
  const tables = new Map((await listTables(client)).map((table) => [table.name, table]));

  let loaded: LoadedTable | undefined;
  let table_name = '';
  let copyInto: (group: number, text: string) => Promise<void>;
  const batches = new Map<number, Batch>();
  let waiting_characters = 0;
  let total = 0;

  const flush = async (group: number, { rows, text }: Batch) => {
    batches.delete(group);
    await enterGroup(group);
    await copyInto(group, text).catch((error: unknown) => {
      throw explainRefusal(error, table_name);
    });
    waiting_characters -= text.length;
    total += rows;
    onProgress(total);
  };
  const flushAll = async () => {
    for (const [group, batch] of batches) await flush(group, batch);
  };

  const beginTable = async (line: TableLine) => {
    await flushAll();
    const table = tables.get(line.table);
    if (table === undefined || (contents !== null && conditionFor(table, contents) === null)) {
      throw new CommandError(
        `The archive cannot be loaded: it may have no table ${shorten(line.table)}.`,
      );
    }
    table_name = table.name;
    const is_renumbered = places.merges && table.name === INBOX_TABLE;
    if (is_renumbered) await inboxIds.raise(client, places.groups);
    loaded = readTable(table, line, {
      allowed: contents === null ? table.columns : archivedColumns(table, contents),
      places,
      game_id,
      left_out: is_renumbered ? 'id' : null,
      onRow: is_renumbered ? null : inboxIds.readerOf(line),
    });
    const { statement } = loaded;
    const prepared = new Set<number>();
    copyInto = async (group, text) => {
      if (!prepared.has(group)) await makePartitions(client, table, line);
      prepared.add(group);
      await copyRows(client, statement, text);
    };
  };

  for await (const line of lines) {
    if (Array.isArray(line)) {
      if (loaded === undefined) {
        throw new CommandError(
          'The archive cannot be loaded: it has a row before the first table.',
        );
      }
      const { group, text } = loaded.readRow(line);
      const batch = batches.get(group) ?? { rows: 0, text: '' };
      batches.set(group, batch);
      batch.rows++;
      batch.text += text;
      waiting_characters += text.length;
      if (batch.rows >= MAX_BATCH_ROWS || batch.text.length >= MAX_BATCH_CHARACTERS) {
        await flush(group, batch);
      } else if (waiting_characters >= MAX_WAITING_CHARACTERS) await flushAll();
    } else if ('table' in line) await beginTable(line);
  }
  await flushAll();
  if (game_id === undefined) {
    await inboxIds.raise(client, places.groups);
    for (const table of tables.values()) await raiseSequences(client, table);
  }
  return total;
}

/** Moves the sequences of a table of the installation past the loaded ids. */
async function raiseSequences(client: pg.ClientBase, table: Table) {
  if (table.name === INBOX_TABLE) return;
  for (const { name } of table.columns.filter(({ identity }) => identity)) {
    await client.query(
      `SELECT setval(pg_get_serial_sequence($1, $2), max("${name}")) FROM "${table.name}"
       HAVING max("${name}") IS NOT NULL`,
      [`"${table.name}"`, name],
    );
  }
}

/** Makes a sentence of PostgreSQL's refusal to store a row. Returns other errors as they are. */
function explainRefusal(cause: unknown, table: string): unknown {
  const failure = classifyFailure(cause);
  if (failure !== 'refused_value' && failure !== 'rolled_back') return cause;
  return new CommandError(
    `The archive cannot be loaded, because PostgreSQL refuses a row of the table ${table}: ${(cause as Error).message}.`,
    { cause },
  );
}
