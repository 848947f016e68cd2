import { randomBytes } from 'node:crypto';
import { openDatabase } from '../src/platform/database/open-database.ts';

const maintenanceUrl = process.env.OVERWORLD_TEST_DATABASE_URL;
const template = process.env.OVERWORLD_TEST_TEMPLATE;
const OBJECT_IN_USE = '55006';
/** The URLs of the worker nodes; empty if the tests do not run on a Citus cluster. */
const workerUrls = process.env.OVERWORLD_TEST_WORKER_URLS?.split(',') ?? [];

/**
 * Makes a database without tables, on all nodes.
 * @param locale Such as `LOCALE_PROVIDER icu ICU_LOCALE 'tr'`. A cluster keeps its own.
 */
export const makeEmptyDatabase = (locale = '') =>
  workerUrls.length > 0 ? copyDatabase(`${template}_empty`) : copyDatabase('template0', locale);

/** Makes a copy of a database, on all nodes. */
export async function copyDatabase(
  source: string,
  locale = '',
): Promise<{ url: string; drop: () => Promise<void> }> {
  if (!maintenanceUrl || !template) {
    throw new Error('Run tests with `npm test` or `npm test -- <file>`: it starts the database');
  }
  const name = `${template}_${randomBytes(6).toString('hex')}`;
  const runOn = async (node: string, text: string) => {
    const maintenance = openDatabase(
      { url: node },
      { application_name: 'test', max_connections: 1 },
    );
    try {
      const client = await maintenance.connect();
      await client.query(text).finally(() => client.release());
    } finally {
      await maintenance.close();
    }
  };
  // The coordinator comes first. If a worker dropped its database before the coordinator did, the coordinator
  // would open new connections to the worker.
  const run = async (text: string) => {
    for (const node of [maintenanceUrl, ...workerUrls]) await runOn(node, text);
  };
  // With `file_copy` this takes half the time of a copy through the write-ahead log.
  await run(`CREATE DATABASE ${name} TEMPLATE ${source} ${locale} STRATEGY file_copy`);
  const url = new URL(maintenanceUrl);
  url.pathname = `/${name}`;
  const drop = async (): Promise<void> => {
    try {
      await run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    } catch (error) {
      // Citus may begin its upkeep of a database that is being dropped. The database may stay, because the
      // whole cluster is removed at the end of the run.
      const isUpkeep = workerUrls.length > 0 && (error as { code?: string }).code === OBJECT_IN_USE;
      if (!isUpkeep) throw error;
    }
  };
  return { url: url.href, drop };
}
