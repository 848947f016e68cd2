import type {
  createGame as createGameOperation,
  getGame as getGameOperation,
  updateGame as updateGameOperation,
} from '@overworld/contract/games/games';
import type { BodyOf, Role, SuccessOf } from '@overworld/contract/operation';
import { MAX_FREE_GAMES, TIERS } from '@overworld/contract/tiers';
import { isReached, roleOf } from '../../platform/auth/accounts.ts';
import type { AccountCaller } from '../../platform/auth/accounts.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { isAfter } from '../../platform/http/page.ts';
import type { PagePosition, PageRange } from '../../platform/http/page.ts';

/** A game as one account sees it. */
export type Game = SuccessOf<typeof getGameOperation>;

export type NewGame = BodyOf<typeof createGameOperation> & { time_zone: string };

export type GameChanges = BodyOf<typeof updateGameOperation>;

type GameRow = Omit<Game, 'event_quota'>;

const columns = sql`id, name, time_zone,
  (SELECT json_build_object('time_zone', change.time_zone, 'progress', progress)
   FROM time_zone_changes AS change WHERE change.game_id = games.id) AS time_zone_change,
  tier, event_validation, COALESCE(development_event_validation, event_validation)
    AS development_event_validation,
  player_name_property, forked_from, advanced_days, created_at`;

/**
 * Returns SQL that selects the games of a caller with the account's role in each. For an administrator, it
 * selects all games, with the role owner.
 */
const visibleGames = (account: AccountCaller): Sql =>
  account.is_administrator
    ? sql`SELECT ${columns}, 'owner' AS role FROM games`
    : sql`
        SELECT ${columns}, role
        FROM games
        JOIN (SELECT game_id, role FROM game_members WHERE account_id = ${account.account_id}) AS own
          ON own.game_id = id
        WHERE ${isReached(account, sql`id`)}`;

/** Makes the answer about a game. An access token may have a lower role than its account. */
const toGame = <Row extends GameRow>(account: AccountCaller, row: Row) => ({
  ...row,
  role: roleOf(account, row.role) as Role,
  event_quota: TIERS[row.tier].event_quota,
});

/** Lists up to `count` games that the account may see, the oldest first. */
export async function listGames(
  database: Queryable,
  account: AccountCaller,
  { after, count }: PageRange,
): Promise<(Game & PagePosition)[]> {
  const rows = await database.query<GameRow & PagePosition>(sql`
    SELECT *, created_at::text AS created FROM (${visibleGames(account)}) AS visible
    WHERE ${isAfter(sql`created_at, id`, 'oldest_first', after)}
    ORDER BY created_at, id
    LIMIT ${count}`);
  return rows.map((row) => toGame(account, row));
}

/** @throws ApiError 404 when the game does not exist, or the account is not a member. */
export async function getGame(
  database: Queryable,
  account: AccountCaller,
  game_id: string,
): Promise<Game> {
  const row = await database.queryOne<GameRow>(sql`
    SELECT * FROM (${visibleGames(account)}) AS visible WHERE id = ${game_id}`);
  if (row === null) throw notFound('Game not found');
  return toGame(account, row);
}

/**
 * Counts the games on the Free tier that an account owns. Other transactions that count the games of the same
 * account wait until this transaction ends.
 * @returns the count and the account's limit.
 */
export async function countFreeGames(
  tx: Queryable,
  account_id: string,
): Promise<{ used: number; limit: number }> {
  const account = await tx.queryOne<{ max_free_games: number | null }>(sql`
    SELECT max_free_games FROM accounts WHERE id = ${account_id} FOR NO KEY UPDATE`);
  const row = await tx.queryOne<{ used: number }>(sql`
    SELECT count(*) AS used
    FROM game_members
    JOIN games ON games.id = game_id
    WHERE account_id = ${account_id} AND role = 'owner' AND tier = 'free'`);
  return { used: row!.used, limit: account?.max_free_games ?? MAX_FREE_GAMES };
}

/** Inserts a game with its owner. */
export async function insertGame(
  tx: Queryable,
  game: NewGame & { tenant_group: number },
  owner: AccountCaller,
): Promise<Game> {
  const { name, time_zone, player_name_property = null, tenant_group } = game;
  const row = await tx.queryOne<{ id: string }>(sql`
    INSERT INTO games (name, time_zone, player_name_property, tenant_group)
    VALUES (${name}, ${time_zone}, ${player_name_property}, ${tenant_group}) RETURNING id`);
  const { id } = row!;
  await tx.execute(sql`
    INSERT INTO game_members (game_id, account_id, role)
    VALUES (${id}, ${owner.account_id}, 'owner')`);
  return getGame(tx, owner, id);
}

/** The settings of a game that its files have. */
export type FileSettings = Required<Pick<GameChanges, 'time_zone' | 'player_name_property'>> &
  Required<Pick<GameChanges, 'production_event_validation' | 'development_event_validation'>>;

/** Reads the settings of a game. While its time zone is being changed, the new one counts. */
export async function getFileSettings(database: Queryable, game_id: string): Promise<FileSettings> {
  const row = await database.queryOne<FileSettings>(sql`
    SELECT COALESCE(change.time_zone, games.time_zone) AS time_zone,
           event_validation AS production_event_validation,
           COALESCE(development_event_validation, event_validation)
             AS development_event_validation,
           player_name_property
    FROM games LEFT JOIN time_zone_changes AS change ON change.game_id = games.id
    WHERE games.id = ${game_id}`);
  if (row === null) throw notFound('Game not found');
  return row;
}

export async function updateGame(
  tx: Queryable,
  game_id: string,
  changes: Omit<GameChanges, 'time_zone'>,
): Promise<void> {
  const { name, event_validation, player_name_property } = changes;
  const { production_event_validation = event_validation } = changes;
  const { development_event_validation = event_validation } = changes;
  await tx.execute(sql`
    UPDATE games
    SET name = COALESCE(${name}, name),
        event_validation = COALESCE(${production_event_validation}, event_validation),
        development_event_validation = COALESCE(
          ${development_event_validation}, development_event_validation, event_validation),
        player_name_property = CASE WHEN ${player_name_property === undefined}::boolean
          THEN player_name_property ELSE ${player_name_property} END
    WHERE id = ${game_id}`);
}

/**
 * Stores a request to change the time zone of a game. A background task then changes the time zone and counts
 * all days of the game anew. The caller must hold a lock on the game.
 * @throws ApiError 409 while the game is being changed to another time zone.
 */
export async function requestTimeZone(
  tx: Queryable,
  game_id: string,
  time_zone: string,
): Promise<void> {
  const known = await tx.queryOne<{ current: string; next: string | null }>(sql`
    SELECT games.time_zone AS current, change.time_zone AS next
    FROM games LEFT JOIN time_zone_changes AS change ON change.game_id = games.id
    WHERE games.id = ${game_id}`);
  const { current, next } = known!;
  if (time_zone === (next ?? current)) return;
  if (next !== null) {
    throw conflict(`time_zone is being changed to ${next}: wait until that is complete`);
  }
  await tx.execute(sql`
    INSERT INTO time_zone_changes (game_id, time_zone) VALUES (${game_id}, ${time_zone})`);
}

/**
 * Deletes a game with its members, keys and definitions. A background task erases the other data of the game
 * later.
 */
export async function deleteGame(tx: Queryable, game_id: string): Promise<void> {
  await tx.execute(sql`
    INSERT INTO game_deletions (game_id, tenant_group)
    SELECT id, tenant_group FROM games WHERE id = ${game_id}`);
  await tx.execute(sql`DELETE FROM games WHERE id = ${game_id}`);
}
