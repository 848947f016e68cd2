import type { Environment } from '@overworld/contract/common';
import { sql } from '../database/sql.ts';
import type { Sql } from '../database/sql.ts';

/** One environment of one game. No statement about players' data reaches beyond one environment. */
export interface Tenant {
  game_id: string;
  environment: Environment;
}

/** The key of one player. The key of every row of a player's data starts with these three columns. */
export interface PlayerKey extends Tenant {
  player_id: string;
}

/** The player whom a call names. */
export interface NamedPlayer extends PlayerKey {
  /**
   * The address of a caller who gives no proof: neither a player token, nor a server key, nor a login at a
   * provider. Absent for other callers.
   */
  readonly stranger_ip?: string;
}

/** Writes an environment as one text, for maps and caches. */
export const nameOfTenant = ({ game_id, environment }: Tenant): string =>
  `${game_id} ${environment}`;

/** Reads an environment from a text that `nameOfTenant` has written. */
export function readTenant(name: string): Tenant {
  const [game_id, environment] = name.split(' ') as [string, Environment];
  return { game_id, environment };
}

/** Writes the key of a player as one text, for maps. No two players have the same text. */
export const nameOfPlayer = ({ game_id, environment, player_id }: PlayerKey): string =>
  `${game_id} ${environment} ${player_id}`;

/** SQL for the keys of players, as the first three arguments of `unnest`. */
export const keyArrays = (players: readonly PlayerKey[]): Sql => sql`
  ${players.map(({ game_id }) => game_id)}::uuid[],
  ${players.map(({ environment }) => environment)}::environment[],
  ${players.map(({ player_id }) => player_id)}::text[]`;

/** SQL that is true for rows of the environment. */
export const isOfTenant = ({ game_id, environment }: Tenant): Sql =>
  sql`game_id = ${game_id} AND environment = ${environment}`;

/** SQL that is true for rows of the player. */
export const isOfPlayer = (player: PlayerKey): Sql =>
  sql`${isOfTenant(player)} AND player_id = ${player.player_id}`;

/** The columns of a player's key, for `rowsAs`. */
export const PLAYER_KEY = {
  game_id: 'uuid',
  environment: 'environment',
  player_id: 'text',
} as const;
