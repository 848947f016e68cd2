import { ENVIRONMENTS } from '@overworld/contract/common';
import { MAX_LOGIN_PROVIDERS } from '@overworld/contract/players/logins-dashboard';
import type { Actor } from '../../../platform/audit.ts';
import { sealSecret } from '../../../platform/auth/sealing.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { createDefinitionCache } from '../../../platform/definition-cache.ts';
import { changeDefinitions } from '../../../platform/game-change.ts';
import { badRequest, conflict, notFound } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/game-change.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import * as store from './provider-store.ts';
import type { LoginProvider } from './provider-store.ts';
import type { SentProvider } from './provider-settings.ts';

/** When the login providers of an environment change, servers tell each other on this channel. */
const CHANNEL = 'overworld_login_providers';

/** Makes the service that finds and changes the login providers of all games. */
export function createLoginProviders({
  hot,
  notifications,
}: Pick<Platform, 'hot' | 'notifications'>) {
  const cache = createDefinitionCache({
    channel: CHANNEL,
    notifications,
    max_entries: 10_000,
    load: (key) => store.readProviders(hot, tenantOf(key)),
  });

  const change = <T>(database: Database, tenant: Tenant, actor: Actor, work: Work<T>) => {
    const kept = { game_id: tenant.game_id, key: keyOf(tenant), actor };
    return changeDefinitions(database, cache, kept, work);
  };

  return {
    async find(tenant: Tenant, provider: string): Promise<LoginProvider | undefined> {
      const key = keyOf(tenant);
      return (cache.peek(key) ?? (await cache.get(key))).get(provider);
    },
    /**
     * @throws ApiError 400 when a secret or key is missing, 409 when the environment has too many providers.
     */
    async put(
      database: Database,
      tenant: Tenant,
      provider: string,
      { settings, secret }: SentProvider,
      actor: Actor,
    ) {
      await keepIssuer(database, tenant, provider, settings.issuer);
      return change(database, tenant, actor, async (tx, record) => {
        const others = await store.listProviders(tx, tenant);
        const known = others.find((other) => other.provider === provider);
        if (known === undefined) requireRoom(others.length);
        const hasSecret = secret !== null || known?.has_secret === true;
        if (settings.kind === 'custom' && settings.public_key === null && !hasSecret) {
          throw badRequest('secret or public_key is required');
        }
        if (settings.kind === 'steam' && !hasSecret) throw badRequest('web_api_key is required');
        const owner = store.ownerOfSecret(tenant, provider);
        const sealed = secret && (await sealSecret(tx, owner, secret));
        const shown = await store.upsertProvider(tx, tenant, provider, settings, sealed);
        await record('put_login_provider', provider, {
          environment: tenant.environment,
          ...settings,
          secret_changed: secret !== null,
        });
        return shown;
      });
    },
    /**
     * Tells all servers at the commit that providers of a game have changed.
     * @returns a function that must be called after the commit.
     */
    async announce(tx: Queryable, game_id: string): Promise<() => void> {
      const names = ENVIRONMENTS.map((environment) => keyOf({ game_id, environment }));
      for (const name of names) await cache.invalidateOnCommit(tx, name);
      return () => names.forEach((name) => cache.evict(name));
    },
    /** @throws ApiError 404 when there is no such provider. */
    async remove(database: Database, tenant: Tenant, provider: string, actor: Actor) {
      await keepIssuer(database, tenant, provider, null);
      return change(database, tenant, actor, async (tx, record) => {
        if (!(await store.deleteProvider(tx, tenant, provider))) {
          throw notFound('Login provider not found');
        }
        await record('delete_login_provider', provider, { environment: tenant.environment });
      });
    },
  };
}

/** @throws ApiError 409 when an environment has as many providers as it can have. */
export function requireRoom(count: number): void {
  if (count < MAX_LOGIN_PROVIDERS) return;
  throw conflict(
    `A game can have at most ${MAX_LOGIN_PROVIDERS} login providers: remove one first`,
  );
}

/** Keeps the logins of a provider's issuer for that issuer, before the provider's name loses it. */
export async function keepIssuer(
  database: Queryable,
  tenant: Tenant,
  provider: string,
  next: string | null,
): Promise<void> {
  const known = await store.listProviders(database, tenant);
  const issuer = known.find((other) => other.provider === provider)?.issuer ?? null;
  if (issuer === null || issuer === next) return;
  await store.writeIssuer(database, tenant, provider, issuer);
}

const keyOf = ({ game_id, environment }: Tenant) => `${environment} ${game_id}`;

function tenantOf(key: string): Tenant {
  const [environment, game_id] = key.split(' ') as [Tenant['environment'], string];
  return { game_id, environment };
}
