import { KEPT_SAVE_VERSIONS } from '@overworld/contract/saves/saves';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { keyArrays } from '../../platform/players/player-key.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import { NO_SAVE } from './save-rules.ts';
import type { KnownHead } from './save-rules.ts';

/** A save with its data as text. */
export interface Save {
  version: number;
  data: string;
  updated_at: string;
}

/** Rows by their number, from 1; null where there is none. */
export function inOrder<Row extends object>(
  length: number,
  rows: readonly (Row & { number: number })[],
): (Row | null)[] {
  const ordered = Array.from({ length }, (): Row | null => null);
  for (const row of rows) ordered[row.number - 1] = row;
  return ordered;
}

/** The saves that games load, in the order asked; null where there is none. */
export async function listSaves(
  database: Queryable,
  players: readonly PlayerKey[],
): Promise<(Save | null)[]> {
  const rows = await database.query<Save & { number: number }>(sql`
    SELECT number, kept.version, data, saved_at AS updated_at
    FROM unnest(${keyArrays(players)}) WITH ORDINALITY
      AS asked (game_id, environment, player_id, number)
    CROSS JOIN LATERAL (
      SELECT version
      FROM saves
      WHERE saves.game_id = asked.game_id AND saves.environment = asked.environment
        AND saves.player_id = asked.player_id AND deleted_at IS NULL
      OFFSET 0
    ) AS head
    CROSS JOIN LATERAL (
      SELECT version, data, saved_at
      FROM save_versions
      WHERE save_versions.game_id = asked.game_id
        AND save_versions.environment = asked.environment
        AND save_versions.player_id = asked.player_id
        AND slot = head.version % ${KEPT_SAVE_VERSIONS}
      OFFSET 0
    ) AS kept`);
  return inOrder(players.length, rows);
}

/**
 * The state of each player's save, in the order asked.
 * @param is_measured Whether to look up `kept_bytes` too; otherwise it is 0.
 */
export async function listHeads(
  database: Queryable,
  players: readonly PlayerKey[],
  is_measured: boolean,
): Promise<KnownHead[]> {
  const rows = await database.query<KnownHead & { number: number }>(sql`
    SELECT number, revision, version, is_present, coalesce(CASE WHEN ${is_measured}::boolean THEN (
      SELECT octet_length(data)
      FROM save_versions AS kept
      WHERE kept.game_id = asked.game_id AND kept.environment = asked.environment
        AND kept.player_id = asked.player_id
        AND slot = head.version % ${KEPT_SAVE_VERSIONS} AND kept.version = head.version
    ) END, 0) AS kept_bytes
    FROM unnest(${keyArrays(players)}) WITH ORDINALITY
      AS asked (game_id, environment, player_id, number)
    CROSS JOIN LATERAL (
      SELECT revision, version, deleted_at IS NULL AS is_present
      FROM saves
      WHERE saves.game_id = asked.game_id AND saves.environment = asked.environment
        AND saves.player_id = asked.player_id
      OFFSET 0
    ) AS head`);
  return inOrder(players.length, rows).map((head) => head ?? NO_SAVE);
}

/** Versions of players' saves, in the order asked; null where one is no longer kept. */
export async function listVersionsOf(
  database: Queryable,
  asked: readonly { player: PlayerKey; version: number }[],
): Promise<(Save | null)[]> {
  const rows = await database.query<Save & { number: number }>(sql`
    SELECT number, kept.version, data, saved_at AS updated_at
    FROM unnest(${keyArrays(asked.map(({ player }) => player))},
                ${asked.map(({ version }) => version)}::bigint[]) WITH ORDINALITY
      AS asked (game_id, environment, player_id, version, number)
    CROSS JOIN LATERAL (
      SELECT version, data, saved_at
      FROM save_versions AS kept
      WHERE kept.game_id = asked.game_id AND kept.environment = asked.environment
        AND kept.player_id = asked.player_id
        AND slot = asked.version % ${KEPT_SAVE_VERSIONS} AND kept.version = asked.version
      OFFSET 0
    ) AS kept`);
  return inOrder(asked.length, rows);
}
