import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { CliProcess } from '../../../test/run-cli.ts';
import type { CliRun } from '../../../test/run-cli.ts';

let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overworld-cli-'));
  // If the tests run as root, PostgreSQL runs as another user, who must be able to open the folder.
  await chmod(folder, 0o755);
});
after(() => rm(folder, { recursive: true, force: true }));

/** Waits until the process ends, and kills it if it still runs after a minute. */
async function withDeadline(server: CliProcess): Promise<CliRun> {
  const timer = setTimeout(() => server.child.kill('SIGKILL'), 60_000);
  return server.done.finally(() => clearTimeout(timer));
}

describe('a start with the embedded database', () => {
  test('a signal to stop is obeyed even before the server accepts requests', async () => {
    const server = new CliProcess(['start'], { DATA_DIR: join(folder, 'data'), PORT: '0' });
    await server.waitFor(/PostgreSQL \S+ is ready/);
    server.child.kill('SIGTERM');
    const { code, stdout, stderr } = await withDeadline(server);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /"Stopped\."}\n$/);
  });

  test('when npm has started the server in a shell and that shell ends, the server stops', async () => {
    const env = { DATA_DIR: join(folder, 'data'), PORT: '0', npm_lifecycle_event: 'start' };
    const shell = ['sh', '-c', '"$@"; exit', 'sh'];
    const server = new CliProcess(['start'], env, shell);
    await server.waitFor(/Press Ctrl-C/);
    server.child.kill('SIGTERM');
    // The output ends only when no process can write to it any more, so the server has ended too.
    assert.match((await withDeadline(server)).stdout, /"Stopped\."}\n$/);
  });

  test('when PostgreSQL dies, the server ends and reports the reason', async () => {
    const DATA_DIR = join(folder, 'data');
    const server = new CliProcess(['start'], { DATA_DIR, PORT: '0', LOG_LEVEL: 'silent' });
    await server.waitFor(/Press Ctrl-C/);
    const pid_file = await readFile(join(DATA_DIR, 'postgres/cluster/postmaster.pid'), 'utf8');
    process.kill(Number.parseInt(pid_file, 10), 'SIGKILL');
    const { code, stderr } = await withDeadline(server);
    assert.equal(code, 1);
    assert.match(stderr, /^PostgreSQL ended unexpectedly \(signal SIGKILL\)[^\n]*\n$/);
  });
});
