import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { schemaOf } from '../../platform/database/group-directory.ts';
import { INSTALLATION_TABLES } from '../../platform/database/installation-tables.ts';
import { RELEASE } from '../../platform/release.ts';
import { archivedColumns, conditionFor } from './archived-rows.ts';
import type { ArchiveContents } from './archived-rows.ts';
import { explainFailedWrite, openTarget } from './archive-target.ts';
import type { ArchiveHeader, ArchiveLine, ArchiveRow } from './format.ts';
import { INBOX_TABLE } from './inbox-ids.ts';
import { atOneMoment } from './moment.ts';
import type { Moment } from './moment.ts';
import { listTables } from './table-catalog.ts';
import type { Table } from './table-catalog.ts';

const ROWS_PER_FETCH = 500;

interface WriteArchiveOptions extends ArchiveContents {
  /** The path of the file, or `-` for standard output. */
  file: string;
  onProgress: (rows: number, table: string) => void;
}

/**
 * Writes an archive of the data at one moment, as a stream.
 * @returns the number of rows.
 * @throws CommandError when a file of this name exists, or the archive would mix the data of several moments.
 */
export async function writeArchive(
  database: GroupedDatabase,
  options: WriteArchiveOptions,
): Promise<number> {
  const { file, game_id } = options;
  const groups = database.groups.length === 1 ? [] : await listGroups(database, game_id);
  const target = openTarget(file);
  let rows = 0;
  try {
    await atOneMoment(database, groups, async (moment) => {
      const lines = async function* () {
        const read = readLines(moment, { ...options, groups }, (count) => (rows = count));
        for await (const line of read) yield `${JSON.stringify(line)}\n`;
      };
      const steps = target.is_gzip ? [createGzip({ level: 6 })] : [];
      await pipeline([Readable.from(lines()), ...steps, target.stream]);
    });
    await target.complete();
    return rows;
  } catch (error) {
    await target.discard();
    throw explainFailedWrite(error, file);
  }
}

/**
 * Lists the groups of games whose rows belong in the archive. Called only on an installation with several
 * groups.
 */
async function listGroups(database: GroupedDatabase, game_id: string | null): Promise<number[]> {
  if (game_id === null) return [...database.groups.keys()];
  await database.learnGames([game_id]);
  return [database.groupOf(game_id)];
}

async function* readLines(
  moment: Moment,
  options: WriteArchiveOptions & { groups: readonly number[] },
  onRows: (count: number) => void,
): AsyncGenerator<ArchiveLine> {
  const { game_id, groups } = options;
  const header: ArchiveHeader = {
    overworld: game_id === null ? 'installation' : 'game',
    release: RELEASE,
    migration: moment.migration,
    made_at: new Date().toISOString(),
    ...(game_id !== null ? { game_id } : groups.length === 0 ? {} : { groups: groups.length }),
  };
  yield header;
  let total = 0;
  for await (const { client, table, group } of visitTables(moment, groups)) {
    const condition = conditionFor(table, options);
    if (condition === null) continue;
    const columns = archivedColumns(table, options);
    yield {
      table: table.name,
      ...(group === undefined || game_id !== null ? {} : { group }),
      columns: columns.map(({ name }) => name),
      partitions: table.partitions,
    };
    const known = group === undefined ? null : moment.known_games;
    const game_at = columns.findIndex(({ name }) => name === 'game_id');
    const names = columns.map(({ name }) => `"${name}"::text`).join(', ');
    // The rows of an inbox may get new ids when the archive is loaded. The new ids have the same
    // order as the old ones, because the archive has the rows in the order of the old ids.
    const order = table.name === INBOX_TABLE ? ' ORDER BY id' : '';
    await client.query(
      `DECLARE archived CURSOR FOR SELECT ${names} FROM "${table.name}" WHERE ${condition}${order}`,
    );
    for (;;) {
      const { rows } = await client.query<ArchiveRow>({
        text: `FETCH ${ROWS_PER_FETCH} FROM archived`,
        rowMode: 'array',
      });
      const kept = known === null ? rows : rows.filter((row) => known.has(row[game_at]!));
      yield* kept;
      total += kept.length;
      onRows(total);
      options.onProgress(total, table.name);
      if (rows.length < ROWS_PER_FETCH) break;
    }
    await client.query('CLOSE archived');
  }
  yield { complete: true, rows: total };
}

interface VisitedTable {
  client: pg.ClientBase;
  table: Table;
  /** Undefined for tables of the installation, and if there is only one group. */
  group?: number;
}

/**
 * Visits the tables of the installation, then those of each group. The inboxes come last: when an archive
 * is loaded, their rows can get new ids only after the ids in all other tables are known.
 */
async function* visitTables(
  moment: Moment,
  groups: readonly number[],
): AsyncGenerator<VisitedTable> {
  const { installation } = moment;
  for (const table of await listTables(installation)) yield { client: installation, table };
  const client = moment.groups;
  for (const is_inbox of [false, true]) {
    for (const group of groups) {
      await client.query(`SET LOCAL search_path = ${schemaOf(group)}, public`);
      for (const table of await listTables(client)) {
        if (INSTALLATION_TABLES.includes(table.name)) continue;
        if ((table.name === INBOX_TABLE) === is_inbox) yield { client, table, group };
      }
    }
  }
}
