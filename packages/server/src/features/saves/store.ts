import { KEPT_SAVE_VERSIONS } from '@overworld/contract/saves/limits';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { isSameSave, saveKeyArrays } from './save-key.ts';
import type { SaveKey } from './save-key.ts';
import { NO_SAVE } from './writes/save-rules.ts';
import type { KnownHead } from './writes/save-rules.ts';

/** A save with its data as text. */
export interface Save {
  version: number;
  data: string;
  updated_at: string;
}

/** A kept version with its data. */
export interface KeptSave extends Save {
  /** The version of the game that saved it; null if it did not say. */
  app_version: string | null;
}

/** Puts each row at the place of its number in a list; numbers begin at 1. A place without a row is null. */
export function inOrder<Row extends object>(
  length: number,
  rows: readonly (Row & { number: number })[],
): (Row | null)[] {
  const ordered = Array.from({ length }, (): Row | null => null);
  for (const row of rows) ordered[row.number - 1] = row;
  return ordered;
}

/** Reads the current version of each save, in the order of `saves`; null where there is no save. */
export async function listSaves(
  database: Queryable,
  saves: readonly SaveKey[],
): Promise<(Save | null)[]> {
  const rows = await database.query<Save & { number: number }>(sql`
    SELECT number, kept.version, data, kept.saved_at AS updated_at
    FROM unnest(${saveKeyArrays(saves)}) WITH ORDINALITY
      AS asked (game_id, environment, player_id, slot, number)
    CROSS JOIN LATERAL (
      SELECT version
      FROM saves
      WHERE ${isSameSave(sql`saves`, sql`asked`)} AND deleted_at IS NULL
      OFFSET 0
    ) AS head
    CROSS JOIN LATERAL (
      SELECT version, data, saved_at
      FROM save_versions AS kept
      WHERE ${isSameSave(sql`kept`, sql`asked`)} 
        AND place = head.version % ${KEPT_SAVE_VERSIONS}
      OFFSET 0
    ) AS kept`);
  return inOrder(saves.length, rows);
}

/**
 * Looks up the state of each save, in the order of `saves`.
 * @param is_measured Whether to look up `kept_bytes` too; otherwise it is 0.
 */
export async function listHeads(
  database: Queryable,
  saves: readonly SaveKey[],
  is_measured: boolean,
): Promise<KnownHead[]> {
  const rows = await database.query<KnownHead & { number: number }>(sql`
    SELECT number, revision, version, is_present, coalesce(CASE WHEN ${is_measured}::boolean THEN (
      SELECT octet_length(data)
      FROM save_versions AS kept
      WHERE ${isSameSave(sql`kept`, sql`asked`)} 
        AND place = head.version % ${KEPT_SAVE_VERSIONS} AND kept.version = head.version
    ) END, 0) AS kept_bytes
    FROM unnest(${saveKeyArrays(saves)}) WITH ORDINALITY
      AS asked (game_id, environment, player_id, slot, number)
    CROSS JOIN LATERAL (
      SELECT revision, version, deleted_at IS NULL AS is_present
      FROM saves
      WHERE ${isSameSave(sql`saves`, sql`asked`)}
      OFFSET 0
    ) AS head`);
  return inOrder(saves.length, rows).map((head) => head ?? NO_SAVE);
}

/** Lists versions of saves, in the order of `asked`; null where a version is no longer kept. */
export async function listVersionsOf(
  database: Queryable,
  asked: readonly { save: SaveKey; version: number }[],
): Promise<(KeptSave | null)[]> {
  const rows = await database.query<KeptSave & { number: number }>(sql`
    SELECT number, kept.version, data, app_version, saved_at AS updated_at
    FROM unnest(${saveKeyArrays(asked.map(({ save }) => save))},
                ${asked.map(({ version }) => version)}::bigint[]) WITH ORDINALITY
      AS asked (game_id, environment, player_id, slot, version, number)
    CROSS JOIN LATERAL (
      SELECT version, data, app_version, saved_at
      FROM save_versions AS kept
      WHERE ${isSameSave(sql`kept`, sql`asked`)} 
        AND place = asked.version % ${KEPT_SAVE_VERSIONS} AND kept.version = asked.version
      UNION ALL
      SELECT version, data, app_version, saved_at
      FROM older_save_versions AS kept
      WHERE ${isSameSave(sql`kept`, sql`asked`)} AND kept.version = asked.version
      OFFSET 0
    ) AS kept`);
  return inOrder(asked.length, rows);
}
