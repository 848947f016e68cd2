import assert from 'node:assert/strict';
import pg from 'pg';
import { query } from './query.ts';
import { ServerProcess, waitUntil } from './server-process.ts';
import type { ReadyServer, TestUser } from './server-process.ts';

/** Sessions that insert rows until the server cuts them off. */
export interface Load {
  /** Resolves when each session has twenty acknowledged rows. */
  some(): Promise<unknown>;
  /**
   * Waits until all sessions are cut off, and resolves to the number of acknowledged rows of each session.
   */
  end(): Promise<number[]>;
}

/**
 * Starts eight sessions, each of which inserts the rows 1, 2, 3… until it is cut off. A session inserts a
 * row when the row before is acknowledged.
 */
export async function startLoad({ url }: ReadyServer): Promise<Load> {
  await query(
    url,
    'DROP TABLE IF EXISTS acknowledged; CREATE TABLE acknowledged (session int, id int)',
  );
  const acknowledged: number[] = Array.from({ length: 8 }, () => 0);
  const sessions = acknowledged.map(async (_, session) => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    try {
      for (let id = 1; ; id++) {
        await client.query('INSERT INTO acknowledged VALUES ($1, $2)', [session, id]);
        acknowledged[session] = id;
      }
    } catch {
      await client.end().catch(() => {});
    }
  });
  return {
    some: () => waitUntil(() => acknowledged.every((id) => id > 20), 'the load to run'),
    async end() {
      await Promise.all(sessions);
      return acknowledged;
    },
  };
}

/** Starts a server, and checks that it has every acknowledged row. */
export async function assertHolds(
  user: TestUser,
  dataDir: string,
  acknowledged: number[],
): Promise<void> {
  await using server = new ServerProcess(user, dataDir);
  const { url } = await server.ready();
  const rows = await query(
    url,
    'SELECT session, count(*)::int AS count FROM acknowledged GROUP BY 1 ORDER BY 1',
  );
  assert.equal(rows.length, acknowledged.length);
  for (const { session, count } of rows) {
    // The last row may have been written without being acknowledged.
    const least = acknowledged[session as number]!;
    assert.ok(count === least || count === least + 1, `${count} rows of ${least}`);
  }
}
