import { findRedis, startRedis } from '../packages/server/test/redis-server.ts';
import { sql } from '../packages/server/src/platform/database/sql.ts';
import { withDatabase } from '../packages/server/src/cli/installation.ts';
import { startExternalPostgres } from './machine/external-postgres.ts';
import { createRandom } from './random.ts';
import { Cluster } from './servers/cluster.ts';
import { attackRevocation, countAdmitted } from './servers/limits.ts';
import { attackOneOf } from './servers/one-is-killed.ts';
import type { Report, Suite } from './suite.ts';

const SERVERS = 3;
/** The rate limit of one key, in requests per minute. */
const LIMIT = 600;

export const servers: Suite = {
  name: 'servers',
  summary: 'kills one of three servers on one database, and checks the limits that they share',
  options: {
    seconds: { default: 30, meaning: 'of each load' },
    revocations: { default: 20, meaning: 'of keys' },
    seed: { default: 1, meaning: 'of all that is random' },
  },
  run: ({ seconds, revocations, seed }, report) =>
    attackServers(report, {
      seconds: seconds!,
      revocations: revocations!,
      seed: seed!,
      revoked_within_ms: 1_000,
      thorough: true,
    }),
};

interface ServersOptions {
  seconds: number;
  revocations: number;
  /** The time within which every server must refuse a revoked key. */
  revoked_within_ms: number;
  seed: number;
  /** True to fill a quota too, and to check the rate limit with Redis and without. */
  thorough: boolean;
}

export async function attackServers(
  report: Report,
  { seconds, revocations, revoked_within_ms, seed, thorough }: ServersOptions,
): Promise<void> {
  const random = createRandom(seed);
  await using postgres = await startExternalPostgres();
  report.figure('database', postgres.version);
  const env = { DATABASE_URL: postgres.url };
  {
    await using cluster = await Cluster.start(SERVERS, env);
    await expectOneMigration(report, cluster);
    await attackOneOf(report, { cluster, random, seconds, kind: 'all writes' });
    report.say('all writes');
    if (thorough) {
      const kind = 'events to the end of the quota';
      await attackOneOf(report, { cluster, random, seconds, kind });
      report.say(kind);
    }
    await attackRevocation(report, cluster, { revocations, revoked_within_ms });
    report.say('revoked keys');
  }
  if (thorough) await attackLimits(report, env);
}

/** Checks that only one of several servers that start together migrates an empty database. */
async function expectOneMigration(report: Report, cluster: Cluster): Promise<void> {
  const said = cluster.servers.filter((server) => server.said.includes('brought up to date'));
  const row = await withDatabase(cluster.servers[0]!.connection, (database) =>
    database.queryOne<{ count: number }>(sql`SELECT count(*) FROM migrations`),
  );
  report.figure('migrations, and servers that applied them', `${row!.count}, ${said.length}`);
  if (said.length !== 1) report.violation(`${said.length} servers say that they migrated`);
}

/** Checks the rate limit with Redis and without. */
async function attackLimits(report: Report, env: Record<string, string>): Promise<void> {
  const limits = { ...env, RATE_LIMIT_PER_MINUTE: String(LIMIT) };
  const expectAdmitted = async (name: string, cluster: Cluster, expected: number) => {
    const admitted = await countAdmitted(cluster, LIMIT + 100);
    report.figure(`requests of ${SERVERS * (LIMIT + 100)} admitted ${name}`, admitted);
    if (admitted !== expected) {
      report.violation(`${admitted} requests were admitted ${name}, and not ${expected}`);
    }
  };
  {
    // Without Redis each server has its own count. This count must also be exact.
    await using cluster = await Cluster.start(SERVERS, limits);
    await expectAdmitted('without Redis', cluster, SERVERS * LIMIT);
  }
  const program = findRedis();
  if (program === null) return report.figure('limits with Redis', 'not tried: there is no Redis');
  await using redis = await startRedis(program);
  await using cluster = await Cluster.start(SERVERS, { ...limits, REDIS_URL: redis.url });
  await expectAdmitted('with Redis', cluster, LIMIT);
}
