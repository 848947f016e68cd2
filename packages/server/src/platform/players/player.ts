import { sql } from '../database/sql.ts';
import { JsonText } from '../http/implement.ts';

/** A row of the table of players, without the data of other features. */
export interface Player {
  player_id: string;
  properties: JsonText;
  tags: string[];
  first_seen_at: string;
  last_seen_at: string;
}

/** A player as PostgreSQL answers `playerColumns`. */
export type PlayerRow = Omit<Player, 'properties'> & { properties: string };

export const playerColumns = sql`player_id, properties::text, tags, first_seen_at, last_seen_at`;

export const toPlayer = ({ player_id, properties, ...others }: PlayerRow): Player => ({
  player_id,
  properties: new JsonText(properties),
  ...others,
});
