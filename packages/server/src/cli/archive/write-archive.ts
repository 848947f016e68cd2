import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { KEY_NAME } from '../../platform/auth/sealing.ts';
import { SECRET_NAMES } from '../../platform/auth/jwt-secrets.ts';
import type { Database } from '../../platform/database/database.ts';
import { schemaOf } from '../../platform/database/group-directory.ts';
import { INSTALLATION_TABLES } from '../../platform/database/installation-tables.ts';
import { listMigrations } from '../../platform/database/migrate.ts';
import { RELEASE } from '../../platform/release.ts';
import { CommandError } from '../command.ts';
import type { ArchiveHeader, ArchiveLine, ArchiveRow } from './format.ts';
import { hasColumn, listTables } from './table-catalog.ts';
import type { Table } from './table-catalog.ts';

const ROWS_PER_FETCH = 500;

/** Tables that a game's archive leaves out: they name people, hold keys or hold temporary state. */
const NOT_IN_GAME_ARCHIVES = new Set([
  'alert_changes',
  'alerts',
  'api_keys',
  'audit_log',
  'dashboard_links',
  'event_idempotency_keys',
  'game_deletions',
  'game_members',
  'invitations',
  'player_login_sessions',
  'player_move_codes',
  'time_zone_changes',
  'used_login_tokens',
  'webhook_deliveries',
  'webhooks',
]);

/** Tables that a backup leaves out without secrets: their rows are or hold secrets. */
const SECRET_TABLES = new Set(['player_login_sessions', 'player_move_codes']);

/** Tables that triggers and workers fill from the loaded rows. */
const COMPUTED_TABLES = new Set([
  'game_storage',
  'storage_changes',
  'player_names',
  'player_name_changes',
  'player_name_builds',
]);

/** Columns that a game's archive leaves out: they name accounts, or mean something in this installation alone. */
const LEFT_OUT_COLUMNS = new Set([
  'author',
  'author_email',
  'author_id',
  'created_by',
  'decided_by',
  'sealed_secret',
  'tenant_group',
  'updated_by',
]);

interface WriteArchiveOptions {
  file: string;
  /** Null: the whole installation. */
  game_id: string | null;
  /** The groups of the installation. */
  groups: number;
  /** True if the archive includes the secret that signs tokens. */
  with_secrets: boolean;
  onProgress: (rows: number, table: string) => void;
}

/**
 * Writes an archive as a stream, from one snapshot of the database. The file gets its name when it
 * is complete.
 * @returns the number of rows.
 * @throws CommandError when there is a file of that name.
 */
export async function writeArchive(
  database: Database,
  options: WriteArchiveOptions,
): Promise<number> {
  const { file } = options;
  if (existsSync(file)) throw new CommandError(`${file} is there already: choose another name.`);
  const unfinished = `${file}.unfinished`;
  const client = await database.connect();
  let rows = 0;
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const lines = async function* () {
      for await (const line of readLines(client, options, (count) => (rows = count))) {
        yield `${JSON.stringify(line)}\n`;
      }
    };
    const steps = file.endsWith('.gz') ? [createGzip({ level: 6 })] : [];
    await pipeline([
      Readable.from(lines()),
      ...steps,
      createWriteStream(unfinished, { mode: 0o600, flush: true }),
    ]);
    await rename(unfinished, file);
    return rows;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    client.release(true);
  }
}

async function* readLines(
  client: pg.ClientBase,
  options: WriteArchiveOptions,
  onRows: (count: number) => void,
): AsyncGenerator<ArchiveLine> {
  const { game_id, groups } = options;
  const { rows: applied } = await client.query<{ name: string }>(
    'SELECT name FROM migrations ORDER BY name DESC LIMIT 1',
  );
  const header: ArchiveHeader = {
    overworld: game_id === null ? 'installation' : 'game',
    release: RELEASE,
    migration: applied[0]?.name ?? (await listMigrations())[0]!,
    made_at: new Date().toISOString(),
    ...(groups === 1 ? {} : { groups }),
    ...(game_id === null ? {} : { game_id }),
  };
  yield header;
  let total = 0;
  for await (const { table, group } of visitTables(client, groups)) {
    const condition = conditionFor(table, options);
    if (condition === null) continue;
    const columns = table.columns.filter(
      ({ name, identity }) => game_id === null || !(identity || LEFT_OUT_COLUMNS.has(name)),
    );
    yield {
      table: table.name,
      ...(group === undefined ? {} : { group }),
      columns: columns.map(({ name }) => name),
      partitions: table.partitions,
    };
    const names = columns.map(({ name }) => `"${name}"::text`).join(', ');
    await client.query(
      `DECLARE archived CURSOR FOR SELECT ${names} FROM "${table.name}" WHERE ${condition}`,
    );
    for (;;) {
      const { rows } = await client.query<ArchiveRow>({
        text: `FETCH ${ROWS_PER_FETCH} FROM archived`,
        rowMode: 'array',
      });
      yield* rows;
      total += rows.length;
      onRows(total);
      options.onProgress(total, table.name);
      if (rows.length < ROWS_PER_FETCH) break;
    }
    await client.query('CLOSE archived');
  }
  yield { complete: true, rows: total };
}

/** The tables that the connection sees. Of an installation with groups, those of each group follow. */
async function* visitTables(
  client: pg.ClientBase,
  groups: number,
): AsyncGenerator<{ table: Table; group?: number }> {
  for (const table of await listTables(client)) yield { table };
  if (groups === 1) return;
  for (let group = 0; group < groups; group++) {
    await client.query(`SET LOCAL search_path = ${schemaOf(group)}, public`);
    for (const table of await listTables(client)) {
      if (!INSTALLATION_TABLES.includes(table.name)) yield { table, group };
    }
  }
}

/** SQL, true for the rows of a table that belong in the archive. Null: the table is left out. */
function conditionFor(table: Table, options: WriteArchiveOptions): string | null {
  const { game_id, with_secrets } = options;
  if (COMPUTED_TABLES.has(table.name)) return null;
  if (game_id === null) {
    if (SECRET_TABLES.has(table.name) && !with_secrets) return null;
    if (table.name !== 'installation' || with_secrets) return 'true';
    return `name NOT IN (${[...SECRET_NAMES, KEY_NAME].map((name) => `'${name}'`).join(', ')})`;
  }
  // The command has checked that it is a uuid, so it can stand in the text of a cursor's query.
  if (table.name === 'games') return `id = '${game_id}'`;
  if (!hasColumn(table, 'game_id') || NOT_IN_GAME_ARCHIVES.has(table.name)) return null;
  return `game_id = '${game_id}'`;
}
