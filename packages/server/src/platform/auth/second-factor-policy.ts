import type { SecondFactorRequirement } from '@overworld/contract/administration/settings';
import type { Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { ApiError } from '../errors.ts';

/** The row of `installation` that says which accounts must have a second factor. */
const REQUIREMENT = 'require_second_factor';

/** SQL, true for rows of `accounts` that have a second factor. */
export const hasSecondFactor = sql`
  (EXISTS (SELECT FROM totp_factors WHERE totp_factors.account_id = accounts.id)
    OR EXISTS (SELECT FROM passkeys WHERE passkeys.account_id = accounts.id))`;

/** Tells whether an account has a second factor. */
export async function hasFactor(database: Queryable, account_id: string): Promise<boolean> {
  const row = await database.queryOne<{ found: boolean }>(sql`
    SELECT ${hasSecondFactor} AS found FROM accounts WHERE id = ${account_id}`);
  return row?.found === true;
}

/** SQL, true for rows of `accounts` that must have a second factor. */
export const isSecondFactorRequired = sql`
  COALESCE((
    SELECT value = 'everybody' OR (value = 'administrators' AND accounts.is_administrator)
    FROM installation
    WHERE name = ${REQUIREMENT}), false)`;

/** SQL, true for rows of `accounts` that lack the second factor that they must have. */
export const lacksSecondFactor = sql`(${isSecondFactorRequired} AND NOT ${hasSecondFactor})`;

/**
 * Gets the requirement that says which accounts must have a
 * second factor. It is `off` until an administrator decides.
 */
export async function getSecondFactorRequirement(
  database: Queryable,
): Promise<SecondFactorRequirement> {
  const row = await database.queryOne<{ value: SecondFactorRequirement }>(sql`
    SELECT value FROM installation WHERE name = ${REQUIREMENT}`);
  return row?.value ?? 'off';
}

/** Stores the requirement. It takes effect with the next request, because every authentication reads it. */
export async function upsertSecondFactorRequirement(
  tx: Queryable,
  requirement: SecondFactorRequirement,
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO installation (name, value) VALUES (${REQUIREMENT}, ${requirement})
    ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`);
}

/** The 403 error for an account that must have a second factor and has none. */
export const secondFactorSetupRequired = () =>
  new ApiError(
    403,
    'This installation asks for two-factor login: set up a second factor on the page of your account first',
    { code: 'SECOND_FACTOR_SETUP_REQUIRED' },
  );
