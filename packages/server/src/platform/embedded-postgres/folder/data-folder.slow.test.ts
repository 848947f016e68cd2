import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { EmbeddedPostgresError } from '../error.ts';
import { startEmbeddedPostgres } from '../supervisor.ts';
import { query } from '../test/query.ts';
import {
  currentUser,
  isRunning,
  makeOrdinaryUser,
  makeRootWithClosedCheckout,
  readPostmasterPid,
  ServerProcess,
  waitUntil,
} from '../test/server-process.ts';

const user = currentUser();
const ordinaryUser = await makeOrdinaryUser();
const closedRoot = await makeRootWithClosedCheckout();

// Most tests share one installation and move its folder, because a new installation can take seconds.
const parent = await user.makeFolder();
const dataDir = join(parent, 'data');
const cluster = join(dataDir, 'postgres', 'cluster');

before(async () => await (await start(dataDir)).stop());
after(async () => {
  await user.dispose();
  await ordinaryUser?.dispose();
  await closedRoot?.dispose();
});

test('PostgreSQL starts in a data folder that was moved to a name with special characters', async () => {
  const moved = join(parent, `a "b", c'd %20 ünï`);
  await rename(dataDir, moved);
  const postgres = await start(moved);
  assert.equal(postgres.created, false);
  await query(postgres.url, 'SELECT 1');
  await postgres.stop();
  await rename(moved, dataDir);
});

test('when the path is too long for a socket, the socket is in a temporary folder', async () => {
  const moved = join(parent, 'long'.repeat(30));
  await rename(dataDir, moved);
  const server = new ServerProcess(user, moved);
  const { url, folder } = await server.ready();
  const socketFolder = decodeURIComponent(new URL(url).hostname);
  assert.ok(!socketFolder.startsWith(folder));
  assert.equal(statSync(socketFolder).mode & 0o777, 0o700);
  const postmaster = readPostmasterPid(folder);
  server.kill('SIGKILL');
  await waitUntil(() => !isRunning(postmaster), 'PostgreSQL to stop');

  const next = await start(moved);
  assert.equal(next.connection.host, socketFolder);
  await query(next.url, 'SELECT 1');
  await next.stop();
  assert.ok(!existsSync(socketFolder));
  await rename(moved, dataDir);
});

test('data of another major version is refused with advice, and stays as it is', async () => {
  await writeFile(join(cluster, 'PG_VERSION'), '17\n');
  await assert.rejects(start(dataDir), {
    name: 'EmbeddedPostgresError',
    message: `The data in ${cluster} was written by PostgreSQL 17, and this release brings PostgreSQL 18: make a backup with the release that wrote it (overworld backup), then restore it with this one into an empty data folder (overworld restore).`,
  });
  await writeFile(join(cluster, 'PG_VERSION'), '18\n');
  await (await start(dataDir)).stop();
});

test('a folder that is no cluster is refused and stays as it is', async () => {
  const folder = join(parent, 'other');
  const notes = join(folder, 'postgres', 'cluster', 'notes.txt');
  await mkdir(dirname(notes), { recursive: true });
  await writeFile(notes, 'mine');
  await assert.rejects(start(folder), /is not a PostgreSQL data folder/);
  assert.equal(await readFile(notes, 'utf8'), 'mine');
});

test('a start removes the remains of an interrupted start', async () => {
  await mkdir(join(dataDir, 'postgres', 'unfinished-0123'));
  await (await start(dataDir)).stop();
  assert.ok(!existsSync(join(dataDir, 'postgres', 'unfinished-0123')));
});

test('when a file has the name of the data folder, the error says that a file is in the way', async () => {
  const file = join(parent, 'file');
  await writeFile(file, '');
  await assert.rejects(start(file), {
    name: 'EmbeddedPostgresError',
    message: `Cannot use the data folder ${file} (a file is in the way): choose a folder that you may write to with DATA_DIR.`,
  });
});

test('when the data folder cannot be made, the error is an EmbeddedPostgresError', async () => {
  await assert.rejects(start('/proc/overworld/data'), EmbeddedPostgresError);
});

test('the error names a folder that the user may not write to', async () => {
  const writer = ordinaryUser ?? user;
  const readOnly = await writer.makeFolder();
  await chmod(readOnly, 0o555);
  const server = new ServerProcess(writer, join(readOnly, 'data'));
  await assert.rejects(server.ready(), {
    message: `Cannot use the data folder ${readOnly}/data (permission denied): choose a folder that you may write to with DATA_DIR.`,
  });
  await server.ended;
  assert.equal(server.child.exitCode, 1);
});

test('when the disk is full, the error says so', async (context) => {
  const disk = await user.makeFolder();
  if (!mountSmallDisk(disk)) return context.skip('needs the right to mount a disk');
  try {
    await assert.rejects(start(disk), /^EmbeddedPostgresError: .*disk is (too )?full/);
    assert.deepEqual(readdirSync(join(disk, 'postgres')).sort(), ['owner.lock', 'owner.pid']);
  } finally {
    spawnSync('umount', [disk]);
  }
});

describe('under root', { skip: ordinaryUser === null }, () => {
  test('root can use the data folder of an ordinary user, who can use it again afterwards', async () => {
    const theirs = await ordinaryUser!.makeFolder();
    for (const starter of [ordinaryUser!, user, ordinaryUser!]) {
      await using server = new ServerProcess(starter, theirs);
      await query((await server.ready()).url, 'SELECT 1');
    }
  });

  test('an ordinary user cannot start a server on the data folder of root', async () => {
    await using server = new ServerProcess(ordinaryUser!, dataDir);
    await assert.rejects(
      server.ready(),
      /^Error: Cannot .* the data folder .* \(permission denied\)/,
    );
  });

  test('a start makes PostgreSQL the owner of a cluster that root has copied back', async () => {
    await chown(cluster, 0, 0);
    await chown(join(cluster, 'PG_VERSION'), 0, 0);
    await chmod(cluster, 0o755);
    const postgres = await start(dataDir);
    await query(postgres.url, 'SELECT 1');
    await postgres.stop();
  });

  test('when PostgreSQL cannot reach the cluster, the error gives advice', async () => {
    await chmod(parent, 0o700);
    await assert.rejects(start(dataDir), /let others pass through .* \(chmod o\+x\)/);
    await chmod(parent, 0o755);
  });

  test('when PostgreSQL cannot reach the folder, a note names the folder that it uses instead', async () => {
    const closed = join(closedRoot!.checkout, 'data');
    const folders = new Set<string>();
    try {
      for (const created of [true, false]) {
        await using server = new ServerProcess(closedRoot!, closed);
        const ready = await server.ready();
        folders.add(ready.folder);
        assert.equal(ready.created, created);
        assert.equal(dirname(ready.folder), '/var/lib/overworld');
        assert.deepEqual(ready.notes, [
          `PostgreSQL does not run as root and cannot reach ${closed} as another user, so its data is in ${ready.folder}.`,
        ]);
        await query(ready.url, 'SELECT 1');
      }
      assert.equal(folders.size, 1);
    } finally {
      for (const folder of folders) await rm(folder, { recursive: true });
      await rmdir('/var/lib/overworld').catch(() => {});
    }
  });
});

function start(folder: string): ReturnType<typeof startEmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir: folder, log: () => {} });
}

function mountSmallDisk(folder: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'none', folder]).status === 0;
}
