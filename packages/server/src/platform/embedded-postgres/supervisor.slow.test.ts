import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { findRunningPostgres } from './running.ts';
import { startEmbeddedPostgres } from './supervisor.ts';
import { query } from './test/query.ts';
import { currentUser } from './test/server-process.ts';

const user = currentUser();
const dataDir = await user.makeFolder();
after(() => user.dispose());

test('a new folder is set up, the next start finds its data, and stop() may be called again', async () => {
  const lines: string[] = [];
  const first = await startEmbeddedPostgres({ dataDir, log: (line) => lines.push(line) });
  assert.equal(first.created, true);
  assert.deepEqual(lines, ['Setting up PostgreSQL for the first time']);
  await query(first.url, 'CREATE TABLE marks AS SELECT 1 AS mark');
  await Promise.all([first.stop(), first.stop()]);
  await first.stop();
  assert.equal(await first.exited, null);

  await using second = await start();
  assert.equal(second.created, false);
  assert.deepEqual(await query(second.url, 'SELECT mark FROM marks'), [{ mark: 1 }]);
});

test('writes are durable, and text sorts by code point on every system', async () => {
  await using postgres = await start();
  const [row] = await query(
    postgres.url,
    `SELECT current_setting('fsync') AS fsync,
       current_setting('synchronous_commit') AS synchronous_commit,
       current_setting('full_page_writes') AS full_page_writes,
       current_setting('data_checksums') AS data_checksums,
       current_setting('server_encoding') AS encoding,
       current_setting('timezone') AS time_zone,
       datlocprovider AS locale_provider, datlocale AS locale
     FROM pg_database WHERE datname = current_database()`,
  );
  assert.deepEqual(row, {
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    data_checksums: 'on',
    encoding: 'UTF8',
    time_zone: 'UTC',
    locale_provider: 'b',
    locale: 'C.UTF-8',
  });
});

test('PostgreSQL accepts only its own role, by password, over a socket closed to other users', async () => {
  await using postgres = await start();
  const { connection } = postgres;
  assert.equal(statSync(connection.host).mode & 0o777, 0o700);
  assert.deepEqual(await query(postgres.url, 'SHOW listen_addresses'), [{ listen_addresses: '' }]);
  assert.deepEqual(
    await query(postgres.url, 'SELECT rolsuper FROM pg_roles WHERE rolname = current_user'),
    [{ rolsuper: false }],
  );
  for (const stranger of [
    { ...connection, password: 'guessed' },
    { ...connection, user: 'postgres' },
  ]) {
    await assert.rejects(new pg.Client(stranger).connect(), /authentication failed|no pg_hba/);
  }
});

test('another process finds PostgreSQL only while PostgreSQL runs', async () => {
  assert.equal(findRunningPostgres(join(dataDir, 'nowhere')), null);
  const postgres = await start();
  assert.deepEqual(findRunningPostgres(dataDir), postgres.connection);
  await postgres.stop();
  assert.equal(findRunningPostgres(dataDir), null);
});

test('given settings override the default ones', async () => {
  await using postgres = await startEmbeddedPostgres({
    dataDir,
    log: () => {},
    settings: { max_connections: '17' },
  });
  assert.deepEqual(await query(postgres.url, 'SHOW max_connections'), [{ max_connections: '17' }]);
});

test('PostgreSQL starts with less memory where the system refuses the full amount', async (context) => {
  if (promisesAnyMemory()) return context.skip('this system refuses no memory');
  const told: string[] = [];
  await using postgres = await startEmbeddedPostgres({
    dataDir,
    log: (message) => told.push(message),
    settings: { shared_buffers: '7TB' },
  });
  const shown = await query(postgres.url, 'SHOW shared_buffers');
  assert.deepEqual(shown, [{ shared_buffers: '128MB' }]);
  assert.match(told.at(-1)!, /^The system refuses PostgreSQL the memory .* 128MB/);
});

/**
 * Tells whether the system promises any amount of memory. PostgreSQL would then get 7 TB, and fail only
 * when it writes to this memory.
 */
function promisesAnyMemory(): boolean {
  try {
    return readFileSync('/proc/sys/vm/overcommit_memory', 'utf8').trim() === '1';
  } catch {
    return true;
  }
}

test('a failed start gives its reason and releases the data folder', async () => {
  const settings = { shared_buffers: 'plenty' };
  await assert.rejects(startEmbeddedPostgres({ dataDir, log: () => {}, settings }), {
    name: 'EmbeddedPostgresError',
    message: `PostgreSQL did not start: invalid value for parameter "shared_buffers": "plenty" (its log is ${dataDir}/postgres/postgres.log).`,
  });
  await using postgres = await start();
  await query(postgres.url, 'SELECT 1');
});

function start(): ReturnType<typeof startEmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, log: () => {} });
}
