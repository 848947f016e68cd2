import pg from 'pg';
import { startExternalPostgres } from './external-postgres.ts';
import type { ExternalPostgres } from './external-postgres.ts';

const SETTINGS = [
  'shared_preload_libraries=citus',
  'citus.local_hostname=127.0.0.1',
  // Schemas move between nodes by logical replication.
  'wal_level=logical',
  // For each database, Citus runs one worker process that does maintenance work.
  'max_worker_processes=100',
];

/** PostgreSQL nodes with Citus. */
export interface CitusCluster extends AsyncDisposable {
  coordinator: ExternalPostgres;
  workers: ExternalPostgres[];
  /** Makes an empty database on all nodes. @returns its URL on the coordinator. */
  makeDatabase(name: string): Promise<string>;
}

/**
 * Finds the folder with the programs of a PostgreSQL that has Citus,
 * such as Debian's /usr/lib/postgresql/15/bin. The environment
 * variable CITUS_BIN names this folder. Returns null if it is not set.
 */
export const findCitus = (): string | null => process.env.CITUS_BIN || null;

/**
 * Starts a coordinator and workers on this machine, without data.
 * @param bin The folder that `findCitus` returns.
 * @param settings Further settings for all nodes, such as `fsync=off`.
 */
export async function startCitus(
  bin: string,
  workers: number,
  settings: string[] = [],
): Promise<CitusCluster> {
  await using stack = new AsyncDisposableStack();
  const nodes: ExternalPostgres[] = [];
  for (let count = 0; count <= workers; count++) {
    const node = await startExternalPostgres({
      bin,
      // With a locale other than C, the tests also cover tables whose texts were put into another order.
      locale: 'C.UTF-8',
      settings: [...SETTINGS, ...settings],
    });
    nodes.push(stack.use(node));
  }
  const [coordinator, ...others] = nodes as [ExternalPostgres, ...ExternalPostgres[]];
  const running = stack.move();
  return {
    coordinator,
    workers: others,
    async makeDatabase(name) {
      for (const node of nodes) {
        await runStatements(node.url, [`CREATE DATABASE ${name}`]);
        await runStatements(urlOf(node, name), ['CREATE EXTENSION citus']);
      }
      await runStatements(urlOf(coordinator, name), [
        `SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`,
        ...others.map(({ port }) => `SELECT citus_add_node('127.0.0.1', ${port})`),
      ]);
      return urlOf(coordinator, name);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function urlOf(node: ExternalPostgres, name: string): string {
  const url = new URL(node.url);
  url.pathname = `/${name}`;
  return url.href;
}

async function runStatements(url: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const text of statements) await client.query(text);
  } finally {
    await client.end();
  }
}
