import type {
  createAccessToken,
  listAccessTokens as listOperation,
} from '@overworld/contract/access-tokens/access-tokens';
import { EXPIRED_TOKEN_KEPT_DAYS } from '@overworld/contract/access-tokens/limits';
import type { listGameAccessTokens as listOfGameOperation } from '@overworld/contract/access-tokens/of-game';
import type { BodyOf, Role, SuccessOf } from '@overworld/contract/operation';
import type { Queryable } from '../../platform/database/database.ts';
import { selectCount } from '../../platform/database/select-count.ts';
import { sql } from '../../platform/database/sql.ts';
import { isAfter } from '../../platform/http/page.ts';
import type { PagePosition, PageRange } from '../../platform/http/page.ts';

/** A token as its maker sees it. The token itself is not stored. */
export type AccessToken = SuccessOf<typeof listOperation>['access_tokens'][number];

/** A token as the admins of a game see it. */
type GameAccessToken = SuccessOf<typeof listOfGameOperation>['access_tokens'][number];

const columns = sql`
  access_tokens.id, access_tokens.name, access_tokens.role, prefix, access_tokens.created_at,
  access_tokens.expires_at, access_tokens.last_used_at`;

const gamesOfToken = sql`
  COALESCE((
    SELECT json_agg(json_build_object('game_id', games.id, 'name', games.name) ORDER BY games.name, games.id)
    FROM access_token_games JOIN games ON games.id = game_id
    WHERE token_id = access_tokens.id), '[]') AS games`;

/** True for tokens that reach a game. All others are refused, and will be deleted. */
const reachesGame = sql`
  EXISTS (SELECT FROM access_token_games WHERE token_id = access_tokens.id)`;

/** Lists up to `count` tokens of an account that reach a game, the newest first. */
export async function listAccessTokens(
  database: Queryable,
  account_id: string,
  { after, count }: PageRange,
): Promise<(AccessToken & PagePosition)[]> {
  return database.query<AccessToken & PagePosition>(sql`
    SELECT ${columns}, ${gamesOfToken}, created_at::text AS created
    FROM access_tokens
    WHERE account_id = ${account_id} AND ${reachesGame}
      AND ${isAfter(sql`created_at, id`, 'newest_first', after)}
    ORDER BY created_at DESC, id DESC
    LIMIT ${count}`);
}

/** The tokens of a game that a member sees and revokes: those of one account, or of all if it is null. */
interface GameTokens {
  game_id: string;
  account_id: string | null;
}

const isOneOf = ({ game_id, account_id }: GameTokens) => sql`
  (game_id = ${game_id}
    AND (${account_id}::uuid IS NULL OR access_token_games.account_id = ${account_id}::uuid))`;

/** Lists up to `count` tokens that reach a game, the newest first. */
export async function listTokensOfGame(
  database: Queryable,
  tokens: GameTokens,
  { after, count }: PageRange,
): Promise<(GameAccessToken & PagePosition)[]> {
  return database.query<GameAccessToken & PagePosition>(sql`
    SELECT ${columns}, accounts.id AS account_id, email, access_tokens.created_at::text AS created
    FROM access_token_games
    JOIN access_tokens ON access_tokens.id = token_id
    JOIN accounts ON accounts.id = access_tokens.account_id
    WHERE ${isOneOf(tokens)}
      AND ${isAfter(sql`access_tokens.created_at, access_tokens.id`, 'newest_first', after)}
    ORDER BY access_tokens.created_at DESC, access_tokens.id DESC
    LIMIT ${count}`);
}

/** Counts the tokens of an account that reach a game and have not expired. */
export const countValidTokens = (tx: Queryable, account_id: string): Promise<number> =>
  selectCount(
    tx,
    sql`access_tokens
      WHERE account_id = ${account_id} AND expires_at > now() AND ${reachesGame}`,
  );

/**
 * Lists the account's memberships in these games, by the names of the games. They stay until the transaction
 * ends.
 */
export async function lockMemberships(
  tx: Queryable,
  account_id: string,
  game_ids: readonly string[],
): Promise<{ game_id: string; name: string; role: Role }[]> {
  return tx.query(sql`
    WITH own AS MATERIALIZED (
      SELECT game_id, role FROM game_members
      WHERE account_id = ${account_id} AND game_id = ANY(${[...game_ids]}::uuid[])
      ORDER BY game_id
      FOR SHARE
    )
    SELECT game_id, name, role FROM own JOIN games ON games.id = game_id
    ORDER BY name, game_id`);
}

/** Inserts a token that reaches these games. @returns its id. */
export async function insertAccessToken(
  tx: Queryable,
  account_id: string,
  token: Pick<BodyOf<typeof createAccessToken>, 'name' | 'role'> & {
    prefix: string;
    token_hash: string;
    expires_in_days: number;
    game_ids: readonly string[];
  },
): Promise<string> {
  const row = await tx.queryOne<{ id: string }>(sql`
    INSERT INTO access_tokens (account_id, name, role, prefix, token_hash, expires_at)
    VALUES (${account_id}, ${token.name}, ${token.role}, ${token.prefix}, ${token.token_hash},
            now() + ${token.expires_in_days}::integer * interval '1 day')
    RETURNING id`);
  await tx.execute(sql`
    INSERT INTO access_token_games (game_id, token_id, account_id)
    SELECT game_id, ${row!.id}, ${account_id} FROM unnest(${[...token.game_ids]}::uuid[]) AS game_id`);
  return row!.id;
}

export async function findAccessToken(
  database: Queryable,
  account_id: string,
  token_id: string,
): Promise<AccessToken | null> {
  return database.queryOne<AccessToken>(sql`
    SELECT ${columns}, ${gamesOfToken}
    FROM access_tokens
    WHERE account_id = ${account_id} AND id = ${token_id}`);
}

export async function deleteAccessToken(tx: Queryable, token_id: string): Promise<void> {
  await tx.execute(sql`DELETE FROM access_tokens WHERE id = ${token_id}`);
}

/**
 * Takes a game from a token.
 * @returns the token with its maker's address; null when it is none of these tokens.
 */
export async function deleteGameOfToken(
  tx: Queryable,
  tokens: GameTokens,
  token_id: string,
): Promise<{ name: string; email: string } | null> {
  const deleted = await tx.execute(sql`
    DELETE FROM access_token_games WHERE ${isOneOf(tokens)} AND token_id = ${token_id}`);
  if (deleted === 0) return null;
  return tx.queryOne(sql`
    SELECT name, email FROM access_tokens JOIN accounts ON accounts.id = account_id
    WHERE access_tokens.id = ${token_id}`);
}

/** Deletes tokens that expired long ago, or reach no game any more. */
export async function deleteUselessTokens(database: Queryable): Promise<void> {
  await database.execute(sql`
    DELETE FROM access_tokens
    WHERE now() - expires_at > ${EXPIRED_TOKEN_KEPT_DAYS}::integer * interval '1 day'
      OR NOT ${reachesGame}`);
}
