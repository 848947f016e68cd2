import { MAX_COUNTED } from '@overworld/contract/list-total';
import type { ListTotal } from '@overworld/contract/list-total';
import type { QueryOf } from '@overworld/contract/operation';
import type { listPlayers, PlayerSort } from '@overworld/contract/players/dashboard';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { isTimestampText, joinSql, sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { decodeCursor } from '../../../platform/http/cursor.ts';
import { cutPage, readTotal } from '../../../platform/http/page.ts';
import { playerColumns, toPlayer } from '../../../platform/players/player.ts';
import type { Player, PlayerRow } from '../../../platform/players/player.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { listCandidates, matchesText, prepareText } from './find-by-text.ts';
import { readConditions, requireKnownStats } from './player-conditions.ts';
import type { PlayerConditions } from './player-conditions.ts';
import { within } from './search-time.ts';

/** A search by text first reads this many of the newest players. For a common text, enough of them match. */
const NEWEST_PLAYERS = 1_000;

/** The most candidates that are looked up by their ids and sorted. */
const MAX_LOOKED_UP = 3_000;

/** A search for players in one environment. */
export type PlayerQuery = Omit<QueryOf<typeof listPlayers>, 'environment'>;

export interface PlayerPage {
  players: Player[];
  next_cursor: string | null;
  total?: ListTotal;
}

/**
 * Reads a page of the players of a game in one environment.
 * @throws ApiError 400 when tags, filters or cursor are not valid, 503 when the search takes too long.
 */
export async function searchPlayers(
  database: Database,
  game: Tenant,
  query: PlayerQuery & Pick<PlayerConditions, 'player_ids'>,
  timeout_ms?: number,
): Promise<PlayerPage> {
  const { limit, sort } = query;
  const order = ORDERS[sort];
  const of_game = [
    sql`game_id = ${game.game_id} AND environment = ${game.environment}`,
    ...order.conditions,
  ];
  const in_order = [...of_game, ...readPosition(query.cursor, sort, order)];
  const conditions = readConditions(query);
  await requireKnownStats(database, game.game_id, query);
  const selectFrom = (players: Sql, further: readonly Sql[]) => sql`
    SELECT ${playerColumns}, ${order.position} AS position
    FROM ${players}
    WHERE ${joinSql([...in_order, ...conditions, ...further], ' AND ')}
    ORDER BY ${order.by}
    LIMIT ${limit + 1}`;
  const firstOf = (ordered: readonly Sql[], count: number) => sql`
    (SELECT * FROM players WHERE ${joinSql(ordered, ' AND ')}
     ORDER BY ${order.by} LIMIT ${count}) AS players`;

  const search = async (tx: Queryable) => {
    const select = (players: Sql, further: readonly Sql[] = []) =>
      tx.query<PlayerRow & { position: string }>(selectFrom(players, further));
    const answer = async (
      rows: (PlayerRow & { position: string })[],
      further: readonly Sql[] = [],
      counted = firstOf(of_game, MAX_COUNTED + 1),
    ) => {
      const cut = cutPage(rows, limit, (last) => [sort, last.position, last.player_id]);
      const matching = [...of_game, ...conditions, ...further];
      return {
        players: cut.page.map(({ position: _position, ...row }) => toPlayer(row)),
        next_cursor: cut.next_cursor,
        ...(await readTotal(query, cut, () => countPlayers(tx, counted, matching))),
      };
    };
    const players = sql`players`;
    if (query.search === undefined) return answer(await select(players));
    const sought = await prepareText(tx, game, query.search);
    const matches = [matchesText(sought)];
    if (!sought.is_indexed) return answer(await select(players, matches), matches);
    const newest = await select(firstOf(in_order, NEWEST_PLAYERS), matches);
    if (newest.length > limit) return answer(newest, matches);
    const candidates = await listCandidates(tx, game, sought);
    if (candidates === null) return answer(await select(players, matches), matches);
    const is_candidate = sql`player_id = ANY(${candidates.player_ids}::text[])`;
    if (candidates.count > MAX_LOOKED_UP) {
      // With so many candidates, PostgreSQL soon finds a page of
      // them when it reads the players in the order of the list.
      const among = [sql`CASE WHEN ${is_candidate} THEN ${matches[0]!} ELSE false END`];
      const listed = await tx.query<PlayerRow & { position: string }>(sql`
        SELECT ${playerColumns}, ${order.position} AS position
        FROM (
          SELECT player_id AS listed_id, ${order.listed_at} AS listed_at
          FROM players
          WHERE ${joinSql(in_order, ' AND ')} AND CASE WHEN ${is_candidate} THEN true ELSE false END
        ) AS listed
        CROSS JOIN LATERAL (
          SELECT * FROM players
          WHERE game_id = ${game.game_id} AND environment = ${game.environment}
            AND player_id = listed_id
          OFFSET 0
        ) AS players
        WHERE ${joinSql([...conditions, ...matches], ' AND ')}
        ORDER BY ${order.by_listed}
        LIMIT ${limit + 1}`);
      return answer(listed, among);
    }
    // The candidates are in a subquery of their own. Without it,
    // PostgreSQL might read all players in the order of the list.
    const found = sql`(SELECT * FROM players
      WHERE game_id = ${game.game_id} AND environment = ${game.environment}
        AND ${is_candidate}
      OFFSET 0) AS players`;
    return answer(await select(found, matches), matches, found);
  };
  return within(database, search, timeout_ms);
}

/**
 * Counts the players who meet the conditions. Only the first players of the list are checked, because
 * checking all players of a large environment would take a second. If there are further players, the count is
 * not exact.
 */
async function countPlayers(
  tx: Queryable,
  players: Sql,
  conditions: readonly Sql[],
): Promise<ListTotal> {
  const row = await tx.queryOne<{ count: number; looked_at: number }>(sql`
    SELECT count(*) FILTER (WHERE ${joinSql(conditions, ' AND ')}) AS count,
           count(*) AS looked_at
    FROM ${players}`);
  const { count, looked_at } = row!;
  return { count: Math.min(count, MAX_COUNTED), is_exact: looked_at <= MAX_COUNTED };
}

interface Order {
  by: Sql;
  /**
   * `listed_at` is the column by which the list is sorted first; players with the same value are sorted by
   * id. `by_listed` is the ORDER BY for a subquery that names these two columns `listed_at` and `listed_id`.
   */
  listed_at: Sql;
  by_listed: Sql;
  /**
   * Conditions that are true for all players. They make PostgreSQL use the index for this order, which it
   * might not use otherwise.
   */
  conditions: Sql[];
  /** The sort key of a row besides its id; empty where the rows are sorted only by id. */
  position: Sql;
  isPosition: (text: string) => boolean;
  after: (position: string, player_id: string) => Sql;
}

const orderByTime = (column: Sql): Order => ({
  by: sql`players.${column} DESC, players.player_id DESC`,
  listed_at: column,
  by_listed: sql`listed_at DESC, listed_id DESC`,
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
    listed_at: sql`NULL`,
    by_listed: sql`listed_id`,
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
