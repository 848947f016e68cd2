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
      'They ask about files, sockets and threads. The quick tests of these features run on the cluster.',
    files: [
      'packages/server/src/features/explore/files/event-export.slow.test.ts',
      'packages/server/src/features/webhooks/hostile-receivers.slow.test.ts',
      'packages/server/test/limits/rate-limit-redis.slow.test.ts',
      'packages/server/test/workers/{deaths,rate-limit}.slow.test.ts',
    ],
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
