import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import pino from 'pino';
import { buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/platform/config.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { cloneDatabase } from '../harness.ts';
import { openTestDatabase } from '../test-database.ts';
import { waitUntil } from '../wait-until.ts';

const countConnections = async (database: Database) => {
  const row = await database.queryOne<{ count: number }>(sql`
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'overworld%'`);
  return row!.count;
};

for (const [name, break_text] of [
  ['at its first statement', 'ALTER TABLE installation RENAME TO gone'],
  ['half way', 'DROP TABLE events'],
] as const) {
  test(`a start that fails ${name} closes all its connections`, async () => {
    const { url, drop } = await cloneDatabase();
    const database = openTestDatabase({ url }, { application_name: 'test', max_connections: 1 });
    const client = await database.groups[0]!.connect();
    await client.query(break_text);
    client.release();
    // This server stands for a Redis that never answers. The client would retry for ever, and a test file
    // fails if it leaves a connection open.
    const redis = createServer((socket) => socket.on('error', () => undefined).resume());
    await new Promise<void>((resolve) => redis.listen(0, '127.0.0.1', resolve));
    const { port } = redis.address() as AddressInfo;

    const config = readConfig({ PORT: '0', REDIS_URL: `redis://127.0.0.1:${port}` });
    const logger = pino({ level: 'silent' });
    await assert.rejects(buildApp({ config, connection: { url }, logger }), /does not exist/);

    await waitUntil('connections to PostgreSQL are closed', async () => {
      return (await countConnections(database)) === 0;
    });
    const countOpen = () =>
      new Promise<number>((resolve) => redis.getConnections((_error, count) => resolve(count)));
    await waitUntil('the connection to Redis is closed', async () => (await countOpen()) === 0);
    await new Promise((resolve) => redis.close(resolve));
    await database.close();
    await drop();
  });
}
