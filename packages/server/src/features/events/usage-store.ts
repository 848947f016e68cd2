import type { Environment } from '@overworld/contract/common';
import type { getUsage as operation } from '@overworld/contract/events/dashboard';
import type { SuccessOf } from '@overworld/contract/operation';
import { TIERS } from '@overworld/contract/tiers';
import type { Tier } from '@overworld/contract/tiers';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { notFound } from '../../platform/errors.ts';

type Usage = Omit<SuccessOf<typeof operation>, 'limits'>;
type MonthUsage = Usage['history'][number];
type KeyUsage = Usage['keys'][number];

/**
 * Returns how many events a game has sent this month and in each of the twelve months before.
 * @throws ApiError 404 when there is no such game.
 */
export async function getUsage(database: Database, game_id: string): Promise<Usage> {
  const months = await listMonths(database, game_id);
  const keys = await listKeyUsage(database, game_id);
  const [current, ...history] = months;
  // If there is no row, the game was deleted after the request was authorised.
  if (current === undefined) throw notFound('Game not found');
  const { month, used, limit } = current;
  const countOf = (environment: Environment) =>
    keys
      .filter((key) => key.environment === environment)
      .reduce((sum, { event_count }) => sum + event_count, 0);
  return {
    month,
    used,
    limit,
    remaining: Math.max(0, limit - used),
    environments: { development: countOf('development'), production: countOf('production') },
    keys,
    history,
  };
}

/**
 * Lists this month and the twelve months before. The limit of this month is that of the current tier of the
 * game.
 */
async function listMonths(database: Database, game_id: string): Promise<MonthUsage[]> {
  const rows = await database.query<{
    month: string;
    used: number | null;
    quota: number | null;
    tier: Tier;
    is_current: boolean;
  }>(sql`
    SELECT to_char(listed.month, 'YYYY-MM') AS month, used, quota, tier,
           listed.month = date_trunc('month', now()) AS is_current
    FROM games
    CROSS JOIN generate_series(date_trunc('month', now()) - interval '12 months',
                               date_trunc('month', now()), interval '1 month') AS listed (month)
    LEFT JOIN event_usage AS usage
      ON usage.game_id = games.id AND usage.month = listed.month::date
    WHERE games.id = ${game_id}
    ORDER BY listed.month DESC`);
  return rows.map(({ month, used, quota, tier, is_current }) => ({
    month,
    used: used ?? 0,
    limit: (is_current ? null : quota) ?? TIERS[tier].event_quota,
  }));
}

/**
 * Lists how many events of this month came with each API key. Events that are not processed yet are not
 * counted.
 */
async function listKeyUsage(database: Database, game_id: string): Promise<KeyUsage[]> {
  return database.query<KeyUsage>(sql`
    SELECT key_id, name, usage.environment, event_count
    FROM event_key_usage AS usage
    LEFT JOIN api_keys ON api_keys.game_id = usage.game_id AND api_keys.id = key_id
    WHERE usage.game_id = ${game_id} AND month = date_trunc('month', now())::date
    ORDER BY event_count DESC, key_id`);
}
