import { forEachGroup } from '../../platform/database/each-group.ts';
import { createProviderCalls } from '../../platform/login-providers/provider-calls.ts';
import type { Platform } from '../../platform/platform.ts';
import { createMoveCodes } from './links/move-codes.ts';
import { createLoginWriter } from './login-writer.ts';
import { createLoginSource, deleteExpired } from './player-data.ts';
import { createProver } from './providers/credentials.ts';
import { createOidcProver } from './providers/oidc.ts';
import { createLoginProviders } from './providers/providers.ts';
import { proveSteam } from './providers/steam.ts';
import { createRefresher } from './sessions/refresher.ts';
import { createWrongSecrets } from './wrong-secrets.ts';
import { createFairQueue } from '../../platform/queue/fair-queue.ts';
import type { FairQueue } from '../../platform/queue/fair-queue.ts';

/** Builds the services of player logins. */
export function createPlayerLogins(
  services: Pick<
    Platform,
    'hot' | 'database' | 'notifications' | 'background' | 'claimed' | 'workerPool' | 'config'
  >,
) {
  const { hot, database, notifications, background, workerPool, claimed, config } = services;
  const { steam_api_url, allow_private_issuers } = config;
  const logins = createLoginWriter(hot);
  const refresher = createRefresher(hot);
  const providers = createLoginProviders({ hot, notifications });
  // Steam's URL may lead to a private address, because the operator has chosen it. The URLs of issuers
  // are chosen by the games.
  const steam_calls = createProviderCalls(true);
  const prover = createProver({
    findProvider: providers.find,
    proveSteam: (...login) => proveSteam(steam_calls, steam_api_url, ...login),
    proveOidc: createOidcProver(createProviderCalls(allow_private_issuers)),
  });
  background.onOneServer(600_000, 'forgetting old logins of players', () =>
    forEachGroup(database.groups, deleteExpired),
  );
  return {
    services: {
      logins,
      refresher,
      providers,
      prover,
      codes: createMoveCodes(hot),
      wrongSecrets: createWrongSecrets(workerPool.windows),
      /** The queue of transactions that change logins. */
      changes: createLoginChanges(),
      /** True if issuers may be in a private network, and need no TLS. */
      allow_private_issuers,
    },
    source: createLoginSource(claimed),
    async close() {
      await Promise.all([logins.close(), refresher.close()]);
    },
  };
}

export type PlayerLoginServices = ReturnType<typeof createPlayerLogins>['services'];

/**
 * Makes the queue for transactions that change logins. Such a transaction may have to wait until its
 * player is unlocked. While it waits, it holds a database connection, which the calls of all games need.
 * The queue serves the networks in turn, within a network the API keys, and for each API key the games.
 */
const createLoginChanges = (): FairQueue =>
  createFairQueue({
    name: 'login_changes',
    slots: 2,
    max_waiting: 400,
    deadline_ms: 5_000,
    limits: [
      { max_running: 1, max_waiting: 100 },
      { max_running: 1, max_waiting: 100 },
      { max_running: 1, max_waiting: 100 },
    ],
    refusal: 'Too many players are changing their logins, try again in a few seconds',
  });
