import * as accounts from './accounts/accounts.ts';
import * as achievementDefinitions from './achievements/definitions.ts';
import * as achievements from './achievements/achievements.ts';
import * as admin from './administration/accounts.ts';
import * as adminKeys from './administration/api-keys.ts';
import * as alertHistory from './alerts/alert-history.ts';
import * as alerts from './alerts/alerts.ts';
import * as annotations from './analytics/annotations.ts';
import * as analyticsBreakdown from './analytics/breakdown.ts';
import * as analyticsEvents from './analytics/events.ts';
import * as analyticsFirstDay from './analytics/first-day.ts';
import * as analyticsFunnel from './analytics/funnel.ts';
import * as analyticsOverview from './analytics/overview.ts';
import * as analyticsPaths from './analytics/paths.ts';
import * as analyticsPlayers from './analytics/players.ts';
import * as analyticsRevenue from './analytics/revenue.ts';
import * as revenueSettings from './analytics/revenue-settings.ts';
import * as analyticsSegment from './analytics/segment.ts';
import * as analyticsSegmentTags from './analytics/segment-tags.ts';
import * as analyticsSessions from './analytics/sessions.ts';
import * as analyticsToday from './analytics/today.ts';
import * as analyticsTimeZone from './analytics/time-zone.ts';
import * as apiKeys from './games/api-keys.ts';
import * as auditLog from './games/audit-log.ts';
import * as dashboards from './dashboards/dashboards.ts';
import * as dashboardLinks from './dashboards/links.ts';
import * as eventExport from './events/export.ts';
import * as eventSchemaImpact from './events/schema-impact.ts';
import * as eventSchemas from './events/schemas.ts';
import * as eventsDashboard from './events/dashboard.ts';
import * as events from './events/track.ts';
import * as experimentResults from './remote-config/experiment-results.ts';
import * as experiments from './remote-config/experiments.ts';
import * as games from './games/games.ts';
import * as installationSettings from './administration/settings.ts';
import * as invitations from './games/invitations.ts';
import * as leaderboardBans from './leaderboards/bans.ts';
import * as leaderboardDecisions from './leaderboards/decisions.ts';
import * as leaderboardEntries from './leaderboards/entries.ts';
import * as leaderboardLedger from './leaderboards/ledger.ts';
import * as leaderboardNeighbours from './leaderboards/neighbours.ts';
import * as leaderboardQuarantine from './leaderboards/quarantine.ts';
import * as leaderboardSettings from './leaderboards/settings.ts';
import * as leaderboardTakenOff from './leaderboards/taken-off.ts';
import * as leaderboards from './leaderboards/leaderboards.ts';
import * as logins from './accounts/logins.ts';
import * as members from './games/members.ts';
import * as passkeys from './accounts/passkeys.ts';
import * as passwords from './accounts/passwords.ts';
import * as playerAchievements from './achievements/player.ts';
import * as playerLinks from './players/links.ts';
import * as playerLogins from './players/logins.ts';
import * as playerLoginsDashboard from './players/logins-dashboard.ts';
import * as playerNames from './players/player-names.ts';
import * as playerStory from './players/story.ts';
import * as playerStoryTotals from './players/story-totals.ts';
import * as playerVerification from './players/verification.ts';
import * as playerMerges from './players/merges.ts';
import * as playersDashboard from './players/dashboard.ts';
import * as players from './players/players.ts';
import * as recoveryCodes from './accounts/recovery-codes.ts';
import * as remoteConfigDashboard from './remote-config/dashboard.ts';
import * as remoteConfig from './remote-config/config.ts';
import * as remoteConfigRulePreview from './remote-config/rule-preview.ts';
import * as remoteConfigSchedules from './remote-config/schedules.ts';
import * as savedReports from './analytics/saved-reports.ts';
import * as saves from './saves/saves.ts';
import * as saveVersions from './saves/versions.ts';
import * as sessions from './accounts/sessions.ts';
import * as secondFactors from './accounts/second-factors.ts';
import * as shares from './games/shares.ts';
import * as system from './system.ts';
import * as webhookDeliveries from './webhooks/deliveries.ts';
import * as webhooks from './webhooks/webhooks.ts';
import type { Operation } from './operation.ts';

const MODULES = [
  events,
  eventsDashboard,
  eventExport,
  players,
  playersDashboard,
  playerStory,
  playerStoryTotals,
  playerMerges,
  playerNames,
  playerLogins,
  playerLinks,
  playerLoginsDashboard,
  playerVerification,
  saves,
  saveVersions,
  achievements,
  achievementDefinitions,
  playerAchievements,
  leaderboards,
  leaderboardNeighbours,
  leaderboardQuarantine,
  leaderboardDecisions,
  leaderboardBans,
  leaderboardLedger,
  leaderboardSettings,
  leaderboardTakenOff,
  leaderboardEntries,
  remoteConfig,
  remoteConfigDashboard,
  experimentResults,
  experiments,
  remoteConfigRulePreview,
  remoteConfigSchedules,
  eventSchemas,
  eventSchemaImpact,
  analyticsOverview,
  analyticsToday,
  analyticsEvents,
  analyticsPlayers,
  analyticsSessions,
  analyticsFirstDay,
  analyticsFunnel,
  analyticsBreakdown,
  analyticsSegment,
  analyticsSegmentTags,
  analyticsRevenue,
  analyticsPaths,
  revenueSettings,
  savedReports,
  annotations,
  dashboards,
  dashboardLinks,
  accounts,
  logins,
  passwords,
  sessions,
  secondFactors,
  passkeys,
  recoveryCodes,
  games,
  analyticsTimeZone,
  apiKeys,
  shares,
  members,
  invitations,
  alerts,
  alertHistory,
  webhooks,
  webhookDeliveries,
  auditLog,
  admin,
  adminKeys,
  installationSettings,
  system,
] as const;

/** Every operation of the API, in the order of the reference. */
export const OPERATIONS: readonly Operation[] = MODULES.flatMap((module) =>
  Object.values<unknown>(module).filter(isOperation),
);

/** The operations with their exact types, for clients that are written in TypeScript. */
export type AnyOperation = OperationsIn<(typeof MODULES)[number]>;

type OperationsIn<Module> = Module extends unknown
  ? Extract<Module[keyof Module], Operation>
  : never;

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'id' in value && 'answers' in value;
}
