/**
 * The test files of the server that `npm run test:cluster` leaves out, each with the reason. All other test
 * files of the server run on the cluster, also new ones.
 */
export const NOT_ON_CLUSTER = [
  {
    reason: 'They start a PostgreSQL of their own.',
    files: [
      'packages/server/src/platform/embedded-postgres/**/*.test.ts',
      'packages/server/src/cli/start/start.slow.test.ts',
    ],
  },
  {
    reason: 'They use no database.',
    files: [
      'packages/server/src/features/experiments/statistics/*.test.ts',
      'packages/server/src/platform/http/{bodies,connections,shares}/*.test.ts',
      'packages/server/src/platform/{json,network,queue}/*.test.ts',
      'packages/server/src/platform/workers/**/*.test.ts',
      'packages/server/test/structure/{dependency-rule,folding,percents}.test.ts',
    ],
  },
  {
    reason:
      'They ask about files, logs, sockets, threads and memory. The quick tests of these features run on the cluster.',
    files: [
      'packages/server/src/cli/backups/backup.slow.test.ts',
      'packages/server/src/features/reports/{files/{event-export,event-readers},thread/report-shares}.slow.test.ts',
      'packages/server/src/features/player-logins/providers/oidc-memory.slow.test.ts',
      'packages/server/src/features/webhooks/hostile-receivers.slow.test.ts',
      'packages/server/test/limits/rate-limit-redis.slow.test.ts',
      'packages/server/test/security/secrets.slow.test.ts',
      'packages/server/test/workers/*.slow.test.ts',
    ],
  },
  {
    reason:
      'They read random or many players by the statements of the quick tests of reports, which run on the cluster.',
    files: [
      'packages/server/src/features/reports/{cells,players,revenue,segment}/**/*.slow.test.ts',
      'packages/server/test/data/number-spellings.slow.test.ts',
    ],
  },
  {
    reason: 'Their tables are on the coordinator alone, where the quick tests of accounts run.',
    files: ['packages/server/src/features/accounts/**/*.slow.test.ts'],
  },
  {
    reason: 'They look at plans that sessions keep, and a cluster plans each statement anew.',
    files: ['packages/server/test/data/hot-plans.test.ts'],
  },
  {
    reason: 'It restarts servers under load, which has nothing to do with nodes of the database.',
    files: ['packages/server/test/lifecycle/rolling-restart.slow.test.ts'],
  },
  {
    reason:
      'They fill tables with rows of games that do not exist, which a backup of a cluster leaves out. `archive-cluster.test.ts` runs instead.',
    files: ['packages/server/src/cli/archive/{archive,archive-groups}.slow.test.ts'],
  },
];
