import { ENVIRONMENTS } from '@overworld/contract/common';
import type { Queryable } from '../../../platform/database/database.ts';
import type { Definition, DefinitionKind } from '../../../platform/definitions/definition-kind.ts';
import { readKey } from '../../../platform/definitions/keys.ts';
import { badRequest, notFound } from '../../../platform/errors.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { readProvider } from './provider-settings.ts';
import { deleteProvider, listProviders, upsertProvider } from './provider-store.ts';
import type { ProviderSettings } from './provider-store.ts';
import { keepIssuer, requireRoom } from './providers.ts';

/**
 * Login providers as files. Their secrets are not in the files: a provider that an apply makes has none, and
 * refuses logins until an admin enters it.
 */
export function loginProviderKind(
  announce: (tx: Queryable, game_id: string) => Promise<() => void>,
  allow_private: boolean,
): DefinitionKind {
  const store = async (tx: Queryable, tenant: Tenant, provider: string, definition: Definition) => {
    const { settings } = readProvider(provider, definition, allow_private);
    await upsertProvider(tx, tenant, provider, settings, null);
  };
  return {
    name: 'login_provider',
    async list(tx, game_id) {
      const listed = new Map<string, Definition>();
      for (const environment of ENVIRONMENTS) {
        for (const { provider, ...settings } of await listProviders(tx, { game_id, environment })) {
          listed.set(`${environment}/${provider}`, show(settings));
        }
      }
      return listed;
    },
    complete(definition, _exact, key) {
      const { name: provider } = readKey(key);
      const shown = show(readProvider(provider, definition, allow_private).settings);
      const useless = Object.keys(definition).find((name) => !Object.hasOwn(shown, name));
      if (useless !== undefined) throw badRequest(`${useless} is no setting of ${provider}`);
      return shown;
    },
    requireRoom: () => Promise.resolve(),
    // The logins of an issuer are marked before the provider loses it.
    async prepare(database, game_id, { key, after }) {
      const { tenant, provider } = read(game_id, key);
      await keepIssuer(database, tenant, provider, (after?.issuer as string | undefined) ?? null);
    },
    async create({ tx, game_id }, key, definition) {
      const { tenant, provider } = read(game_id, key);
      requireRoom((await listProviders(tx, tenant)).length);
      await store(tx, tenant, provider, definition);
    },
    async update({ tx, game_id }, key, definition) {
      const { tenant, provider } = read(game_id, key);
      if (provider === 'custom' && definition.public_key === undefined) {
        throw badRequest('public_key is required: enter a secret in the dashboard first');
      }
      await store(tx, tenant, provider, definition);
    },
    async delete({ tx, game_id }, key) {
      const { tenant, provider } = read(game_id, key);
      if (!(await deleteProvider(tx, tenant, provider))) {
        throw notFound('Login provider not found');
      }
    },
    roleFor: () => 'admin',
    announce,
  };
}

function read(game_id: string, key: string): { tenant: Tenant; provider: string } {
  const { environment, name } = readKey(key);
  return { tenant: { game_id, environment }, provider: name };
}

/** Picks the settings that a provider has. */
function show(settings: Partial<ProviderSettings>): Definition {
  const { public_key, app_id, identity, issuer, audiences = [], jwks_url } = settings;
  const all = { public_key, app_id, identity, issuer, jwks_url };
  return {
    ...Object.fromEntries(Object.entries(all).filter(([, value]) => (value ?? null) !== null)),
    ...(audiences.length > 0 && { audiences }),
  };
}
