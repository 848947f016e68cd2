import type { Operation } from './operation.ts';

/** The files that declare operations, in the order of the API reference. */
const MODULES = await Promise.all([
  import('./events/track.ts'),
  import('./events/dashboard.ts'),
  import('./events/export.ts'),
  import('./players/players.ts'),
  import('./players/own-data.ts'),
  import('./players/dashboard.ts'),
  import('./players/story.ts'),
  import('./players/story-totals.ts'),
  import('./players/merges.ts'),
  import('./players/player-deletions.ts'),
  import('./players/player-names.ts'),
  import('./players/logins.ts'),
  import('./players/links.ts'),
  import('./players/verified-player.ts'),
  import('./players/logins-dashboard.ts'),
  import('./players/verification.ts'),
  import('./saves/saves.ts'),
  import('./saves/versions.ts'),
  import('./stats/stats.ts'),
  import('./stats/definitions.ts'),
  import('./stats/player.ts'),
  import('./achievements/achievements.ts'),
  import('./achievements/definitions.ts'),
  import('./achievements/player.ts'),
  import('./messages/messages.ts'),
  import('./messages/sending.ts'),
  import('./leaderboards/leaderboards.ts'),
  import('./leaderboards/neighbours.ts'),
  import('./leaderboards/quarantine.ts'),
  import('./leaderboards/decisions.ts'),
  import('./leaderboards/bans.ts'),
  import('./leaderboards/ledger.ts'),
  import('./leaderboards/settings.ts'),
  import('./leaderboards/taken-off.ts'),
  import('./leaderboards/entries.ts'),
  import('./remote-config/config.ts'),
  import('./remote-config/dashboard.ts'),
  import('./remote-config/experiment-results.ts'),
  import('./remote-config/experiments.ts'),
  import('./remote-config/rule-preview.ts'),
  import('./remote-config/schedules.ts'),
  import('./events/schemas.ts'),
  import('./events/schema-impact.ts'),
  import('./analytics/overview.ts'),
  import('./analytics/today.ts'),
  import('./analytics/events.ts'),
  import('./analytics/players.ts'),
  import('./analytics/sessions.ts'),
  import('./analytics/first-day.ts'),
  import('./analytics/funnel.ts'),
  import('./analytics/breakdown.ts'),
  import('./analytics/segment.ts'),
  import('./analytics/segment-tags.ts'),
  import('./analytics/revenue.ts'),
  import('./analytics/paths.ts'),
  import('./analytics/revenue-settings.ts'),
  import('./analytics/saved-reports.ts'),
  import('./analytics/annotations.ts'),
  import('./dashboards/dashboards.ts'),
  import('./dashboards/links.ts'),
  import('./accounts/accounts.ts'),
  import('./accounts/identity.ts'),
  import('./accounts/login-links.ts'),
  import('./accounts/logins.ts'),
  import('./accounts/passwords.ts'),
  import('./accounts/sessions.ts'),
  import('./accounts/second-factors.ts'),
  import('./accounts/passkeys.ts'),
  import('./accounts/recovery-codes.ts'),
  import('./games/games.ts'),
  import('./analytics/time-zone.ts'),
  import('./games/api-keys.ts'),
  import('./access-tokens/access-tokens.ts'),
  import('./access-tokens/of-game.ts'),
  import('./games/shares.ts'),
  import('./games/sdk-versions.ts'),
  import('./games/members.ts'),
  import('./games/invitations.ts'),
  import('./alerts/alerts.ts'),
  import('./alerts/alert-history.ts'),
  import('./webhooks/webhooks.ts'),
  import('./webhooks/deliveries.ts'),
  import('./definitions/definitions.ts'),
  import('./definitions/copies.ts'),
  import('./definitions/trials.ts'),
  import('./games/audit-log.ts'),
  import('./administration/accounts.ts'),
  import('./administration/api-keys.ts'),
  import('./administration/calls.ts'),
  import('./administration/settings.ts'),
  import('./administration/sdk-versions.ts'),
  import('./administration/sizes.ts'),
  import('./administration/tasks.ts'),
  import('./system.ts'),
]);

/**
 * Every operation of the API, in the order of the API reference. An operation's id is the name of its export.
 */
export const OPERATIONS: readonly Operation[] = MODULES.flatMap((module) =>
  Object.entries<unknown>(module).flatMap(([id, value]) =>
    isOperation(value) ? Object.assign(value, { id }) : [],
  ),
);

/** The operations with their exact types, for clients that are written in TypeScript. */
export type AnyOperation = OperationsIn<(typeof MODULES)[number]>;

type OperationsIn<Module> = Module extends unknown
  ? Extract<Module[keyof Module], Operation>
  : never;

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'group' in value && 'answers' in value;
}
