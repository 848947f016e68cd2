import pg from 'pg';
import type { Database } from '../src/platform/database/database.ts';
import { IS_SPREAD } from './test-database.ts';

/** Sessions on the nodes that hold tables of games: the workers of a cluster, or the only node. */
export interface NodeSessions extends AsyncDisposable {
  /** Runs a statement in all sessions, one after the other. */
  run(text: string): Promise<void>;
}

export async function connectToNodes(database: Database): Promise<NodeSessions> {
  const client = await database.connect();
  if (!IS_SPREAD) {
    return {
      run: async (text) => void (await client.query(text)),
      [Symbol.asyncDispose]: async () => client.release(true),
    };
  }
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  client.release();
  const workers = process.env.OVERWORLD_TEST_WORKER_URLS!.split(',').map((url) => {
    const connectionString = new URL(url);
    connectionString.pathname = `/${rows[0]!.name}`;
    return new pg.Client({ connectionString: connectionString.href });
  });
  for (const worker of workers) await worker.connect();
  return {
    async run(text) {
      for (const worker of workers) await worker.query(text);
    },
    async [Symbol.asyncDispose]() {
      for (const worker of workers) await worker.end();
    },
  };
}

/** Adds up the numbers that a query returns on each node, including the coordinator of a cluster. */
export async function sumOfNodes(database: Database, query: string): Promise<number> {
  const client = await database.connect();
  try {
    const { rows } = await client.query<{ number: string }>(
      IS_SPREAD
        ? `SELECT result AS number FROM run_command_on_all_nodes($$${query}$$)`
        : `SELECT (${query}) AS number`,
    );
    return rows.reduce((sum, { number }) => sum + Number(number), 0);
  } finally {
    client.release();
  }
}
