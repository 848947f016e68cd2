import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { ProcessIdentity } from '../identity.ts';
import { assertHolds, startLoad } from '../test/load.ts';
import { listChildren, readSession } from '../test/processes.ts';
import { query } from '../test/query.ts';
import {
  currentUser,
  isRunning,
  makeOrdinaryUser,
  readPostmasterPid,
  ServerProcess,
  waitUntil,
} from '../test/server-process.ts';
import type { TestUser } from '../test/server-process.ts';

const ordinaryUser = await makeOrdinaryUser();

const ACTIVE_COUNTS = `
  SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT count%'`;

describe('as the user who runs the tests', () => testDeaths(currentUser()));
describe('as an ordinary user, if root runs the tests', { skip: ordinaryUser === null }, () => {
  if (ordinaryUser !== null) testDeaths(ordinaryUser);
});

function testDeaths(user: TestUser): void {
  let dataDir: string;
  before(async () => {
    dataDir = await user.makeFolder();
  });
  after(() => user.dispose());

  test('kill -9 of the server stops PostgreSQL', async () => {
    await using server = new ServerProcess(user, dataDir);
    const { folder } = await server.ready();
    const postmaster = readPostmasterPid(folder);
    server.kill('SIGKILL');
    await waitUntil(() => !isRunning(postmaster), 'PostgreSQL to stop');
    await assertStarts(user, dataDir);
  });

  test('kill -9 of the whole process group stops PostgreSQL', async () => {
    await using server = new ServerProcess(user, dataDir);
    const { folder } = await server.ready();
    const postmaster = readPostmasterPid(folder);
    server.killGroup('SIGKILL');
    await waitUntil(() => !isRunning(postmaster), 'PostgreSQL to stop');
    await assertStarts(user, dataDir);
  });

  test('PostgreSQL stops when the server exits without stop()', async () => {
    await using server = new ServerProcess(user, dataDir);
    const { folder } = await server.ready();
    const postmaster = readPostmasterPid(folder);
    server.child.stdin!.end();
    await waitUntil(() => !isRunning(postmaster), 'PostgreSQL to stop');
  });

  test('Ctrl-C in a terminal reaches only the server, which shuts PostgreSQL down in order', async () => {
    await using server = new ServerProcess(user, dataDir);
    const { folder } = await server.ready();
    assert.equal(readSession(readPostmasterPid(folder)), readPostmasterPid(folder));
    server.killGroup('SIGINT');
    server.killGroup('SIGINT');
    assert.deepEqual(await server.waitFor((message) => 'exited' in message), { exited: null });
    await server.ended;
  });

  test('a start stops an orphaned postmaster and starts a new one', async () => {
    await using server = new ServerProcess(user, dataDir);
    const { folder, url } = await server.ready();
    await query(url, 'CREATE TABLE before_orphan (id int)');
    const orphan = readPostmasterPid(folder);
    // After SIGSTOP the server cannot start another watchdog.
    server.kill('SIGSTOP');
    for (const watchdog of listChildren(server.pid, 'sh')) process.kill(watchdog, 'SIGKILL');
    server.kill('SIGKILL');
    await server.ended;
    assert.ok(isRunning(orphan));

    await using next = new ServerProcess(user, dataDir);
    const ready = await next.ready();
    assert.ok(!isRunning(orphan));
    assert.match(next.messages[0]!.log!, /Stopping a PostgreSQL that an earlier server left/);
    await query(ready.url, 'INSERT INTO before_orphan VALUES (1)');
  });

  test('a killed watchdog is replaced', async () => {
    await using server = new ServerProcess(user, dataDir);
    const { folder } = await server.ready();
    const postmaster = readPostmasterPid(folder);
    const [first] = listChildren(server.pid, 'sh');
    process.kill(first!, 'SIGKILL');
    await waitUntil(
      () => listChildren(server.pid, 'sh').some((pid) => pid !== first),
      'another watchdog',
    );
    server.kill('SIGKILL');
    await waitUntil(() => !isRunning(postmaster), 'PostgreSQL to stop');
  });

  test('the death of PostgreSQL is reported, and acknowledged rows survive it', async () => {
    await using server = new ServerProcess(user, dataDir);
    const ready = await server.ready();
    const load = await startLoad(ready);
    await load.some();
    process.kill(readPostmasterPid(ready.folder), 'SIGKILL');
    const { exited } = await server.waitFor((message) => 'exited' in message);
    assert.match(exited!, /PostgreSQL ended unexpectedly \(signal SIGKILL\)/);
    await assertHolds(user, dataDir, await load.end());
  });

  test('a start waits for statements that outlive a killed PostgreSQL', async () => {
    await using server = new ServerProcess(user, dataDir);
    const { folder, url } = await server.ready();
    // This statement runs for about two seconds and does not notice the death of the postmaster.
    const statement = query(url, 'SELECT count(*) FROM generate_series(1, 20000000)');
    statement.catch(() => {});
    await waitUntil(async () => (await query(url, ACTIVE_COUNTS)).length > 0, 'the statement');
    process.kill(readPostmasterPid(folder), 'SIGKILL');
    await server.ended;

    await using next = new ServerProcess(user, dataDir);
    await query((await next.ready()).url, 'SELECT 1');
    assert.match(next.messages[0]!.log!, /Waiting for the last statements/);
  });

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGKILL'] as const) {
    test(`acknowledged rows survive ${signal}`, async () => {
      await using server = new ServerProcess(user, dataDir);
      const ready = await server.ready();
      const postmaster = readPostmasterPid(ready.folder);
      const load = await startLoad(ready);
      await load.some();
      server.kill(signal);
      await waitUntil(() => !isRunning(postmaster), 'PostgreSQL to stop');
      await assertHolds(user, dataDir, await load.end());
    });
  }

  test('a second server is refused with the pid of the first, which keeps working', async () => {
    await using first = new ServerProcess(user, dataDir);
    const { url } = await first.ready();
    await using second = new ServerProcess(user, dataDir);
    await assert.rejects(second.ready(), {
      message: `Another Overworld server (process ${first.pid}) is already using the data folder ${dataDir}: stop it first, or give this one a folder of its own with DATA_DIR.`,
    });
    await second.ended;
    assert.equal(second.child.exitCode, 1);
    await query(url, 'SELECT 1');
  });

  test('exactly one of eight simultaneous starts on a new folder succeeds', async () => {
    const newFolder = await user.makeFolder();
    const servers = Array.from({ length: 8 }, () => new ServerProcess(user, newFolder));
    const results = await Promise.allSettled(servers.map((server) => server.ready()));
    const winners = servers.filter((_, index) => results[index]!.status === 'fulfilled');
    assert.equal(winners.length, 1);
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      assert.match(result.reason.message, new RegExp(`\\(process ${winners[0]!.pid}\\)`));
    }
    await winners[0]![Symbol.asyncDispose]();
  });

  test('a postmaster.pid with the pid of another program does not prevent a start', async () => {
    const folder = await crash(user, dataDir);
    const stranger = spawn('sleep', ['60'], { ...ownerOf(folder), stdio: 'ignore' });
    await assertStartsDespite(user, dataDir, folder, stranger.pid!);
    assert.ok(isRunning(stranger.pid!));
    stranger.kill();
  });

  test('a postmaster.pid with the pid of a zombie does not prevent a start', async () => {
    const folder = await crash(user, dataDir);
    // `exec` turns the shell into a program that never collects its child, which stays a zombie.
    const parent = spawn('/bin/sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], {
      ...ownerOf(folder),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const zombie = Number.parseInt(line.toString(), 10);
    await waitUntil(() => !isRunning(zombie), 'the zombie');
    await assertStartsDespite(user, dataDir, folder, zombie);
    parent.kill();
  });
}

/** Kills a server, its watchdog and its PostgreSQL together, like a power failure. */
async function crash(user: TestUser, dataDir: string): Promise<string> {
  await using server = new ServerProcess(user, dataDir);
  const { folder } = await server.ready();
  const postmaster = readPostmasterPid(folder);
  // After SIGSTOP the server cannot start another watchdog.
  server.kill('SIGSTOP');
  for (const watchdog of listChildren(server.pid, 'sh')) process.kill(watchdog, 'SIGKILL');
  process.kill(postmaster, 'SIGKILL');
  server.kill('SIGKILL');
  await server.ended;
  await waitUntil(() => !isRunning(postmaster), 'PostgreSQL to be gone');
  return folder;
}

/**
 * Finds the user that PostgreSQL runs as. When PostgreSQL finds a process that has the stored pid and runs as
 * this user, it assumes that the process is a postmaster.
 */
function ownerOf(folder: string): ProcessIdentity {
  const { uid, gid } = statSync(join(folder, 'cluster'));
  return { uid, gid };
}

async function assertStartsDespite(
  user: TestUser,
  dataDir: string,
  folder: string,
  pid: number,
): Promise<void> {
  for (const lockFile of ['cluster/postmaster.pid', 'socket/.s.PGSQL.5432.lock']) {
    const path = join(folder, lockFile);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^\d+/, String(pid)));
  }
  await assertStarts(user, dataDir);
}

async function assertStarts(user: TestUser, dataDir: string): Promise<void> {
  await using server = new ServerProcess(user, dataDir);
  const { url, created } = await server.ready();
  assert.equal(created, false);
  await query(url, 'SELECT 1');
}
