import type { SuccessOf } from '@overworld/contract/operation';
import type { getPlayerVerification, Verification } from '@overworld/contract/players/verification';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { isOfTenant } from '../../platform/players/player-key.ts';
import type { Tenant } from '../../platform/players/player-key.ts';

export type PlayerVerification = SuccessOf<typeof getPlayerVerification>;

/** The setting with its numbers: 0.2 s for a million players. */
export async function getVerification(
  database: Queryable,
  tenant: Tenant,
): Promise<PlayerVerification> {
  const ofTenant = isOfTenant(tenant);
  const row = await database.queryOne<
    Omit<PlayerVerification, 'last_day'> & PlayerVerification['last_day']
  >(sql`
    SELECT ${tenant.environment}::text AS environment,
           COALESCE((SELECT verification::text FROM verification_settings WHERE ${ofTenant}), 'off')
             AS verification,
           (SELECT count(*) FROM players WHERE ${ofTenant}) AS player_count,
           (SELECT count(DISTINCT player_id) FROM player_identities WHERE ${ofTenant})
             AS claimed_player_count,
           COALESCE(sum(with_token), 0)::bigint AS with_token,
           COALESCE(sum(without_token), 0)::bigint AS without_token
    FROM player_call_counts
    WHERE ${ofTenant} AND hour > now() - interval '24 hours'`);
  const { with_token, without_token, ...setting } = row!;
  return { ...setting, last_day: { with_token, without_token } };
}

/** Stores the setting of an environment. @returns the one before. */
export async function upsertVerification(
  tx: Queryable,
  { game_id, environment }: Tenant,
  verification: Verification,
): Promise<Verification> {
  const row = await tx.queryOne<{ before: Verification }>(sql`
    WITH before AS MATERIALIZED (
      SELECT verification FROM verification_settings
      WHERE ${isOfTenant({ game_id, environment })}
    ), stored AS (
      INSERT INTO verification_settings (game_id, environment, verification)
      VALUES (${game_id}, ${environment}, ${verification})
      ON CONFLICT (game_id, environment) DO UPDATE SET verification = EXCLUDED.verification
    )
    SELECT COALESCE((SELECT verification FROM before), 'off') AS before`);
  return row!.before;
}
