import type { Environment } from '@overworld/contract/common';
import type { putLoginProvider } from '@overworld/contract/players/logins-dashboard';
import type { SuccessOf } from '@overworld/contract/operation';
import { openSecret } from '../../../platform/auth/sealing.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';

/** A provider as the dashboard shows it. */
export type ShownProvider = SuccessOf<typeof putLoginProvider>;

/** The settings of a provider that are not secret. */
export type ProviderSettings = Omit<ShownProvider, 'provider' | 'has_secret' | 'updated_at'>;

/** A provider with its secret, as a login needs it. */
export interface LoginProvider extends ProviderSettings {
  provider: string;
  /** The secret of `custom` and `steam`; null without a secret, or if it cannot be decrypted any more. */
  secret: string | null;
}

interface Row {
  provider: string;
  settings: ProviderSettings;
  sealed_secret: string | null;
  updated_at: string;
}

const toShown = ({ provider, settings, sealed_secret, updated_at }: Row): ShownProvider => ({
  provider,
  ...settings,
  has_secret: sealed_secret !== null,
  updated_at,
});

const columns = sql`provider, settings, sealed_secret, updated_at`;

/**
 * Returns a text that names the owner of a provider's secret. The secret is encrypted together with this
 * text, and can be decrypted only with it. So a secret that is copied into the row of another provider cannot
 * be used.
 */
export const ownerOfSecret = (
  { game_id, environment }: { game_id: string; environment: Environment },
  provider: string,
): string => `${game_id} ${environment} ${provider}`;

export async function listProviders(database: Queryable, tenant: Tenant): Promise<ShownProvider[]> {
  const rows = await database.query<Row>(sql`
    SELECT ${columns} FROM login_providers WHERE ${isOfTenant(tenant)} ORDER BY provider`);
  return rows.map(toShown);
}

/** Reads all providers of an environment with their secrets. The map's key is the provider's name. */
export async function readProviders(
  database: Queryable,
  tenant: Tenant,
): Promise<Map<string, LoginProvider>> {
  const rows = await database.query<Row>(sql`
    SELECT ${columns} FROM login_providers WHERE ${isOfTenant(tenant)}`);
  const providers = new Map<string, LoginProvider>();
  for (const { provider, settings, sealed_secret } of rows) {
    const owner = ownerOfSecret(tenant, provider);
    const secret = sealed_secret && (await openSecret(database, owner, sealed_secret));
    providers.set(provider, { provider, ...settings, secret });
  }
  return providers;
}

/**
 * Stores a provider. If `sealed_secret` is null, the stored secret stays. But if the provider gets a
 * public key, this key replaces the secret.
 */
export async function upsertProvider(
  tx: Queryable,
  { game_id, environment }: Tenant,
  provider: string,
  settings: ProviderSettings,
  sealed_secret: string | null,
): Promise<ShownProvider> {
  const kept =
    settings.public_key === null
      ? sql`COALESCE(EXCLUDED.sealed_secret, stored.sealed_secret)`
      : sql`NULL`;
  const row = await tx.queryOne<Row>(sql`
    INSERT INTO login_providers AS stored (game_id, environment, provider, settings, sealed_secret)
    VALUES (${game_id}, ${environment}, ${provider}, ${JSON.stringify(settings)}, ${sealed_secret})
    ON CONFLICT (game_id, environment, provider) DO UPDATE
    SET settings = EXCLUDED.settings, updated_at = EXCLUDED.updated_at,
        sealed_secret = ${kept}
    RETURNING ${columns}`);
  return toShown(row!);
}

/**
 * Writes the issuer into those identities of a provider that carry none, because an earlier release stored
 * them. Call this before the provider's name loses its issuer.
 */
export async function writeIssuer(
  group: Queryable,
  tenant: Tenant,
  provider: string,
  issuer: string,
): Promise<void> {
  await group.execute(sql`
    UPDATE player_identities SET issuer = ${issuer}
    WHERE ${isOfTenant(tenant)} AND provider = ${provider} AND issuer = ''`);
}

/** Deletes a provider. @returns true if it existed. */
export const deleteProvider = async (
  tx: Queryable,
  tenant: Tenant,
  provider: string,
): Promise<boolean> =>
  (await tx.execute(sql`
    DELETE FROM login_providers WHERE ${isOfTenant(tenant)} AND provider = ${provider}`)) > 0;
