import type { BaseLogger } from 'pino';
import { createAccessTokens } from './auth/access-tokens.ts';
import { createKeyDirectory } from './auth/api-keys.ts';
import { createJwtSecretKeeper, SECRET_REFRESH_INTERVAL_MS } from './auth/jwt-secrets.ts';
import { createSessionUses } from './auth/session-uses.ts';
import { createTokens } from './auth/tokens.ts';
import { createBackground } from './background/background.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { ConnectionSettings } from './database/open-database.ts';
import { forEachGroup, roundInterval } from './database/each-group.ts';
import { createNotifications } from './database/notifications.ts';
import { openPools, readGroups } from './database/pools.ts';
import { createNewPlayers, createStorageGuard } from './limits/storage-guard.ts';
import { foldStorageChanges } from './limits/use-store.ts';
import { createMailOutbox } from './mail/outbox.ts';
import { createMailTransport } from './mail/transport.ts';
import { showGroups } from './metrics/group-metrics.ts';
import { createMetrics } from './metrics/metrics.ts';
import { defineCounts, showTasks } from './metrics/server-metrics.ts';
import type { OpenedParts } from './opened-parts.ts';
import { createCallCounts, createSdkCounts, deleteOldCallCounts } from './call-counts.ts';
import { createClaimedPlayers } from './players/claimed-players.ts';
import { createLastSeen } from './players/last-seen.ts';
import { createPlayerTokens } from './players/player-tokens.ts';
import { createPlayerGuard } from './players/own-player.ts';
import { createCounter, createRateLimiter } from './rate-limit/rate-limit.ts';
import { openRedis } from './rate-limit/redis.ts';
import { createShareCounts } from './rate-limit/shares.ts';
import type { WorkerPool } from './workers/worker-pool.ts';

interface PlatformOptions {
  config: Config;
  /** A migrated database. */
  connection: ConnectionSettings;
  logger: BaseLogger;
  clock: Clock;
  /** The workers of the server. This process is one of them. */
  workerPool: WorkerPool;
}

/**
 * Opens the parts that every feature needs, and begins their background work.
 * @param opened Gets each part as soon as it is open, so the caller can close it if a later part fails.
 * @throws when the secret that signs tokens cannot be read from the database.
 */
export async function openPlatform(opened: OpenedParts, options: PlatformOptions) {
  const { config, connection, logger, clock, workerPool } = options;
  const warn = (message: string) => (error: Error) => logger.warn({ err: error }, message);
  const onConnectionLost = warn('database connection lost');

  const { hot, database, reads, inbox } = opened.add(
    openPools(connection, onConnectionLost, workerPool.workers, await readGroups(connection)),
  );
  const redis = await openRedis(config.redis_url, warn('Redis is unavailable'));
  opened.onClose(() => redis?.disconnect());

  opened.add(workerPool.peers);
  const metrics = opened.add(createMetrics(workerPool));
  metrics.observePools({ hot, database, reads, inbox });
  showGroups(metrics, { hot, database, reads, inbox });
  const counts = defineCounts(metrics);
  const notifications = opened.add(
    createNotifications(database, onConnectionLost, workerPool.evictions),
  );
  const keys = opened.add(createKeyDirectory(hot, notifications));
  opened.onClose(() => keys.flushLastUsed());
  const lastSeen = createLastSeen(hot, clock);
  opened.onClose(() => lastSeen.flush());
  const claimed = opened.add(createClaimedPlayers(hot, notifications));
  const callCounts = createCallCounts(hot);
  opened.onClose(() => callCounts.flush());
  const sdkCounts = createSdkCounts(hot);
  opened.onClose(() => sdkCounts.flush());
  const onRefused = counts.rateRefused;
  const limiter = createRateLimiter({
    settings: config,
    counter: createCounter(workerPool.windows, redis),
    onRefused,
  });
  const shares = createShareCounts({
    counter: createCounter(workerPool.player_windows, redis),
    limiter,
    onRefused,
  });
  const guard = createPlayerGuard(claimed, callCounts, shares);
  const newPlayers = createNewPlayers(hot, workerPool.player_windows);
  const storage = opened.add(createStorageGuard(hot, workerPool.reservations, newPlayers));
  const background = opened.add(
    createBackground({
      database,
      notifications,
      logger,
      onFailure: counts.backgroundFailed,
      is_first: workerPool.is_first,
    }),
  );
  const transport = createMailTransport(config, logger);
  const outbox = opened.add(
    createMailOutbox({ database, notifications, transport, logger, sends: workerPool.is_first }),
  );
  background.every(10_000, 'sending mails', async () => outbox.deliverDue());
  showTasks(metrics, database, background);
  const secrets = await createJwtSecretKeeper(database, config);
  const tokens = createTokens(secrets, clock);
  const playerTokens = createPlayerTokens(secrets, clock);
  const sessionUses = createSessionUses(database);
  opened.onClose(() => sessionUses.flush());
  const accessTokens = opened.add(createAccessTokens(database));
  opened.onClose(() => accessTokens.flushLastUsed());

  background.everyHere(1_000, 'writing when players were last seen', () => lastSeen.writeDue());
  background.everyHere(1_000, 'reading the use of storage', () => storage.refresh());
  background.everyHere(1_000, 'counting the new players of networks', () => newPlayers.count());
  background.everyHere(10_000, 'counting calls about players', () => callCounts.flush());
  background.everyHere(10_000, 'counting calls by SDK', () => sdkCounts.flush());
  background.onOneServer(600_000, 'deleting old counts of calls', () =>
    forEachGroup(database.groups, deleteOldCallCounts),
  );
  background.everyHere(10_000, 'writing when API keys were last used', () => keys.flushLastUsed());
  background.everyHere(10_000, 'writing when sessions were last used', () => sessionUses.flush());
  background.everyHere(10_000, 'writing when access tokens were last used', () =>
    accessTokens.flushLastUsed(),
  );
  background.every(roundInterval(1_000, database), 'adding up the use of storage', () =>
    forEachGroup(database.groups, foldStorageChanges),
  );
  background.everyHere(SECRET_REFRESH_INTERVAL_MS, 'reading the secret of tokens', () =>
    secrets.refresh(),
  );

  return {
    opened,
    config,
    connection,
    logger,
    clock,
    workerPool,
    hot,
    database,
    reads,
    inbox,
    redis,
    metrics,
    notifications,
    background,
    outbox,
    keys,
    lastSeen,
    claimed,
    limiter,
    shares,
    guard,
    storage,
    secrets,
    tokens,
    accessTokens,
    playerTokens,
    sessionUses,
    sdkCounts,
  };
}

export type Platform = Awaited<ReturnType<typeof openPlatform>>;
