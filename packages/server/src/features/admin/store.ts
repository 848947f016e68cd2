import type { AdministeredGame } from '@overworld/contract/administration/accounts';
import type { LimitOverrides } from '@overworld/contract/limits';
import { TIERS } from '@overworld/contract/tiers';
import type { Tier } from '@overworld/contract/tiers';
import type { Actor } from '../../platform/audit.ts';
import type { KeyDirectory } from '../../platform/auth/api-keys.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { joinSql, sql } from '../../platform/database/sql.ts';
import { notFound } from '../../platform/errors.ts';
import { changeKeySettings } from '../../platform/game-change.ts';
import { isUuid } from '../../platform/http/validation.ts';
import type { listKeysMadeBy as listKeysMadeByOperation } from '@overworld/contract/administration/api-keys';
import type { SuccessOf } from '@overworld/contract/operation';
import { IS_VALID_KEY } from '../../platform/auth/api-keys.ts';
import { isAfter } from '../../platform/http/page.ts';
import type { PagePosition, PageRange } from '../../platform/http/page.ts';

/** A game as administrators see it, without its usage. */
export type ListedGame = Omit<AdministeredGame, 'events_this_month'>;

type GameRow = Omit<ListedGame, 'event_quota'>;

const listedGames = sql`
  SELECT id, name, tier, created_at, limit_overrides,
         (SELECT count(*) FROM game_members WHERE game_id = games.id) AS member_count
  FROM games`;

const toListed = (row: GameRow): ListedGame => ({
  ...row,
  event_quota: TIERS[row.tier].event_quota,
});

/** Lists up to `limit` games in the order of their names, after the game with the name and id `after`. */
export async function listGames(
  database: Queryable,
  search: string | undefined,
  page: { limit: number; after: { name: string; id: string } | null },
): Promise<ListedGame[]> {
  const conditions = [sql`true`];
  if (search) {
    conditions.push(sql`
      (position(fold_text(${search}) IN fold_text(name)) > 0 OR id::text = fold_text(${search}))`);
  }
  if (page.after) {
    conditions.push(
      sql`(fold_text(name) COLLATE "C", id) > (fold_text(${page.after.name}), ${page.after.id}::uuid)`,
    );
  }
  const rows = await database.query<GameRow>(sql`
    ${listedGames}
    WHERE ${joinSql(conditions, ' AND ')}
    ORDER BY fold_text(name) COLLATE "C", id
    LIMIT ${page.limit}`);
  return rows.map(toListed);
}

/**
 * Sets the tier of a game. Servers apply the new quota to all keys of the game within a second.
 * @throws ApiError 404 when there is no such game.
 */
export async function setGameTier(
  database: Database,
  keys: Pick<KeyDirectory, 'invalidateGameOnCommit'>,
  actor: Actor,
  game_id: string,
  tier: Tier,
): Promise<ListedGame> {
  if (!isUuid(game_id)) throw notFound('Game not found');
  return changeKeySettings(database, keys, { game_id, actor }, async (tx, record) => {
    const before = await getGame(tx, game_id);
    if (before.tier === tier) return before;
    await tx.execute(sql`UPDATE games SET tier = ${tier} WHERE id = ${game_id}`);
    await record('set_game_tier', game_id, { from: before.tier, to: tier });
    return getGame(tx, game_id);
  });
}

/**
 * Sets the limits of a game that differ from the usual limits. Servers apply them within a second.
 * @throws ApiError 404 when there is no such game.
 */
export async function setGameLimits(
  database: Database,
  keys: Pick<KeyDirectory, 'invalidateGameOnCommit'>,
  actor: Actor,
  game_id: string,
  limit_overrides: LimitOverrides,
): Promise<ListedGame> {
  if (!isUuid(game_id)) throw notFound('Game not found');
  return changeKeySettings(database, keys, { game_id, actor }, async (tx, record) => {
    const { limit_overrides: before } = await getGame(tx, game_id);
    await tx.execute(sql`
      UPDATE games SET limit_overrides = ${JSON.stringify(limit_overrides)}::jsonb
      WHERE id = ${game_id}`);
    await record('set_game_limits', game_id, { from: before, to: limit_overrides });
    return getGame(tx, game_id);
  });
}

async function getGame(database: Queryable, game_id: string): Promise<ListedGame> {
  const game = await database.queryOne<GameRow>(sql`${listedGames} WHERE id = ${game_id}`);
  if (game === null) throw notFound('Game not found');
  return toListed(game);
}

interface InstallationCounts {
  account_count: number;
  game_count: number;
  database_bytes: number;
  postgres_version: string;
  failing_mails: number;
}

/**
 * Counts what the installation has. The players of each group of
 * games are counted up to 100,000; a larger number is estimated.
 */
export async function getCounts(
  database: GroupedDatabase,
): Promise<InstallationCounts & { player_count: number }> {
  const counts = await database.queryOne<InstallationCounts>(sql`
    SELECT (SELECT count(*) FROM accounts) AS account_count,
           (SELECT count(*) FROM games) AS game_count,
           pg_database_size(current_database()) AS database_bytes,
           split_part(current_setting('server_version'), ' ', 1) AS postgres_version,
           (SELECT count(*) FROM mail_outbox WHERE attempts > 1) AS failing_mails`);
  let player_count = 0;
  for (const group of database.groups) player_count += await countPlayers(group);
  return { ...counts!, player_count };
}

async function countPlayers(group: Queryable): Promise<number> {
  const row = await group.queryOne<{ count: number }>(sql`
    SELECT CASE WHEN reltuples > 100000 THEN reltuples::bigint
                ELSE (SELECT count(*) FROM players) END AS count
    FROM pg_class WHERE oid = 'players'::regclass`);
  return row!.count;
}

type MadeKey = SuccessOf<typeof listKeysMadeByOperation>['api_keys'][number];

/** Lists up to `count` valid keys that the account has made in all games, the newest first. */
export async function listKeysMadeBy(
  database: Queryable,
  account_id: string,
  { after, count }: PageRange,
): Promise<(MadeKey & PagePosition)[]> {
  return database.query<MadeKey & PagePosition>(sql`
    SELECT api_keys.id, game_id, games.name AS game_name, api_keys.name, environment,
           api_keys.kind, prefix, last_used_at, api_keys.created_at::text AS created
    FROM api_keys
    JOIN games ON games.id = game_id
    WHERE created_by = ${account_id} AND ${IS_VALID_KEY}
      AND ${isAfter(sql`api_keys.created_at, api_keys.id`, 'newest_first', after)}
    ORDER BY api_keys.created_at DESC, api_keys.id DESC
    LIMIT ${count}`);
}
