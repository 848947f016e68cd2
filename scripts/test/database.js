import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { makeComingPartitions } from '../../packages/server/src/features/events/event-partitions.ts';
import { openDatabase } from '../../packages/server/src/platform/database/database.ts';
import { readGroups } from '../../packages/server/src/platform/database/pools.ts';
import { migrate } from '../../packages/server/src/platform/database/migrate.ts';
import { startCitus } from '../../torture/machine/citus.ts';
import { startEmbeddedPostgres } from '../../packages/server/src/platform/embedded-postgres/supervisor.ts';

/** Only for a database that is thrown away. It is twice as fast, but a crash would destroy the data. */
const THROW_AWAY_SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  // Only a superuser may end the workers of Citus, and DROP DATABASE … WITH (FORCE) fails while they
  // run.
  autovacuum: 'off',
  max_connections: '300',
  shared_buffers: '256MB',
};

/**
 * Starts the PostgreSQL of a test run, or uses the one of TEST_DATABASE_URL (its role needs CREATEDB),
 * and makes the migrated template database that test servers clone. The names of clones begin with
 * the name of the template.
 * @param citusBin Programs of a PostgreSQL with Citus, for a coordinator and two workers; or null.
 */
export async function startTestDatabase(citusBin) {
  if (citusBin !== null) return startTestCluster(citusBin);
  const server = process.env.TEST_DATABASE_URL
    ? { url: process.env.TEST_DATABASE_URL, stop: async () => {} }
    : await startThrowAwayServer();
  const template = `overworld_test_${randomBytes(4).toString('hex')}`;
  try {
    await makeTemplate(server.url, template);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    env: { OVERWORLD_TEST_DATABASE_URL: server.url, OVERWORLD_TEST_TEMPLATE: template },
    async [Symbol.asyncDispose]() {
      if (process.env.TEST_DATABASE_URL) await dropDatabases(server.url, template);
      await server.stop();
    },
  };
}

async function startThrowAwayServer() {
  const dataDir = await mkdtemp(join(tmpdir(), 'overworld-test-'));
  // When root runs this, PostgreSQL runs as another user, who needs access to the folder.
  await chmod(dataDir, 0o711);
  // A run opens two thousand connections, and checking a password takes a millisecond of CPU. Only this
  // user can reach the socket.
  const hba_file = join(dataDir, 'hba.conf');
  await writeFile(hba_file, 'local all all trust\n');
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: () => {},
    settings: { ...THROW_AWAY_SETTINGS, hba_file },
  });
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Starts a cluster. Its databases are cloned like others, once on each node. This works because nodes
 * know each other only by their ports, and not by the name of the database.
 */
async function startTestCluster(bin) {
  const settings = Object.entries({
    ...THROW_AWAY_SETTINGS,
    // A move of a group would lose the newest commits.
    synchronous_commit: 'on',
    // Tests make triggers too.
    'citus.enable_unsafe_triggers': 'on',
  });
  const cluster = await startCitus(
    bin,
    2,
    settings.map(([name, value]) => `${name}=${value}`),
  );
  const template = `overworld_test_${randomBytes(4).toString('hex')}`;
  const nodes = [cluster.coordinator, ...cluster.workers].map(({ url }) => url);
  try {
    const templateUrl = await cluster.makeDatabase(template);
    await migrateTemplate(templateUrl);
    await makePartitions(templateUrl);
    const empty = `${template}_empty`;
    await cluster.makeDatabase(empty);
    for (const url of nodes) {
      for (const name of [template, empty]) await freezeTemplate(url, name);
    }
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
  return {
    env: {
      OVERWORLD_TEST_DATABASE_URL: nodes[0],
      OVERWORLD_TEST_WORKER_URLS: nodes.slice(1).join(','),
      OVERWORLD_TEST_TEMPLATE: template,
    },
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

/**
 * Makes the partitions in the template, so that no server has to make them. On a cluster this takes
 * seconds.
 */
async function makePartitions(url) {
  const groups = await readGroups({ url });
  const database = openDatabase(
    { url },
    { application_name: 'test template', max_connections: 1, groups },
  );
  try {
    for (const group of database.groups) await makeComingPartitions(group);
  } finally {
    await database.close();
  }
}

/** Ends the sessions that Citus keeps in a database, because a database in use cannot be cloned. */
async function freezeTemplate(url, template) {
  await runStatement(
    url,
    `ALTER DATABASE ${template} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`,
  );
  await runStatement(
    url,
    'SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1',
    [template],
  );
}

async function makeTemplate(url, template) {
  await runStatement(url, `CREATE DATABASE ${template}`);
  const templateUrl = new URL(url);
  templateUrl.pathname = `/${template}`;
  await migrateTemplate(templateUrl.href);
  await makePartitions(templateUrl.href);
  // The first connection reads the catalogue and leaves a file with it. Clones copy this file.
  await runStatement(templateUrl.href, 'SELECT 1');
  await runStatement(url, `ALTER DATABASE ${template} WITH IS_TEMPLATE true`);
}

async function migrateTemplate(url) {
  const groups = Number(process.env.TEST_GROUPS ?? 1);
  const database = openDatabase({ url }, { application_name: 'test template', max_connections: 1 });
  try {
    await migrate(database, { groups });
  } finally {
    await database.close();
  }
}

/** Drops all clones, also those of tests that were killed. */
async function dropDatabases(url, template) {
  await runStatement(url, `ALTER DATABASE ${template} WITH IS_TEMPLATE false`);
  const { rows } = await runStatement(
    url,
    'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
    [template],
  );
  for (const { datname } of rows) {
    await runStatement(url, `DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  }
}

async function runStatement(url, text, values) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(text, values);
  } finally {
    await client.end();
  }
}
