import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findFreePort } from '../../packages/server/test/free-port.ts';
import { waitUntilReady } from '../../torture/machine/server.ts';
import { execute } from '../container/execute.ts';
import { checkout } from '../container/image-settings.ts';
import { makeRelease } from './release.ts';

const PATIENCE_MS = 120_000;

const folder = await mkdtemp(join(tmpdir(), 'overworld-release-'));
// PostgreSQL runs as another user if root starts it.
chmodSync(folder, 0o755);
after(() => rm(folder, { recursive: true, force: true }));

const release = join(folder, 'release');
let names: string[];
before(async () => {
  names = await makeRelease(release);
});
const find = (pattern: RegExp) =>
  join(
    release,
    names.find((name) => pattern.test(name))!,
  );

function unpack(archive: string, name: string): string {
  const to = join(folder, name);
  mkdirSync(to);
  execute('tar', ['xzf', archive, '-C', to]);
  return to;
}

test('the sums of all files are right, and a changed file is found', () => {
  const listed = readFileSync(join(release, 'SHA256SUMS'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.slice(66));
  assert.deepEqual([...listed, 'SHA256SUMS'], names);
  assert.equal(names.filter((name) => name.startsWith('sdk/')).length, 4);
  execute('sha256sum', ['--check', '--strict', 'SHA256SUMS'], release);
  const copy = join(folder, 'changed');
  execute('cp', ['-a', release, copy]);
  execute('sh', ['-c', 'printf x >>sdk/overworld.js'], copy);
  const checked = spawnSync('sha256sum', ['--check', 'SHA256SUMS'], {
    cwd: copy,
    encoding: 'utf8',
  });
  assert.equal(checked.status, 1);
  assert.match(checked.stdout, /^sdk\/overworld\.js: FAILED$/m);
});

test('the server starts from its archive in an empty folder, without an environment', async () => {
  const cwd = unpack(find(/-\w+-\w+\.tar\.gz$/), 'server');
  const [home, ...rest] = readdirSync(cwd);
  assert.deepEqual(rest, []);
  const PORT = String(await findFreePort());
  const server = spawn(join(cwd, home!, 'overworld'), ['start'], {
    cwd,
    // There is no PATH, so neither npm nor the Node of this machine can be found.
    env: { PORT },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  }
  const ended = once(server, 'close');
  try {
    const url = `http://127.0.0.1:${PORT}`;
    const died = ended.then(([code]) => assert.fail(`the server ended with ${code}: ${log}`));
    await Promise.race([waitUntilReady(url, PATIENCE_MS), died]);
    for (const path of [
      '/readyz',
      '/',
      '/docs',
      '/sdk/overworld.js',
      '/sdk/godot.zip',
      '/sdk/unity.tgz',
    ]) {
      assert.equal((await fetch(url + path)).status, 200, path);
    }
    const page = await (await fetch(url)).text();
    assert.match(page, /<div id="root">/);
  } finally {
    server.kill('SIGTERM');
  }
  const [code] = await ended;
  assert.equal(code, 0, log);
  assert.deepEqual(readdirSync(cwd).toSorted(), ['data', home].toSorted());
  const tried = spawnSync(join(cwd, home!, 'overworld'), ['upgrade', '--check'], {
    cwd,
    encoding: 'utf8',
    env: {},
  });
  assert.equal(tried.status, 0, tried.stderr);
});

test('the archive of the server holds no tests and no package for development', () => {
  const paths = execute('tar', ['tzf', find(/-\w+-\w+\.tar\.gz$/)]).split('\n');
  assert.deepEqual(
    paths.filter((path) => /^[^/]+\/packages\/.*(\.test\.ts$|\/test\/)/.test(path)),
    [],
  );
  for (const name of ['typescript', 'oxlint', 'vite', 'playwright-core', 'react']) {
    assert.ok(!paths.some((path) => path.includes(`/node_modules/${name}/`)), name);
  }
  // The dashboard contains React.
  assert.ok(paths.some((path) => path.endsWith('/licences/react/LICENSE')));
  assert.deepEqual(
    paths.filter((path) => /\/\.env$|\/\.git\//.test(path)),
    [],
  );
});

test('the context of the container has all that its Dockerfile and its builds read', () => {
  const context = unpack(find(/-container\.tar\.gz$/), 'context');
  const read = (path: string) => readFileSync(join(context, path), 'utf8');
  assert.equal(read('Dockerfile'), readFileSync(join(checkout, 'Dockerfile'), 'utf8'));
  for (const [, rule] of read('.dockerignore').matchAll(/^!(.+)$/gm)) {
    execute('test', ['-e', join(context, rule!)]);
  }
  for (const [, source] of read('scripts/bootstrap/builds.js').matchAll(
    /'(\w[\w.-]*\/[\w./-]+)'/g,
  )) {
    if (!source!.includes('/dist')) execute('test', ['-e', join(context, source!)]);
  }
  assert.deepEqual(
    execute('find', [context, '-name', '*.test.ts', '-o', '-name', 'node_modules']),
    '',
  );
});
