import { sql } from '../database/sql.ts';
import { JsonText } from '../http/implement.ts';

/** A player as the table `players` stores it, without the data that other features store for the player. */
export interface Player {
  player_id: string;
  name: string | null;
  properties: JsonText;
  tags: string[];
  first_seen_at: string;
  last_seen_at: string;
}

/** A player as PostgreSQL returns it for `playerColumns`. */
export type PlayerRow = Omit<Player, 'properties'> & { properties: string };

/** The columns of a player, for a statement on the table `players`. */
export const playerColumns = sql`
  player_id,
  player_name(properties, (SELECT player_name_property FROM games WHERE id = players.game_id)) AS name,
  properties::text, tags, first_seen_at, last_seen_at`;

/**
 * Turns a row into a player. The properties stay the text that PostgreSQL has sent, so numbers stay exact.
 */
export const toPlayer = ({ player_id, name, properties, ...others }: PlayerRow): Player => ({
  player_id,
  name,
  properties: new JsonText(properties),
  ...others,
});
