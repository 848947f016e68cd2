import type { RestorationQuestion } from '@overworld/contract/saves/restorations';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { isSameSave, saveKeyArrays } from '../save-key.ts';
import type { SaveKey } from '../save-key.ts';
import type { KeptVersion } from './judge.ts';

/** The most saves that a step looks at. */
const PAGE_SIZE = 500;

/** The state of a save, as a step of the count reads it. */
export interface CountedSave {
  player_id: string;
  slot: string;
  /** True if it may have bad versions. */
  is_candidate: boolean;
}

/** Reads the saves of the next players. A page has all saves of its players. */
export async function readPage(
  database: Queryable,
  tenant: Tenant,
  { saved_from, slot }: RestorationQuestion,
  after_player_id: string,
): Promise<{ saves: CountedSave[]; is_last: boolean }> {
  const rows = await database.query<CountedSave>(sql`
    SELECT player_id, slot,
           deleted_at IS NULL AND COALESCE(saved_at >= ${saved_from}::timestamptz, true)
             AND COALESCE(slot = ${slot}::text, true) AS is_candidate
    FROM saves
    WHERE ${isOfTenant(tenant)} AND player_id > ${after_player_id}
    ORDER BY player_id, slot
    LIMIT ${PAGE_SIZE}`);
  if (rows.length < PAGE_SIZE) return { saves: rows, is_last: true };
  // The last player may have more saves than are on this page.
  const { player_id } = rows.at(-1)!;
  return { saves: rows.filter((row) => row.player_id !== player_id), is_last: false };
}

/** Lists the kept versions of each save, in order. */
export async function listKept(
  database: Queryable,
  { saved_from, saved_until, app_versions }: RestorationQuestion,
  saves: readonly SaveKey[],
): Promise<KeptVersion[][]> {
  const rows = await database.query<KeptVersion & { number: number }>(sql`
    SELECT number, version, size_bytes, app_version,
           saved_at >= ${saved_from}::timestamptz AND saved_at < ${saved_until}::timestamptz
             AND (${app_versions.length}::integer = 0
                  OR COALESCE(app_version = ANY(${[...app_versions]}::text[]), false)) AS is_asked
    FROM unnest(${saveKeyArrays(saves)}) WITH ORDINALITY
      AS asked (game_id, environment, player_id, slot, number)
    CROSS JOIN LATERAL (
      SELECT version, octet_length(data) AS size_bytes, app_version, saved_at
      FROM save_versions AS kept
      WHERE ${isSameSave(sql`kept`, sql`asked`)}
      UNION ALL
      SELECT version, octet_length(data), app_version, saved_at
      FROM older_save_versions AS kept
      WHERE ${isSameSave(sql`kept`, sql`asked`)}
      OFFSET 0
    ) AS kept
    ORDER BY number, version`);
  const kept = saves.map((): KeptVersion[] => []);
  for (const { number, ...version } of rows) kept[number - 1]!.push(version);
  return kept;
}

/** Lists the bytes of versions of saves; 0 for a version that is not kept. */
export async function listSizes(
  database: Queryable,
  asked: readonly { save: SaveKey; version: number }[],
): Promise<number[]> {
  const rows = await database.query<{ number: number; size_bytes: number }>(sql`
    SELECT number, size_bytes
    FROM unnest(${saveKeyArrays(asked.map(({ save }) => save))},
                ${asked.map(({ version }) => version)}::bigint[]) WITH ORDINALITY
      AS asked (game_id, environment, player_id, slot, version, number)
    CROSS JOIN LATERAL (
      SELECT octet_length(data) AS size_bytes
      FROM save_versions AS kept
      WHERE ${isSameSave(sql`kept`, sql`asked`)} AND kept.version = asked.version
      UNION ALL
      SELECT octet_length(data)
      FROM older_save_versions AS kept
      WHERE ${isSameSave(sql`kept`, sql`asked`)} AND kept.version = asked.version
      OFFSET 0
    ) AS kept`);
  const sizes = new Map(rows.map(({ number, size_bytes }) => [number, size_bytes]));
  return asked.map((_each, index) => sizes.get(index + 1) ?? 0);
}
