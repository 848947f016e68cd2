import { MAIN_SLOT, SAVE_HISTORY_DAYS } from '@overworld/contract/saves/limits';
import type { SuccessOf } from '@overworld/contract/operation';
import type { listPlayerSaveSlots } from '@overworld/contract/saves/versions';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { isOfPlayer, keyArrays } from '../../platform/players/player-key.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';

/** A slot with the version, time and size of its last save. */
export type SaveSlot = SuccessOf<typeof listPlayerSaveSlots>['slots'][number];

/** Lists the slots of a player, even deleted ones: first the main slot, then the others by name. */
export function listSlots(database: Queryable, player: PlayerKey): Promise<SaveSlot[]> {
  return database.query<SaveSlot>(sql`
    SELECT slot, version, kept.saved_at AS updated_at, octet_length(data) AS size_bytes, deleted_at
    FROM saves
    JOIN save_versions AS kept USING (game_id, environment, player_id, slot, version)
    WHERE ${isOfPlayer(player)}
    ORDER BY slot <> ${MAIN_SLOT}, slot`);
}

/** The slots of a player, apart from the main slot: their number, and the slots that may be erased. */
interface SlotUse {
  count: number;
  /** The slots that were deleted so long ago that they may be erased, in the order of their deletion. */
  expired_slots: string[];
}

/** Reads the `SlotUse` of each player, in the order of `players`. */
export function listSlotUses(
  database: Queryable,
  players: readonly PlayerKey[],
): Promise<SlotUse[]> {
  return database.query<SlotUse>(sql`
    SELECT count, expired_slots
    FROM unnest(${keyArrays(players)}) WITH ORDINALITY
      AS asked (game_id, environment, player_id, number)
    CROSS JOIN LATERAL (
      SELECT count(*) AS count,
             coalesce(array_agg(slot ORDER BY deleted_at) FILTER (
               WHERE deleted_at < now() - ${SAVE_HISTORY_DAYS}::integer * interval '1 day'
             ), '{}') AS expired_slots
      FROM saves
      WHERE saves.game_id = asked.game_id AND saves.environment = asked.environment
        AND saves.player_id = asked.player_id AND slot <> ${MAIN_SLOT}
    ) AS has
    ORDER BY number`);
}
