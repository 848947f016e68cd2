import { sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { isOfPlayer, keyArrays, nameOfPlayer } from '../../platform/players/player-key.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';

/** The key of one save. A player has one save in each slot. */
export interface SaveKey extends PlayerKey {
  slot: string;
}

/** The key of a save as one text, for maps. Each save has another text. */
export const nameOfSave = (save: SaveKey): string => `${nameOfPlayer(save)}\0${save.slot}`;

/** SQL, the keys of saves as the first four arguments of `unnest`. */
export const saveKeyArrays = (saves: readonly SaveKey[]): Sql => sql`
  ${keyArrays(saves)}, ${saves.map(({ slot }) => slot)}::text[]`;

/** SQL, true for rows of the save. */
export const isOfSave = (save: SaveKey): Sql => sql`${isOfPlayer(save)} AND slot = ${save.slot}`;

/** SQL, true where a row of the first table and one of the second are of the same save. */
export const isSameSave = (first: Sql, second: Sql): Sql => sql`
  ${first}.game_id = ${second}.game_id AND ${first}.environment = ${second}.environment
  AND ${first}.player_id = ${second}.player_id AND ${first}.slot = ${second}.slot`;
