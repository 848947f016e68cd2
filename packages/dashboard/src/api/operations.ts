import type * as accounts from '@overworld/contract/accounts';
import type * as achievementDefinitions from '@overworld/contract/achievement-definitions';
import type * as achievements from '@overworld/contract/achievements';
import type * as admin from '@overworld/contract/admin';
import type * as adminKeys from '@overworld/contract/admin-keys';
import type * as analyticsBreakdown from '@overworld/contract/analytics-breakdown';
import type * as analyticsEvents from '@overworld/contract/analytics-events';
import type * as analyticsFunnel from '@overworld/contract/analytics-funnel';
import type * as analyticsOverview from '@overworld/contract/analytics-overview';
import type * as analyticsPlayers from '@overworld/contract/analytics-players';
import type * as analyticsSegment from '@overworld/contract/analytics-segment';
import type * as analyticsSessions from '@overworld/contract/analytics-sessions';
import type * as apiKeys from '@overworld/contract/api-keys';
import type * as auditLog from '@overworld/contract/audit-log';
import type * as eventSchemas from '@overworld/contract/event-schemas';
import type * as events from '@overworld/contract/events';
import type * as eventsDashboard from '@overworld/contract/events-dashboard';
import type * as games from '@overworld/contract/games';
import type * as installationSettings from '@overworld/contract/installation-settings';
import type * as invitations from '@overworld/contract/invitations';
import type * as leaderboardEntries from '@overworld/contract/leaderboard-entries';
import type * as leaderboardSettings from '@overworld/contract/leaderboard-settings';
import type * as leaderboards from '@overworld/contract/leaderboards';
import type * as logins from '@overworld/contract/logins';
import type * as members from '@overworld/contract/members';
import type * as passkeys from '@overworld/contract/passkeys';
import type * as passwords from '@overworld/contract/passwords';
import type * as playerAchievements from '@overworld/contract/player-achievements';
import type * as players from '@overworld/contract/players';
import type * as playersDashboard from '@overworld/contract/players-dashboard';
import type * as recoveryCodes from '@overworld/contract/recovery-codes';
import type * as remoteConfig from '@overworld/contract/remote-config';
import type * as remoteConfigDashboard from '@overworld/contract/remote-config-dashboard';
import type * as savedReports from '@overworld/contract/saved-reports';
import type * as saves from '@overworld/contract/saves';
import type * as sessions from '@overworld/contract/sessions';
import type * as secondFactors from '@overworld/contract/second-factors';
import type * as system from '@overworld/contract/system';
import type {
  BodyOf,
  HeadersOf,
  Operation,
  ParamsOf,
  QueryOf,
  SuccessOf,
} from '@overworld/contract/operation';

// Types only: the contract's schemas and their validator stay out of the browser.
type Contract =
  | typeof accounts
  | typeof achievementDefinitions
  | typeof achievements
  | typeof admin
  | typeof adminKeys
  | typeof analyticsBreakdown
  | typeof analyticsEvents
  | typeof analyticsFunnel
  | typeof analyticsOverview
  | typeof analyticsPlayers
  | typeof analyticsSegment
  | typeof analyticsSessions
  | typeof apiKeys
  | typeof auditLog
  | typeof eventSchemas
  | typeof events
  | typeof eventsDashboard
  | typeof games
  | typeof installationSettings
  | typeof invitations
  | typeof leaderboardEntries
  | typeof leaderboardSettings
  | typeof leaderboards
  | typeof logins
  | typeof members
  | typeof passkeys
  | typeof passwords
  | typeof playerAchievements
  | typeof players
  | typeof playersDashboard
  | typeof recoveryCodes
  | typeof remoteConfig
  | typeof remoteConfigDashboard
  | typeof savedReports
  | typeof saves
  | typeof sessions
  | typeof secondFactors
  | typeof system;

type OperationsIn<Module> = Module extends unknown
  ? Extract<Module[keyof Module], Operation>
  : never;

/** The contract's operations by method and path, such as `GET /v1/games/{game_id}`. */
export type Operations = {
  [O in OperationsIn<Contract> as `${O['method']} ${O['path']}`]: O;
};

export type Route = keyof Operations & string;
/** Routes that read. */
export type ReadRoute = Extract<Route, `GET ${string}`>;

/** Lists that are read page by page. */
export type PagedRoute = {
  [R in ReadRoute]: Answer<R> extends { next_cursor: string | null } ? R : never;
}[ReadRoute];

type Part<Name extends string, Value> = undefined extends Value ? unknown : { [N in Name]: Value };

type OptionalPart<Name extends string, Value> = undefined extends Value
  ? unknown
  : { [N in Name]?: Partial<Value> };

/** What a call needs: path parameters, query, headers and body, as the operation states them. */
export type Input<R extends Route> = Part<'params', ParamsOf<Operations[R]>> &
  Part<'body', BodyOf<Operations[R]>> &
  OptionalPart<'query', QueryOf<Operations[R]>> &
  OptionalPart<'headers', HeadersOf<Operations[R]>>;

export type Answer<R extends Route> = SuccessOf<Operations[R]>;
