import type { AppOptions, BuiltApp } from './app-interface.ts';
import { mountAccessTokens } from './features/access-tokens/routes.ts';
import { mountAccounts } from './features/accounts/routes.ts';
import { grantCounted } from './features/achievements/grants-to-earners/grant-counted.ts';
import { achievementRewards } from './features/achievements/rewards.ts';
import { mountAchievements } from './features/achievements/routes.ts';
import { mountRecentCalls } from './features/admin/calls/routes.ts';
import { mountAdmin } from './features/admin/routes.ts';
import { mountSizes } from './features/admin/sizes/routes.ts';
import { mountAlerts } from './features/alerts/routes.ts';
import { mountAnnotations } from './features/annotations/routes.ts';
import { mountApiKeys } from './features/api-keys/routes.ts';
import { mountAuditLog } from './features/audit-log/routes.ts';
import { changeStory } from './features/audit-log/story.ts';
import { startBackups } from './features/backups/backups.ts';
import { mountCalendar } from './features/calendar/routes.ts';
import { mountDashboard } from './features/dashboard/routes.ts';
import { mountDashboards } from './features/dashboards/routes.ts';
import { mountDefinitions } from './features/definitions/routes.ts';
import { startEventExport } from './features/event-export/event-export.ts';
import { noteBatches } from './features/event-export/note-batches.ts';
import { pauseIngest } from './features/events/inbox/ingest.ts';
import { mountEvents } from './features/events/routes.ts';
import { createExperiments } from './features/experiments/experiments.ts';
import { forgetDaysOfGame } from './features/experiments/results/day-store.ts';
import { mountExperiments } from './features/experiments/routes.ts';
import { compare, MIN_PLAYERS } from './features/experiments/statistics/comparison.ts';
import { mountGames } from './features/games/routes.ts';
import { mountLeaderboards } from './features/leaderboards/routes.ts';
import { mountInvitations } from './features/members/invitation-routes.ts';
import { mountMembers } from './features/members/member-routes.ts';
import { messageSource } from './features/messages/player-data.ts';
import { mountMessages } from './features/messages/routes.ts';
import { requireKnownRewards } from './features/messages/rewards.ts';
import { sendToPlayers } from './features/messages/send-to-players.ts';
import { messageStory } from './features/messages/story.ts';
import { mountMetrics } from './features/metrics/routes.ts';
import { mountPlayerLogins } from './features/player-logins/routes.ts';
import { mountPlayerVerification } from './features/player-verification/routes.ts';
import { gameChangeSource } from './features/players/game-changes/player-data.ts';
import { gameChangeStory } from './features/players/game-changes/story.ts';
import { mergeSource } from './features/players/merges/player-data.ts';
import { mountPlayers } from './features/players/routes.ts';
import { mountReference } from './features/reference/routes.ts';
import { noticeReleases } from './features/releases/notice-releases.ts';
import { mountReleases } from './features/releases/routes.ts';
import { listReleaseMarks } from './features/releases/store.ts';
import { mountRemoteConfig } from './features/remote-config/routes.ts';
import { findUnmatched } from './features/remote-config/rules.ts';
import { getTraits } from './features/remote-config/store.ts';
import { askRecount } from './features/reports/rollups/rebuild-hold.ts';
import { createRollups } from './features/reports/rollups/rollups.ts';
import { startSealing } from './features/reports/sealed/sealing.ts';
import { forgetDays, unsealLateDays } from './features/reports/sealed/unseal.ts';
import { createDayReader } from './features/reports/metric/watched-days.ts';
import { mountReports } from './features/reports/routes.ts';
import { createSegmentLister } from './features/reports/segment/list-players.ts';
import { readWatchedMetric } from './features/reports/watched-metrics.ts';
import { findBuyers } from './features/revenue-settings/buyers.ts';
import { mountRevenueSettings } from './features/revenue-settings/routes.ts';
import { mountSavedReports } from './features/saved-reports/routes.ts';
import { mountSaves } from './features/saves/routes.ts';
import { mountSaveRestorations } from './features/saves/undo/routes.ts';
import { mountSdkFiles } from './features/sdk-files/routes.ts';
import { mountSdkVersions } from './features/sdk-versions/routes.ts';
import { createSecondStep } from './features/second-factors/login-step.ts';
import { removeSecondFactors } from './features/second-factors/reset.ts';
import { mountSecondFactors } from './features/second-factors/routes.ts';
import { mountShares } from './features/shares/routes.ts';
import { mountStaffLogin } from './features/staff-login/routes.ts';
import { createStatRewards } from './features/stats/rewards.ts';
import { statReaders } from './features/stats/stat-readers.ts';
import { mountStats } from './features/stats/routes.ts';
import { recountStats } from './features/stats/sources/recount.ts';
import { createStatStep } from './features/stats/sources/stat-step.ts';
import { mountStatRestorations } from './features/stats/undo/routes.ts';
import { mountSystem } from './features/system/routes.ts';
import { mountWebhooks } from './features/webhooks/routes.ts';
import { createAuthenticator } from './platform/auth/authenticate.ts';
import { createCalendarSources } from './platform/calendar-sources.ts';
import { systemClock } from './platform/clock.ts';
import { createDatabaseClock } from './platform/database/database-clock.ts';
import { createDefinitionKinds } from './platform/definitions/definition-kind.ts';
import { createDefinitionUses } from './platform/definition-uses.ts';
import { notFound } from './platform/errors.ts';
import { joinIngest, lockIngest } from './platform/ingest-lock.ts';
import type { Api } from './platform/http/api.ts';
import { closeHttpServer } from './platform/http/close-server.ts';
import { createDrain } from './platform/http/drain.ts';
import { logRequests } from './platform/http/request-log.ts';
import { createHttpServer } from './platform/http/server.ts';
import { createRecentRequests } from './platform/metrics/recent-requests.ts';
import { showBacklogs } from './platform/metrics/server-metrics.ts';
import { openedParts } from './platform/opened-parts.ts';
import { openPlatform } from './platform/platform.ts';
import { createChangeTurns, createReadTurns } from './platform/queue/dashboard-turns.ts';
import { createPinnedReports } from './platform/reports/pinned-reports.ts';
import { makeSoleWorkerPool } from './platform/workers/worker-pool.ts';

/**
 * The maximum number of connections that wait to be accepted, which is the default limit of Linux. Past
 * it, Linux drops data of clients that believe they are connected, and these clients wait for seconds.
 */
const LISTEN_BACKLOG = 4_096;

/**
 * Builds all parts of the server. Each feature opens its own parts, mounts its routes and returns what others
 * use, so this function shows the structure of the whole server. If a step fails, the parts that are already
 * open are closed.
 */
export async function buildApp(options: AppOptions): Promise<BuiltApp> {
  const { config, connection, logger, onAnswer, stalled_reader_ms, clock = systemClock } = options;
  const { workerPool = makeSoleWorkerPool(config) } = options;
  // The parts are closed in reverse order: first the server, then the parts that its requests use, then
  // the pools of connections.
  await using stack = new AsyncDisposableStack();
  const opened = openedParts(stack, logger);
  const platform = await openPlatform(opened, { config, connection, logger, clock, workerPool });
  const { database, metrics, notifications, background, outbox, redis } = platform;
  const { public_url } = config;

  const server = createHttpServer(config, logger, { workerPool, onAnswer });
  const countRequests = metrics.observeRequests(server);
  const readRecentRequests = createRecentRequests(countRequests, background, workerPool);
  logRequests(server, logger, config.log_requests);
  const drain = createDrain(server);
  const authenticate = createAuthenticator(platform);
  const api: Api = {
    ...platform,
    server,
    authenticate,
    readTurns: createReadTurns(workerPool.workers),
    changeTurns: createChangeTurns(workerPool.workers),
    uses: createDefinitionUses(),
    definitions: createDefinitionKinds(),
    calendar: createCalendarSources(),
    pinned: createPinnedReports(),
    public_url,
    onAnswer,
    stalled_reader_ms,
  };
  server.onUnknown(async (exchange) => {
    await authenticate(exchange, { access: 'anyone' });
    throw notFound('Route not found');
  });
  mountSystem(api, drain);

  const askSecondStep = createSecondStep({ database, public_url });
  const factors = { askSecondStep, removeSecondFactors };
  const accounts = mountAccounts(api, factors, options.password_wait_ms);
  const { confirmOwner, takeWaiting } = mountStaffLogin(api, accounts.forStaffLogin);
  mountSecondFactors(api, { ...accounts.forSecondFactors, confirmOwner, takeWaiting });
  mountAccessTokens(api, confirmOwner);
  mountGames(api);
  mountMembers(api, mountApiKeys(api).revokeApiKeys);
  mountInvitations(api, accounts.forInvitations);
  mountAuditLog(api);
  mountShares(api);
  mountCalendar(api);
  mountSdkVersions(api);
  mountPlayerVerification(api);
  mountAnnotations(api, listReleaseMarks);
  mountDashboards(api);

  const ingest = { lockIngest, joinIngest, pauseIngest };
  const rollups = opened.add(
    createRollups({
      database,
      background,
      ...ingest,
      forgetKept: forgetDaysOfGame,
      recountStats: async (tx, game_id, which) =>
        grantCounted(tx, game_id, await recountStats(tx, game_id, which)),
    }),
  );
  const webhooks = mountWebhooks(api);
  const achievements = mountAchievements(api, webhooks.listeners, statReaders);
  const events = await mountEvents(api, {
    ingest_steps: [
      noteBatches,
      noticeReleases,
      ...rollups.ingest_steps,
      createStatStep(achievements.watcher),
    ],
    noteProblem: rollups.noteProblem,
    unsealLateDays,
    forgetDays,
  });
  startEventExport(api, lockIngest);
  startSealing(api);
  const { listInboxLags, measureInboxLag, waitForInbox, usage } = events;
  const saves = mountSaves(api);
  const stats = mountStats(api, {
    watcher: achievements.watcher,
    recount: (tx, game_id) => askRecount(tx, game_id, pauseIngest),
  });
  const givers = { achievement: achievementRewards, stat: createStatRewards(stats.changeStats) };
  const leaderboards = mountLeaderboards(api, {
    sendRewards: sendToPlayers,
    requireKnown: (tx, game_id, gifts) => requireKnownRewards(tx, givers, game_id, gifts),
  });
  const player_logins = mountPlayerLogins(api);
  const experiments = opened.add(createExperiments(api));

  // To merge or delete a player, the server calls these sources one after the other, in one transaction. The
  // fourth source locks ingest, so ingest of all games waits from there until the end of the transaction. From
  // the leaderboards on, submits to boards wait too.
  const sources = [
    saves.source,
    messageSource,
    achievements.source,
    rollups.source,
    stats.source,
    ...events.sources,
    ...leaderboards.sources,
    player_logins.source,
    webhooks.source,
    experiments.source,
    gameChangeSource,
    mergeSource,
  ];
  const story = [
    changeStory,
    gameChangeStory,
    player_logins.story,
    leaderboards.story,
    achievements.story,
    messageStory,
    saves.story,
    events.story,
  ];
  const { history } = events;
  const { requireNewLogin } = player_logins;
  const players = mountPlayers(api, { history, sources, story, requireNewLogin, findBuyers });

  const { findSegment } = mountSavedReports(api);
  const { findMetric } = mountMetrics(api);
  const database_clock = options.clock ?? (await createDatabaseClock(database, background));
  mountMessages(api, {
    listeners: webhooks.listeners,
    givers,
    judge: {
      matches: (conditions, traits) =>
        findUnmatched({ ...conditions, value: null }, '', traits) === null,
      getTraits,
    },
    findSegment,
    clock: database_clock,
  });
  const revenue = mountRevenueSettings(api, experiments.requireSameCurrency);
  const { findRevenueSettings, readPayers } = revenue;
  const explorer = mountReports(api, {
    waitForInbox,
    findSegment,
    findRevenueSettings,
    findMetric,
    changeTagOfPlayers: players.changeTagOfPlayers,
    listEventsThisMonth: usage.listEventsThisMonth,
  });
  const segment_services = { database, explorer, waitForInbox, findSegment, findRevenueSettings };
  const segments = { findSegment, listSegment: createSegmentLister(segment_services) };
  mountSaveRestorations(api, segments);
  mountStatRestorations(api, { ...segments, watcher: achievements.watcher });
  mountAlerts(api, {
    readRollups: readWatchedMetric,
    readPayers,
    readDefined: createDayReader({ explorer, findMetric }),
    readConflicts: saves.readConflictPercents,
    forecastQuota: events.forecastQuota,
  });
  const { running, listRunningParameters } = experiments;
  const configs = mountRemoteConfig(api, {
    clock: database_clock,
    experiments: running,
    listRunningParameters,
  });
  mountExperiments(api, {
    running,
    configs,
    waitForInbox,
    findRevenueSettings,
    addUp: (input, asker, timeout_s) => explorer.report('results', input, asker, timeout_s),
  });
  mountReleases(api, {
    waitForInbox,
    findRevenueSettings,
    statistics: { compare, min_players: MIN_PLAYERS },
    count: (input, asker) => explorer.report('release', input, asker),
  });
  mountDefinitions(api, {
    waitForInbox,
    countEffects: (input, asker, timeout_s) => explorer.report('effects', input, asker, timeout_s),
  });
  mountAdmin(api, {
    accounts: accounts.administration,
    usage,
    measureInboxLag,
    open_to_strangers: accounts.is_open_to_strangers,
    readRecentRequests,
    readBackups: (await startBackups(api)).readBackups,
  });
  mountSizes(api);
  mountRecentCalls(api);
  await mountReference(server, public_url);
  mountSdkFiles(server);
  mountDashboard(server, { public_url });

  showBacklogs(metrics, {
    database,
    listInboxLags,
    countWaitingMails: () => outbox.countWaiting(),
    redis,
  });
  opened.onClose(() => closeHttpServer(server));
  await notifications.start();

  const closing = stack.move();
  return {
    routes: server.routes,
    listen() {
      const { host, port } = config;
      return server.listen({
        host,
        port,
        backlog: LISTEN_BACKLOG,
        reusePort: workerPool.workers > 1,
      });
    },
    drain: (duration_ms) => drain.run(duration_ms),
    finishRequests: () => closeHttpServer(server),
    close: () => closing.disposeAsync(),
  };
}
