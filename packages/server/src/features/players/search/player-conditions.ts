import type { LackedByPlayers } from '@overworld/contract/players/lacked-by-players';
import { sql } from '../../../platform/database/sql.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { badRequest } from '../../../platform/errors.ts';
import { parseTime } from '../../../platform/iso-time.ts';
import { requireStats } from '../../../platform/players/stat-conditions.ts';
import { readTag } from '../../../platform/players/tags.ts';
import { readPlayerFilter, toSql } from '../../../platform/property-conditions.ts';

/** The conditions of a search for players. `search` needs a look-up of its own; see `find-by-text.ts`. */
export interface PlayerConditions {
  prefix?: string;
  search?: string;
  tag?: string[];
  filter?: string;
  first_seen_from?: string;
  first_seen_before?: string;
  without?: LackedByPlayers[];
  without_achievement?: string;
  /** Not part of a request: only these players. */
  player_ids?: readonly string[];
}

const isOfThisPlayer = (table: Sql): Sql => sql`
  ${table}.game_id = players.game_id AND ${table}.environment = players.environment
  AND ${table}.player_id = players.player_id`;

/** SQL that is true for players who lack a thing. */
const LACKS: Record<LackedByPlayers, Sql> = {
  login: sql`NOT EXISTS (
    SELECT FROM player_identities WHERE ${isOfThisPlayer(sql`player_identities`)})`,
  events: sql`NOT EXISTS (SELECT FROM sessions WHERE ${isOfThisPlayer(sql`sessions`)})`,
  calls: sql`players.counted_at IS NULL`,
};

/**
 * Writes the conditions on the row `players` as SQL, apart from `search`.
 * @throws ApiError 400 when a tag, a filter or a time is not valid.
 */
export function readConditions(conditions: PlayerConditions): Sql[] {
  const { prefix, tag, filter, first_seen_from, first_seen_before, without = [] } = conditions;
  const { without_achievement, player_ids } = conditions;
  return [
    ...(player_ids === undefined ? [] : [sql`players.player_id = ANY(${[...player_ids]}::text[])`]),
    ...(prefix === undefined
      ? []
      : [sql`players.player_id LIKE ${`${prefix.replaceAll(/[\\%_]/g, '\\$&')}%`}`]),
    ...(tag === undefined ? [] : [sql`tags @> ${tag.map((sent) => readTag(sent))}::text[]`]),
    ...toSql(readPlayerFilter(filter)),
    ...(first_seen_from === undefined
      ? []
      : [
          sql`players.first_seen_at >= ${readTime('first_seen_from', first_seen_from)}::timestamptz`,
        ]),
    ...(first_seen_before === undefined
      ? []
      : [
          sql`players.first_seen_at < ${readTime('first_seen_before', first_seen_before)}::timestamptz`,
        ]),
    ...[...new Set(without)].map((lacked) => LACKS[lacked]),
    ...(without_achievement === undefined
      ? []
      : [
          sql`NOT EXISTS (
            SELECT FROM achievement_unlocks WHERE ${isOfThisPlayer(sql`achievement_unlocks`)}
              AND achievement_unlocks.achievement_key = ${without_achievement}::text)`,
        ]),
  ];
}

/** @throws ApiError 400 when a condition is about a statistic that the game lacks. */
export const requireKnownStats = (
  database: Queryable,
  game_id: string,
  { filter }: PlayerConditions,
): Promise<void> => requireStats(database, game_id, readPlayerFilter(filter).filter, 'filter');

const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Writes a time that was sent as answers write times. @throws ApiError 400 that names the parameter. */
export function readTime(name: string, text: string): string {
  const ms = parseTime(text);
  // With its offset, a time of the year 9999 may be in the year 10000.
  if (ms === null || ms < 0 || ms > LATEST_MS) {
    throw badRequest(`${name} must be in the years 1970 to 9999`);
  }
  return new Date(ms).toISOString();
}
