import type { AppOptions } from './app-interface.ts';
import { createUnlockWriter } from './features/achievements/unlock-writer.ts';
import { startChecks } from './features/alerts/checks.ts';
import { createMetrics } from './features/alerts/metrics.ts';
import { createAnalytics } from './features/analytics/analytics.ts';
import { readWatchedMetric } from './features/analytics/reports/watched-metrics.ts';
import { createEvents } from './features/events/events.ts';
import { joinIngest, lockIngest, pauseIngest } from './features/events/inbox/ingest.ts';
import { forecastQuotaPercent } from './features/events/quota.ts';
import { createExperiments } from './features/experiments/experiments.ts';
import { forgetDaysOfGame } from './features/experiments/results/day-store.ts';
import { createExplorer } from './features/explore/thread/explorer.ts';
import { createGameEraser } from './features/games/game-eraser.ts';
import { createLeaderboards } from './features/leaderboards/leaderboards.ts';
import { createPlayerLogins } from './features/player-logins/player-logins.ts';
import { createNameIndex } from './features/players/search/name-index.ts';
import { createPlayerWriter } from './features/players/writes/player-writer.ts';
import { readPayers } from './features/revenue-settings/payers.ts';
import { readConflictPercents, createSaveCounts } from './features/saves/save-counts.ts';
import { createSaveReader } from './features/saves/save-reader.ts';
import { createSaveWriter } from './features/saves/writes/save-writer.ts';
import { startSending } from './features/webhooks/sending.ts';
import type { Clock } from './platform/clock.ts';
import { roundInterval } from './platform/database/each-group.ts';
import { createMailOutbox } from './platform/mail/outbox.ts';
import { createMailTransport } from './platform/mail/transport.ts';
import { showBacklogs } from './platform/metrics/server-metrics.ts';
import type { OpenedParts } from './platform/opened-parts.ts';
import type { Platform } from './platform/platform.ts';
import { createListeners, isAnyListening } from './platform/webhooks/listeners.ts';
import type { Crew } from './platform/workers/crew.ts';

interface ServiceOptions extends Pick<AppOptions, 'config' | 'connection' | 'logger'> {
  clock: Clock;
  crew: Crew;
}

/**
 * Opens the services of features: the writers, readers and copies that outlive a request, and their
 * background work. `app.ts` passes them to the routes.
 * @param opened Gets each opened service, to close it even if a later service cannot be opened.
 */
export async function openServices(
  opened: OpenedParts,
  platform: Platform,
  { config, connection, logger, clock, crew }: ServiceOptions,
) {
  const { hot, database, inbox, redis, metrics, counts, notifications, background } = platform;
  const { storage, guard } = platform;

  const transport = createMailTransport(config, logger);
  const outbox = opened.add(
    createMailOutbox({ database, notifications, transport, logger, sends: crew.is_first }),
  );
  background.every(10_000, 'sending mails', async () => outbox.deliverDue());
  const eraser = opened.add(createGameEraser(database));
  background.every(1_000, 'erasing deleted games', () => eraser.run());
  const forgetKept = forgetDaysOfGame;
  const analytics = opened.add(
    createAnalytics({ database, background, lockIngest, joinIngest, pauseIngest, forgetKept }),
  );
  const events = opened.add(
    await createEvents({
      hot,
      database,
      inbox,
      notifications,
      guard,
      background,
      crew,
      logger,
      retention_days: config.event_retention_days,
      ingest_steps: analytics.ingest_steps,
      onProblem: analytics.noteProblem,
      observer: counts.tracking,
    }),
  );
  showBacklogs(metrics, {
    database,
    listInboxLags: () => events.listInboxLags(),
    countWaitingMails: () => outbox.countWaiting(),
    redis,
  });
  const history_bytes = config.save_history_kb * 1024;
  const saves = opened.add(createSaveWriter(hot, history_bytes));
  const save_counts = opened.add(createSaveCounts(database, background));
  const save_reader = opened.add(createSaveReader(hot));
  const listeners = createListeners(hot, notifications);
  const unlocks = opened.add(
    createUnlockWriter(hot, (games) => isAnyListening(listeners, games, 'achievement.unlocked')),
  );
  const allow_private = config.allow_private_webhooks;
  opened.add(startSending({ database, listeners, logger, background, metrics, allow_private }));
  const max_copy_bytes = (config.leaderboard_memory_mb * 1024 * 1024) / crew.workers;
  const leaderboards = opened.add(
    createLeaderboards({ hot, database, clock, crew, max_copy_bytes }),
  );
  background.everyHere(10_000, 'trimming the log of boards', () => leaderboards.trimChanges());
  background.every(roundInterval(10_000, database), 'announcing ends of seasons', () =>
    leaderboards.announceSeasonEnds(),
  );
  background.every(600_000, 'trimming ledgers of boards', () => leaderboards.deleteOld());
  const players = opened.add(createPlayerWriter(hot));
  const name_index = opened.add(createNameIndex(database));
  background.every(roundInterval(1_000, database), 'reading names of players', () =>
    name_index.run(),
  );
  const player_logins = opened.add(createPlayerLogins({ ...platform, crew, settings: config }));
  const explorer = opened.add(
    createExplorer(connection, { crew, group_count: database.groups.length }),
  );
  const experiments = opened.add(createExperiments({ hot, notifications, storage }));

  const readMetric = createMetrics({
    readRollups: readWatchedMetric,
    readPayers,
    readConflicts: readConflictPercents,
    forecastQuota: forecastQuotaPercent,
  });
  startChecks({ database, background, logger, metrics, readMetric });

  return {
    outbox,
    analytics,
    events,
    history_bytes,
    saves,
    save_counts,
    save_reader,
    listeners,
    unlocks,
    leaderboards,
    players,
    player_logins,
    explorer,
    experiments,
    readMetric,
  };
}
