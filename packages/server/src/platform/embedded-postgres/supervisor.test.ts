import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { startEmbeddedPostgres } from './supervisor.ts';

test('sets up a new folder, and starts on it again', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'overworld-supervisor-'));
  for (const created of [true, false]) {
    await using postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
    assert.equal(postgres.created, created);
    const client = new pg.Client(postgres.connection);
    await client.connect();
    await client.query('CREATE TABLE IF NOT EXISTS marks (id int)');
    await client.end();
  }
  await rm(dataDir, { recursive: true });
});
