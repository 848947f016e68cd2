import type { QueryOf } from '@overworld/contract/operation';
import type { listPlayers, PlayerSort } from '@overworld/contract/players/dashboard';
import type { Database } from '../../../platform/database/database.ts';
import { joinSql, sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { isTimestampText } from '../../../platform/database/timestamp.ts';
import { unavailable } from '../../../platform/errors.ts';
import { decodeCursor } from '../../../platform/http/cursor.ts';
import { cutPage } from '../../../platform/http/page.ts';
import { playerColumns, toPlayer } from '../../../platform/players/player.ts';
import type { Player, PlayerRow } from '../../../platform/players/player.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { readPlayerFilter, toSql } from '../../../platform/property-conditions.ts';
import { readTag } from '../tags.ts';

/**
 * Longest time of a search. A search that matches hardly any player reads them all in the order of
 * the list, a million in about a second.
 */
const SEARCH_TIMEOUT_MS = 5_000;

const QUERY_CANCELED = '57014';

/**
 * A page of the players of a game, in one environment.
 * @throws ApiError 400 when tags, filters or cursor are not valid, 503 when it takes too long.
 */
export async function searchPlayers(
  database: Database,
  game: Tenant,
  query: Omit<QueryOf<typeof listPlayers>, 'environment'>,
  timeout_ms = SEARCH_TIMEOUT_MS,
): Promise<{ players: Player[]; next_cursor: string | null }> {
  const { limit, sort } = query;
  const order = ORDERS[sort];
  const conditions = [
    sql`game_id = ${game.game_id} AND environment = ${game.environment}`,
    ...order.conditions,
    ...readConditions(query),
    ...readPosition(query.cursor, sort, order),
  ];
  const rows = await queryWithin(
    database,
    timeout_ms,
    sql`
      SELECT ${playerColumns}, ${order.position} AS position
      FROM players
      WHERE ${joinSql(conditions, ' AND ')}
      ORDER BY ${order.by}
      LIMIT ${limit + 1}`,
  );
  const { page, next_cursor } = cutPage(rows, limit, (last) => [
    sort,
    last.position,
    last.player_id,
  ]);
  return { players: page.map(({ position: _position, ...row }) => toPlayer(row)), next_cursor };
}

interface Order {
  by: Sql;
  /**
   * A condition that is true of all players. Without it PostgreSQL may not use the index of the
   * order.
   */
  conditions: Sql[];
  /** The sort key of a row besides its id; empty where the id is the whole key. */
  position: Sql;
  isPosition: (text: string) => boolean;
  after: (position: string, player_id: string) => Sql;
}

const orderByTime = (column: Sql): Order => ({
  by: sql`players.${column} DESC, players.player_id DESC`,
  conditions: [sql`players.${column} > '-infinity'`],
  position: sql`players.${column}::text`,
  isPosition: isTimestampText,
  after: (position, player_id) =>
    sql`(players.${column}, players.player_id) < (${position}::timestamptz, ${player_id}::text)`,
});

const ORDERS: Record<PlayerSort, Order> = {
  last_seen_at: orderByTime(sql`last_seen_at`),
  first_seen_at: orderByTime(sql`first_seen_at`),
  player_id: {
    by: sql`players.player_id`,
    conditions: [],
    position: sql`''`,
    isPosition: (text) => text === '',
    after: (_position, player_id) => sql`players.player_id > ${player_id}::text`,
  },
};

function readPosition(cursor: string | undefined, sort: PlayerSort, order: Order): Sql[] {
  const key = decodeCursor(
    cursor,
    ([name, position = '', player_id = '', ...rest]) =>
      name === sort && order.isPosition(position) && player_id !== '' && rest.length === 0,
  );
  return key === null ? [] : [order.after(key[1]!, key[2]!)];
}

function readConditions(query: {
  prefix?: string;
  search?: string;
  tag?: string[];
  filter?: string;
}): Sql[] {
  const { prefix, search, tag, filter } = query;
  return [
    ...(prefix === undefined
      ? []
      : [sql`player_id LIKE ${`${prefix.replaceAll(/[\\%_]/g, '\\$&')}%`}`]),
    ...(search === undefined ? [] : [sql`strpos(lower(player_id), lower(${search}::text)) > 0`]),
    ...(tag === undefined ? [] : [sql`tags @> ${tag.map((sent) => readTag(sent))}::text[]`]),
    ...toSql(readPlayerFilter(filter)),
  ];
}

async function queryWithin(database: Database, timeout_ms: number, statement: Sql) {
  try {
    return await database.transaction(async (tx) => {
      await tx.execute(sql`SELECT set_config('statement_timeout', ${String(timeout_ms)}, true)`);
      return tx.query<PlayerRow & { position: string }>(statement);
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === QUERY_CANCELED) {
      throw unavailable(
        `The search took longer than ${timeout_ms / 1_000} seconds: narrow it, or search by the beginning of the id`,
        error,
      );
    }
    throw error;
  }
}
