/**
 * The test files that pass whole on a Citus cluster, which `npm run test:cluster` runs. Most of the others
 * wait for ingest, which deletes rows of the inbox by their places, or insert the rows of a SELECT with
 * defaults such as `now()`.
 */
export const CLUSTER_FILES = [
  'packages/server/src/features/accounts/passwords/passwords.test.ts',
  'packages/server/src/features/accounts/registration/open-registration.test.ts',
  'packages/server/src/features/accounts/sessions/secret-rotation.test.ts',
  'packages/server/src/features/admin/games.test.ts',
  'packages/server/src/features/audit-log/audit-log.test.ts',
  'packages/server/src/features/dashboard/dashboard.test.ts',
  'packages/server/src/features/dashboards/dashboards.test.ts',
  'packages/server/src/features/dashboards/links/kept-answers.test.ts',
  'packages/server/src/features/members/invitation-shares.test.ts',
  'packages/server/src/features/members/invitations.test.ts',
  'packages/server/src/features/members/members.test.ts',
  'packages/server/src/features/remote-config/config.test.ts',
  'packages/server/src/features/remote-config/remote-config.test.ts',
  'packages/server/src/features/remote-config/rule-preview.test.ts',
  'packages/server/src/features/remote-config/rules.test.ts',
  'packages/server/src/features/remote-config/schedules/planning.test.ts',
  'packages/server/src/features/remote-config/schedules/schedules.test.ts',
  'packages/server/src/features/remote-config/schedules/servers.test.ts',
  'packages/server/src/features/remote-config/versions.test.ts',
  'packages/server/src/features/saved-reports/saved-reports.test.ts',
  'packages/server/src/features/second-factors/passkeys/relying-party.test.ts',
  'packages/server/src/features/second-factors/recovery-codes.test.ts',
  'packages/server/src/features/second-factors/requirement.test.ts',
  'packages/server/src/features/system/local-request.test.ts',
  'packages/server/src/features/system/readiness.test.ts',
  'packages/server/src/features/system/system.test.ts',
  'packages/server/src/features/webhooks/documented-checks.test.ts',
  'packages/server/src/features/webhooks/signature.test.ts',
];
