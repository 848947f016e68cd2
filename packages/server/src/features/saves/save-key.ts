import { sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { isOfPlayer, keyArrays, nameOfPlayer } from '../../platform/players/player-key.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';

/** The key of one save. A player has one save in each slot. */
export interface SaveKey extends PlayerKey {
  slot: string;
}

/** The key of a save as a text, for use in maps. No two saves have the same text. */
export const nameOfSave = (save: SaveKey): string => `${nameOfPlayer(save)}\0${save.slot}`;

/**
 * SQL for the first four arguments of `unnest`: arrays with the games, environments, players and slots of
 * saves.
 */
export const saveKeyArrays = (saves: readonly SaveKey[]): Sql => sql`
  ${keyArrays(saves)}, ${saves.map(({ slot }) => slot)}::text[]`;

/** SQL that is true for rows that belong to the save. */
export const isOfSave = (save: SaveKey): Sql => sql`${isOfPlayer(save)} AND slot = ${save.slot}`;

/** SQL that is true if a row of the first table and a row of the second table belong to the same save. */
export const isSameSave = (first: Sql, second: Sql): Sql => sql`
  ${first}.game_id = ${second}.game_id AND ${first}.environment = ${second}.environment
  AND ${first}.player_id = ${second}.player_id AND ${first}.slot = ${second}.slot`;
