import { SECRET_NAMES } from '../../../platform/auth/jwt-secrets.ts';
import { KEY_NAME } from '../../../platform/auth/sealing.ts';
import { BACKUP_ROWS } from '../backup-rows.ts';
import { hasColumn } from './table-catalog.ts';
import type { Column, Table } from './table-catalog.ts';

/**
 * Tables that the archive of a game leaves out. Their rows name people, or contain keys or temporary state.
 */
const NOT_IN_GAME_ARCHIVES = new Set([
  'access_token_games',
  'alert_changes',
  'alerts',
  'api_keys',
  'audit_log',
  'dashboard_links',
  'event_export_batches',
  'event_exports',
  'event_idempotency_keys',
  'event_problems',
  'game_deletions',
  'game_members',
  'invitations',
  'leaderboard_submit_keys',
  'player_deletions',
  'player_login_sessions',
  'player_move_codes',
  'restored_saves',
  'restored_stats',
  'save_restorations',
  'stat_request_keys',
  'stat_restorations',
  'time_zone_changes',
  'used_login_tokens',
  'webhook_deliveries',
  'webhooks',
]);

/** Tables that a backup without secrets leaves out, because their rows contain secrets. */
const SECRET_TABLES = new Set(['player_login_sessions', 'player_move_codes']);

/**
 * Tables that no archive contains, because triggers and workers fill them after the other rows are loaded.
 */
const COMPUTED_TABLES = new Set([
  'game_storage',
  'storage_changes',
  'player_names',
  'player_name_changes',
  'player_name_builds',
  'sealed_days',
  'sealed_events',
  'sealed_players',
  'sealed_tenants',
]);

/**
 * Columns that the archive of a game leaves out, because they
 * name accounts or mean nothing in another installation.
 */
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
  /** The game to archive; null for the whole installation. */
  game_id: string | null;
  /** True if the archive includes the secrets of the installation. */
  with_secrets: boolean;
}

/** Lists the columns of a table that belong in the archive. */
export function archivedColumns({ columns }: Table, { game_id }: ArchiveContents): Column[] {
  if (game_id === null) return columns;
  return columns.filter(({ name, identity }) => !identity && !LEFT_OUT_COLUMNS.has(name));
}

/** Makes the SQL condition for the rows that belong in the archive. Returns null if the table is left out. */
export function conditionFor(
  table: Table,
  { game_id, with_secrets }: ArchiveContents,
): string | null {
  if (COMPUTED_TABLES.has(table.name)) return null;
  if (game_id === null) {
    if (SECRET_TABLES.has(table.name) && !with_secrets) return null;
    if (table.name !== 'installation') return 'true';
    const left_out = [...BACKUP_ROWS, ...(with_secrets ? [] : [...SECRET_NAMES, KEY_NAME])];
    return `name NOT IN (${left_out.map((name) => `'${name}'`).join(', ')})`;
  }
  // The id becomes part of a query text, which is safe: the command has checked that it is a UUID.
  if (table.name === 'games') return `id = '${game_id}'`;
  if (!hasColumn(table, 'game_id') || NOT_IN_GAME_ARCHIVES.has(table.name)) return null;
  return `game_id = '${game_id}'`;
}
