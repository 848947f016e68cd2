import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { makeComingPartitions } from '../../packages/server/src/features/events/event-partitions.ts';
import { openDatabase } from '../../packages/server/src/platform/database/open-database.ts';
import { readGroups } from '../../packages/server/src/platform/database/pools.ts';
import { migrate } from '../../packages/server/src/platform/database/migrate.ts';
import { startCitus } from '../../torture/machine/citus.ts';
import { startEmbeddedPostgres } from '../../packages/server/src/platform/embedded-postgres/supervisor.ts';

/** Settings that make a test database twice as fast, and that would destroy its data in a crash. */
const THROW_AWAY_SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  // Only a superuser may end the workers of autovacuum, and DROP DATABASE … WITH (FORCE) fails while one
  // works in the database.
  autovacuum: 'off',
  max_connections: '400',
  shared_buffers: '256MB',
};

/**
 * Starts the PostgreSQL server of a test run, or uses the server of TEST_DATABASE_URL (the role in this URL
 * needs CREATEDB). Makes a template database with all migrations, which test servers clone. The names of
 * clones begin with the name of the template.
 * @param citusBin The folder with the programs of a PostgreSQL with Citus, to start a coordinator and two
 * workers; null to start a single PostgreSQL.
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
  // If root runs the tests, PostgreSQL runs as a different user, who needs access to the folder.
  await chmod(dataDir, 0o711);
  // PostgreSQL asks for no password: a run opens two thousand connections, and checking a password takes a
  // millisecond of CPU. This is safe because only the user of the tests can reach the socket.
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
 * Starts a cluster. To clone a database of the cluster, its part on each node is cloned. This works because
 * the nodes store only the ports of the other nodes, and not the name of the database.
 */
async function startTestCluster(bin) {
  const settings = Object.entries({
    ...THROW_AWAY_SETTINGS,
    // With `off`, moving a group to another node would lose the newest commits.
    synchronous_commit: 'on',
    // Some tests make triggers on distributed tables, which Citus otherwise refuses.
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
 * Makes the partitions in the template, so that no test server has to make them. Making them takes seconds on
 * a cluster.
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
  // The first connection to a database reads the catalogue and caches it in a file. Clones copy this file.
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

/** Drops the template and all its clones, including the clones of tests that were killed. */
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
