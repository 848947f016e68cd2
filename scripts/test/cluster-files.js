import { fileURLToPath } from 'node:url';

/**
 * The test files of the server that `npm run test:cluster` leaves out, each with the reason. All other test
 * files of the server run on the cluster, also new ones: each statement must run there once. If
 * `needs_postgres_15` is true, CI runs the files on PostgreSQL 15 with eight groups of games instead.
 */
export const NOT_ON_CLUSTER = [
  {
    reason: 'They use no database, or start a PostgreSQL of their own.',
    needs_postgres_15: false,
    files: [
      'packages/server/src/cli/start/start.slow.test.ts',
      'packages/server/src/features/experiments/statistics/*.test.ts',
      'packages/server/src/platform/embedded-postgres/**/*.test.ts',
      'packages/server/src/platform/http/{bodies,connections,shares}/*.test.ts',
      'packages/server/src/platform/{json,network,queue}/*.test.ts',
      'packages/server/src/platform/workers/**/*.test.ts',
    ],
  },
  {
    reason:
      'They have random, many or large cases of statements that the quick tests run on the cluster. Races are left in, because locks are different there.',
    needs_postgres_15: true,
    files: [
      'packages/server/{src/{cli,features},test}/**/!(*races|exactness|grouped-homes|moving-events|rebuild-analytics).slow.test.ts',
    ],
  },
  {
    reason: 'Their tables are on the coordinator alone, as on one PostgreSQL.',
    needs_postgres_15: true,
    files: [
      'packages/server/src/features/{access-tokens,accounts,annotations,api-keys,audit-log,dashboards,members,reference,saved-reports,second-factors,staff-login,system}/**/*.test.ts',
      'packages/server/src/features/admin/{calls/*,tasks,users}.test.ts',
      'packages/server/src/features/{player-logins/providers,remote-config/schedules}/*.test.ts',
      'packages/server/src/platform/{background,mail}/*.test.ts',
    ],
  },
  {
    reason:
      'They ask about callers, limits, files, sockets, processes, threads and the spellings of values, by statements that other tests run on the cluster.',
    needs_postgres_15: true,
    files: [
      'packages/server/src/cli/{*,accounts/*,definitions/*,start/*}.test.ts',
      'packages/server/src/features/**/*-files.test.ts',
      'packages/server/src/features/backups/{backups,s3-store,spool}.test.ts',
      'packages/server/src/features/definitions/{copy,hash-key,settings}.test.ts',
      'packages/server/src/features/webhooks/hostile-receivers.test.ts',
      'packages/server/test/data/{connections-of-reads,number-spellings,times,turns-of-reads}.test.ts',
      'packages/server/test/{hostile,lifecycle,limits,security,structure,workers}/*.test.ts',
    ],
  },
  {
    reason:
      'They count rows that plans read, or look at plans that sessions keep. A cluster plans each statement anew.',
    needs_postgres_15: true,
    files: ['packages/server/test/data/{hot-plans,read-costs}.test.ts'],
  },
];

// CI passes the patterns of the files that run on PostgreSQL 15 to `npm test`.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const elsewhere = NOT_ON_CLUSTER.filter(({ needs_postgres_15 }) => needs_postgres_15);
  console.log(elsewhere.flatMap(({ files }) => files).join('\n'));
}
