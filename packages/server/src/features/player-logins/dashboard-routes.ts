import * as contract from '@overworld/contract/players/logins-dashboard';
import { insertAuditEntry } from '../../platform/audit.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { retryDeadlocks } from '../../platform/database/retry-deadlocks.ts';
import { notFound } from '../../platform/errors.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import { requirePlayer } from '../../platform/players/player-lock.ts';
import type { PlayerLoginServices } from './player-logins.ts';
import { deleteIdentity, listIdentities, lockIdentities } from './links/link-store.ts';
import { readProvider } from './providers/provider-settings.ts';
import { listProviders } from './providers/provider-store.ts';

/** Mounts the dashboard's operations for login providers and for the logins of a player. */
export function mountDashboardRoutes(api: Api, services: PlayerLoginServices): void {
  const { claimed } = api;
  const { providers, allow_private_issuers } = services;

  implement(api, contract.listLoginProviders, async ({ params, query, database }) => ({
    login_providers: await listProviders(database, { ...params, ...query }),
    next_cursor: null,
  }));

  implement(api, contract.putLoginProvider, async ({ params, query, body, actor, database }) => {
    const { game_id, provider } = params;
    const sent = readProvider(provider, body, allow_private_issuers);
    return providers.put(database, { game_id, ...query }, provider, sent, actor);
  });

  implement(api, contract.deleteLoginProvider, ({ params, query, actor, database }) =>
    providers.remove(database, { game_id: params.game_id, ...query }, params.provider, actor),
  );

  implement(api, contract.listPlayerLogins, async ({ params, query, database }) => {
    const player = { ...params, ...query };
    const identities = await listIdentities(database, player);
    if (identities.length === 0) await requirePlayer(database, player);
    return {
      logins: identities.map(({ provider, subject, created_at }) => ({
        provider,
        subject,
        created_at,
      })),
      next_cursor: null,
    };
  });

  implement(api, contract.removePlayerLogin, async ({ params, query, actor, database }) => {
    const { environment, provider, subject } = query;
    const player = { ...params, environment };
    const removeOnce = async (tx: Queryable) => {
      await lockIdentities(tx, player);
      if (!(await deleteIdentity(tx, player, { provider, subject }))) {
        throw notFound('Login not found');
      }
      await claimed.forgetOnCommit(tx, player);
      await insertAuditEntry(
        tx,
        { actor, game_id: params.game_id },
        'remove_player_login',
        params.player_id,
        { environment, player_id: params.player_id, provider, subject },
      );
    };
    await retryDeadlocks(() => database.transaction(removeOnce));
  });
}
