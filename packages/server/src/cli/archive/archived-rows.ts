import { SECRET_NAMES } from '../../platform/auth/jwt-secrets.ts';
import { KEY_NAME } from '../../platform/auth/sealing.ts';
import { hasColumn } from './table-catalog.ts';
import type { Column, Table } from './table-catalog.ts';

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

/** Tables that a backup without secrets leaves out, because their rows are or hold secrets. */
const SECRET_TABLES = new Set(['player_login_sessions', 'player_move_codes']);

/** Tables that triggers and workers fill from the loaded rows. */
const COMPUTED_TABLES = new Set([
  'game_storage',
  'storage_changes',
  'player_names',
  'player_name_changes',
  'player_name_builds',
]);

/** Columns that a game's archive leaves out: they name accounts, or mean nothing in other installations. */
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

/** The part of an installation that an archive contains. */
export interface ArchiveContents {
  /** Null: the whole installation. */
  game_id: string | null;
  /** True if the archive includes the secrets of the installation. */
  with_secrets: boolean;
}

/** Lists the columns of a table that belong in the archive. */
export function archivedColumns({ columns }: Table, { game_id }: ArchiveContents): Column[] {
  if (game_id === null) return columns;
  return columns.filter(({ name, identity }) => !identity && !LEFT_OUT_COLUMNS.has(name));
}

/** Makes the SQL condition for the rows that belong in the archive; null to leave the table out. */
export function conditionFor(
  table: Table,
  { game_id, with_secrets }: ArchiveContents,
): string | null {
  if (COMPUTED_TABLES.has(table.name)) return null;
  if (game_id === null) {
    if (SECRET_TABLES.has(table.name) && !with_secrets) return null;
    if (table.name !== 'installation' || with_secrets) return 'true';
    return `name NOT IN (${[...SECRET_NAMES, KEY_NAME].map((name) => `'${name}'`).join(', ')})`;
  }
  // The command has checked that the id is a uuid, so the id may be part of a cursor's query text.
  if (table.name === 'games') return `id = '${game_id}'`;
  if (!hasColumn(table, 'game_id') || NOT_IN_GAME_ARCHIVES.has(table.name)) return null;
  return `game_id = '${game_id}'`;
}
