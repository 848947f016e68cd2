import type { AppOptions, BuiltApp } from './app-interface.ts';
import { openServices } from './app-services.ts';
import { createAccounts } from './features/accounts/accounts.ts';
import * as accountAdministration from './features/accounts/administration.ts';
import { deleteOldRecords } from './features/accounts/housekeeping.ts';
import { isOpenToStrangers } from './features/accounts/registration/open-registration.ts';
import { mountAccounts } from './features/accounts/routes.ts';
import { mountAchievements } from './features/achievements/routes.ts';
import { unlockStory } from './features/achievements/story.ts';
import { unlockSource } from './features/achievements/unlock-store.ts';
import { mountAdmin } from './features/admin/routes.ts';
import { mountAlerts } from './features/alerts/routes.ts';
import { mountExplore } from './features/explore/routes.ts';
import { createPlayerSlices } from './features/explore/player-slices.ts';
import { mountAnalytics } from './features/analytics/routes.ts';
import { mountAnnotations } from './features/annotations/routes.ts';
import { revokeApiKeys } from './features/api-keys/api-keys.ts';
import { mountApiKeys } from './features/api-keys/routes.ts';
import { mountAuditLog } from './features/audit-log/routes.ts';
import { changeStory } from './features/audit-log/story.ts';
import { mountDashboard } from './features/dashboard/routes.ts';
import { listCardUses } from './features/dashboards/card-uses.ts';
import { mountDashboards } from './features/dashboards/routes.ts';
import { measureInboxLag } from './features/events/inbox/inbox-lag.ts';
import { mountEvents } from './features/events/routes.ts';
import { eventStory } from './features/events/story.ts';
import { listMetricUses } from './features/experiments/metric-uses.ts';
import { requireSameCurrency } from './features/experiments/revenue.ts';
import { listRunningParameters } from './features/experiments/rules.ts';
import { mountExperiments } from './features/experiments/routes.ts';
import * as eventUsage from './features/events/usage-totals.ts';
import { mountGames } from './features/games/routes.ts';
import { scoreStory } from './features/leaderboards/entries/story.ts';
import { mountLeaderboards } from './features/leaderboards/routes.ts';
import { mountInvitations } from './features/members/invitation-routes.ts';
import { deleteOldInvitations } from './features/members/invitation-store.ts';
import { mountMembers } from './features/members/member-routes.ts';
import { requireNewLogin } from './features/player-logins/new-login.ts';
import { mountPlayerLogins } from './features/player-logins/routes.ts';
import { loginStory } from './features/player-logins/story.ts';
import { mountPlayerVerification } from './features/player-verification/routes.ts';
import { changeTagOfPlayers } from './features/players/writes/tag-many.ts';
import { createPlayerEraser } from './features/players/deletions/player-eraser.ts';
import { gameChangeSource } from './features/players/game-changes/player-data.ts';
import { deleteOldChanges } from './features/players/game-changes/retention.ts';
import { gameChangeStory } from './features/players/game-changes/story.ts';
import { mergeSource } from './features/players/merges/player-data.ts';
import { mountPlayers } from './features/players/routes.ts';
import { mountReference } from './features/reference/routes.ts';
import { mountRemoteConfig } from './features/remote-config/routes.ts';
import { listPurchaseUses } from './features/revenue-settings/purchase-uses.ts';
import { mountRevenueSettings } from './features/revenue-settings/routes.ts';
import { findRevenueSettings } from './features/revenue-settings/store.ts';
import { mountShares } from './features/shares/routes.ts';
import { listReportUses } from './features/saved-reports/report-uses.ts';
import { mountSavedReports } from './features/saved-reports/routes.ts';
import { findSavedQuery } from './features/saved-reports/store.ts';
import { mountSaves } from './features/saves/routes.ts';
import { saveStory } from './features/saves/versions/story.ts';
import { createSaveSource } from './features/saves/versions/version-store.ts';
import { deleteExpiredChallenges } from './features/second-factors/challenge-store.ts';
import { createSecondStep } from './features/second-factors/login-step.ts';
import { removeSecondFactors } from './features/second-factors/reset.ts';
import { mountSecondFactors } from './features/second-factors/routes.ts';
import { mountSdkFiles } from './features/sdk-files/routes.ts';
import { mountSdkVersions } from './features/sdk-versions/routes.ts';
import { mountSystem } from './features/system/routes.ts';
import { mountWebhooks } from './features/webhooks/routes.ts';
import { webhookSource } from './features/webhooks/player-data.ts';
import { createAuthenticator } from './platform/auth/authenticate.ts';
import { systemClock } from './platform/clock.ts';
import { joinUses } from './platform/definition-uses.ts';
import { createDatabaseClock } from './platform/database/database-clock.ts';
import { forEachGroup, roundInterval } from './platform/database/each-group.ts';
import { createDashboardReads } from './platform/queue/dashboard-reads.ts';
import { createPinnedReports } from './platform/reports/pinned-reports.ts';
import { notFound } from './platform/errors.ts';
import type { Api } from './platform/http/api.ts';
import { createDrain } from './platform/http/drain.ts';
import { logRequests } from './platform/http/request-log.ts';
import { closeHttpServer } from './platform/http/close-server.ts';
import { createHttpServer } from './platform/http/server.ts';
import { openedParts } from './platform/opened-parts.ts';
import { createRecentRequests } from './platform/metrics/recent-requests.ts';
import { openPlatform } from './platform/platform.ts';
import { makeSoleCrew } from './platform/workers/crew.ts';

/**
 * The maximum number of connections that wait to be accepted, which is the default limit of Linux. Past
 * it, Linux drops data of clients that believe they are connected, and these clients wait for seconds.
 */
const LISTEN_BACKLOG = 4_096;

/**
 * Builds all parts of the server and mounts each feature. This function shows the structure of the whole
 * server. If a step fails, the parts that are already open are closed.
 */
export async function buildApp(options: AppOptions): Promise<BuiltApp> {
  const { config, connection, logger, onAnswer, stalled_reader_ms, clock = systemClock } = options;
  const { crew = makeSoleCrew(config) } = options;
  // The parts are closed in reverse order: first the server, then the parts that its requests use, then
  // the pools of connections.
  await using stack = new AsyncDisposableStack();
  const opened = openedParts(stack, logger);
  const given = { config, connection, logger, clock, crew };
  const platform = await openPlatform(opened, given);
  const { database, metrics, notifications, background, keys, tokens } = platform;
  const services = await openServices(opened, platform, given);
  const { outbox, analytics, events, listeners, unlocks, leaderboards, players } = services;
  const { history_bytes, saves, save_counts, save_reader, player_logins } = services;
  const { explorer, experiments, readMetric } = services;

  const server = createHttpServer(config, logger, { crew, onAnswer });
  opened.onClose(() => closeHttpServer(server));
  metrics.observeRequests(server);
  const readRecentRequests = createRecentRequests(server, crew);
  logRequests(server, logger, config.log_requests);
  const drain = createDrain(server);
  const authenticate = createAuthenticator(platform);
  const reads = createDashboardReads(crew.workers);
  const { public_url, allow_private_webhooks: allow_private } = config;
  const api: Api = {
    ...platform,
    server,
    authenticate,
    reads,
    outbox,
    pinned: createPinnedReports(),
    public_url,
    onAnswer,
    stalled_reader_ms,
  };

  server.onUnknown(async (exchange) => {
    await authenticate(exchange, { access: 'anyone' });
    throw notFound('Route not found');
  });

  mountSystem(api, { drain, windows: crew.windows, settings: config });
  const sends_mail = config.smtp_url !== null;
  const askSecondStep = createSecondStep({ database, public_url });
  const accounts = createAccounts(
    { database, tokens, askSecondStep, removeSecondFactors, public_url },
    crew,
    options.password_wait_ms,
  );
  const { forInvitations, forSecondFactors } = accounts;
  mountAccounts(api, accounts.services, config);
  mountSecondFactors(api, forSecondFactors, clock);
  mountAdmin(api, {
    accounts: {
      ...accountAdministration,
      makeAccount: (request, body, client) =>
        accountAdministration.makeAccount(
          { ...request, passwords: accounts.services.passwords },
          body,
          client,
          { sends_mail, public_url },
        ),
    },
    usage: eventUsage,
    measureInboxLag,
    rate_limit_ceiling: config.rate_limit_ceiling,
    open_to_strangers: isOpenToStrangers(config),
    sends_mail,
    readRecentRequests,
    database_folder: config.database_url === null ? config.data_dir : null,
  });
  mountGames(api);
  mountApiKeys(api);
  mountSdkVersions(api);
  mountMembers(api, (...change) => revokeApiKeys(keys, ...change));
  mountInvitations(api, { accounts: forInvitations, sends_mail });
  mountAlerts(api, readMetric);
  mountWebhooks(api, listeners, allow_private);
  mountAuditLog(api);
  const listUses = joinUses([listCardUses, listReportUses, listMetricUses, listPurchaseUses]);
  mountEvents(api, events, listUses);
  const { listEventsThisMonth } = eventUsage;
  const { waitForInbox } = events;
  const findSegment = (game_id: string, name: string) =>
    findSavedQuery(database, { game_id, kind: 'segment', name });
  const explore = { database, explorer, waitForInbox, findSegment, findRevenueSettings };
  const slices = createPlayerSlices(explore);
  mountAnalytics(api, { listEventsThisMonth, slices });
  mountExplore(api, { ...explore, changeTagOfPlayers });
  mountRevenueSettings(api, requireSameCurrency);
  mountSavedReports(api, listUses);
  mountAnnotations(api);
  mountDashboards(api);
  mountSaves(api, { saves, save_counts, save_reader, history_bytes });
  mountAchievements(api, unlocks);
  mountLeaderboards(api, leaderboards);
  // To merge or delete a player, the server calls these sources one after the other, in one transaction. The
  // third source locks ingest, so ingest of all games waits from there until the end of the transaction. From
  // the leaderboards on, submits to boards wait too.
  const sources = [
    createSaveSource(history_bytes),
    unlockSource,
    analytics.source,
    ...events.sources,
    ...leaderboards.sources,
    player_logins.source,
    webhookSource,
    experiments.source,
    gameChangeSource,
    mergeSource,
  ];
  const player_eraser = opened.add(
    createPlayerEraser({ database, sources, lastSeen: platform.lastSeen }),
  );
  background.every(roundInterval(1_000, database), 'deleting many players', () =>
    player_eraser.run(),
  );
  const story = [
    changeStory,
    gameChangeStory,
    loginStory,
    scoreStory,
    unlockStory,
    saveStory,
    eventStory,
  ];
  mountPlayers({ ...api, players, history: events, sources, requireNewLogin, story });
  mountPlayerLogins(api, player_logins.services);
  mountPlayerVerification(api);
  mountShares(api, config);
  const { running } = experiments;
  const configs = mountRemoteConfig(api, {
    clock: options.clock ?? (await createDatabaseClock(database, background)),
    experiments: running,
    listHeld: listRunningParameters,
  });
  mountExperiments(api, {
    running,
    configs,
    waitForInbox,
    findRevenueSettings,
    listUses,
    addUp: (input, asker, timeout_s) => explorer.report('experiment', input, asker, timeout_s),
  });
  await mountReference(server, public_url);
  mountSdkFiles(server);
  mountDashboard(server, { public_url });

  const { event_retention_days } = config;
  if (event_retention_days > 0) {
    background.every(21_600_000, 'deleting old changes of players', () =>
      forEachGroup(database.groups, (group) => deleteOldChanges(group, event_retention_days)),
    );
  }
  background.every(600_000, 'forgetting old invitations', () => deleteOldInvitations(database));
  background.every(600_000, 'forgetting old logins and links', () => deleteOldRecords(database));
  background.every(600_000, 'forgetting old second steps', () => deleteExpiredChallenges(database));
  await notifications.start();

  const closing = stack.move();
  return {
    routes: server.routes,
    listen() {
      const { host, port } = config;
      return server.listen({ host, port, backlog: LISTEN_BACKLOG, reusePort: crew.workers > 1 });
    },
    drain: (duration_ms) => drain.run(duration_ms),
    finishRequests: () => closeHttpServer(server),
    close: () => closing.disposeAsync(),
  };
}
