import assert from 'node:assert/strict';
import { getPriority } from 'node:os';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { cloneDatabase } from '../../../test/harness.ts';
import type { Database } from './database.ts';
import type { ConnectionSettings } from './open-database.ts';
import { openPools, readGroups } from './pools.ts';
import { sql } from './sql.ts';

let url: string;
let drop: () => Promise<void>;
before(async () => {
  ({ url, drop } = await cloneDatabase());
});
after(() => drop());

const open = async (connection: ConnectionSettings, workers = 1) =>
  openPools(connection, () => undefined, workers, await readGroups(connection));

/** Returns the address in the form in which the embedded PostgreSQL gives it. */
function toEmbedded(): ConnectionSettings {
  const { host, port, user, password, database } = new pg.Client({ connectionString: url });
  return { host, port, user: user!, password: password!, database: database! };
}

async function readPriority(database: Database): Promise<number> {
  const row = await database.queryOne<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
  return getPriority(row!.pid);
}

test('the connections for reads refuse a write', async () => {
  const { reads, close } = await open({ url });
  try {
    await assert.rejects(
      reads.execute(sql`INSERT INTO installation (name, value) VALUES ('x', 'y')`),
      /read-only transaction/,
    );
  } finally {
    await close();
  }
});

test('only the reads of an embedded PostgreSQL have a low priority', async (t) => {
  const own = await open({ url });
  // It is not 0 if the tests themselves run with a low priority.
  let usual: number;
  try {
    usual = await readPriority(own.hot);
  } catch {
    return t.skip('the database is on another machine');
  } finally {
    await own.close();
  }
  for (const [connection, priority] of [
    [toEmbedded(), 10],
    [{ url }, usual],
  ] as const) {
    const { hot, database, reads, inbox, close } = await open(connection);
    try {
      assert.equal(await readPriority(reads), priority);
      for (const other of [hot, database, inbox]) assert.equal(await readPriority(other), usual);
    } finally {
      await close();
    }
  }
});
