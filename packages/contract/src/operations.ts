import * as accounts from './accounts.ts';
import * as achievementDefinitions from './achievement-definitions.ts';
import * as achievements from './achievements.ts';
import * as admin from './admin.ts';
import * as adminKeys from './admin-keys.ts';
import * as analyticsBreakdown from './analytics-breakdown.ts';
import * as analyticsEvents from './analytics-events.ts';
import * as analyticsFunnel from './analytics-funnel.ts';
import * as analyticsOverview from './analytics-overview.ts';
import * as analyticsPlayers from './analytics-players.ts';
import * as analyticsSegment from './analytics-segment.ts';
import * as analyticsSessions from './analytics-sessions.ts';
import * as apiKeys from './api-keys.ts';
import * as auditLog from './audit-log.ts';
import * as eventExport from './event-export.ts';
import * as eventSchemas from './event-schemas.ts';
import * as eventsDashboard from './events-dashboard.ts';
import * as events from './events.ts';
import * as games from './games.ts';
import * as installationSettings from './installation-settings.ts';
import * as invitations from './invitations.ts';
import * as leaderboardEntries from './leaderboard-entries.ts';
import * as leaderboardSettings from './leaderboard-settings.ts';
import * as leaderboards from './leaderboards.ts';
import * as logins from './logins.ts';
import * as members from './members.ts';
import * as passkeys from './passkeys.ts';
import * as passwords from './passwords.ts';
import * as playerAchievements from './player-achievements.ts';
import * as playersDashboard from './players-dashboard.ts';
import * as players from './players.ts';
import * as recoveryCodes from './recovery-codes.ts';
import * as remoteConfigDashboard from './remote-config-dashboard.ts';
import * as remoteConfig from './remote-config.ts';
import * as savedReports from './saved-reports.ts';
import * as saves from './saves.ts';
import * as sessions from './sessions.ts';
import * as secondFactors from './second-factors.ts';
import * as system from './system.ts';
import type { Operation } from './operation.ts';

const MODULES = [
  events,
  eventsDashboard,
  eventExport,
  players,
  playersDashboard,
  saves,
  achievements,
  achievementDefinitions,
  playerAchievements,
  leaderboards,
  leaderboardSettings,
  leaderboardEntries,
  remoteConfig,
  remoteConfigDashboard,
  eventSchemas,
  analyticsOverview,
  analyticsEvents,
  analyticsPlayers,
  analyticsSessions,
  analyticsFunnel,
  analyticsBreakdown,
  analyticsSegment,
  savedReports,
  accounts,
  logins,
  passwords,
  sessions,
  secondFactors,
  passkeys,
  recoveryCodes,
  games,
  apiKeys,
  members,
  invitations,
  auditLog,
  admin,
  adminKeys,
  installationSettings,
  system,
] as const;

/** Every operation of the API, in the order of the reference: each module's exports are its own. */
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
