import type { SuccessOf } from '@overworld/contract/operation';
import type { getPlayerVerification } from '@overworld/contract/players/verification';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { isOfTenant } from '../../platform/players/player-key.ts';
import type { Tenant } from '../../platform/players/player-key.ts';

export type PlayerVerification = SuccessOf<typeof getPlayerVerification>;

/**
 * Reads the settings of player verification, and counts the players and their calls. Takes 0.2 s for a
 * million players.
 */
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
           COALESCE((SELECT allows_claims FROM verification_settings WHERE ${ofTenant}), true)
             AS allows_claims,
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

/** The settings that a request can change. */
export type VerificationSettings = Pick<PlayerVerification, 'verification' | 'allows_claims'>;

/** The settings of an environment in which nobody has changed them. */
export const DEFAULTS: VerificationSettings = { verification: 'off', allows_claims: true };

export async function getSettings(
  database: Queryable,
  tenant: Tenant,
): Promise<VerificationSettings> {
  const found = await database.queryOne<VerificationSettings>(sql`
    SELECT verification, allows_claims FROM verification_settings WHERE ${isOfTenant(tenant)}`);
  return found ?? DEFAULTS;
}

/**
 * Changes settings of an environment. Settings that are missing in `change` keep their values. The caller
 * must have locked the game in this transaction.
 * @returns the settings before the change.
 */
export async function upsertVerification(
  tx: Queryable,
  { game_id, environment }: Tenant,
  change: Partial<VerificationSettings>,
): Promise<VerificationSettings> {
  const before = await getSettings(tx, { game_id, environment });
  const { verification, allows_claims } = { ...before, ...change };
  await tx.execute(sql`
    INSERT INTO verification_settings (game_id, environment, verification, allows_claims)
    VALUES (${game_id}, ${environment}, ${verification}, ${allows_claims})
    ON CONFLICT (game_id, environment) DO UPDATE
    SET verification = EXCLUDED.verification, allows_claims = EXCLUDED.allows_claims`);
  return before;
}
