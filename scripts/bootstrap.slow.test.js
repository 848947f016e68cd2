import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const scripts = fileURLToPath(new URL('.', import.meta.url));
const INSTALLING = /^Installing the packages/m;
const BUILDING = /^Building the dashboard/m;

const template = await mkdtemp(join(tmpdir(), 'overworld-bootstrap-'));
before(makeTemplate);
after(() => rm(template, { recursive: true }));

// The tests run side by side, since they mostly wait.
describe('the preparation of `npm start` and other scripts', { concurrency: 4 }, () => {
  test('a fresh checkout is installed at its first start, and not at the next', async () => {
    await using checkout = await makeCheckout();
    const first = await checkout.bootstrap('start');
    assert.match(first.output, INSTALLING);
    assert.equal(first.code, 0);
    assert.ok(checkout.has('node_modules/game'));
    assert.deepEqual(await checkout.bootstrap('start'), { code: 0, output: '' });
  });

  test('development packages are installed even when NODE_ENV is production', async () => {
    await using checkout = await makeCheckout();
    const { code } = await checkout.bootstrap('start', { NODE_ENV: 'production' });
    assert.equal(code, 0);
    assert.ok(checkout.has('node_modules/tool'));
  });

  test('a start runs without development packages, and a test run installs them', async () => {
    await using checkout = await makeCheckout();
    await checkout.npm('ci', '--omit=dev');
    assert.deepEqual(await checkout.bootstrap('start'), { code: 0, output: '' });
    assert.match((await checkout.bootstrap('test')).output, INSTALLING);
    assert.ok(checkout.has('node_modules/tool'));
  });

  test('a package that is missing, or of another version, is installed', async () => {
    await using checkout = await makeCheckout();
    await checkout.bootstrap('test');
    await checkout.remove('node_modules/tool');
    assert.match((await checkout.bootstrap('test')).output, INSTALLING);
    assert.ok(checkout.has('node_modules/tool'));

    await checkout.edit('tool/package.json', (text) => text.replace('1.0.0', '1.0.1'));
    await checkout.npm('pack', './tool');
    await checkout.edit('package.json', (text) => text.replace('1.0.0.tgz', '1.0.1.tgz'));
    await checkout.npm('install', '--package-lock-only');
    assert.match((await checkout.bootstrap('test')).output, INSTALLING);
    assert.deepEqual(await checkout.bootstrap('test'), { code: 0, output: '' });
  });

  test('an installation that fails shows the output of npm', async () => {
    await using checkout = await makeCheckout();
    await checkout.edit('package.json', (text) => text.replace('"tool"', '"other-tool"'));
    const { code, output } = await checkout.bootstrap('start', { npm_config_loglevel: 'silent' });
    assert.equal(code, 1);
    assert.match(output, /Missing: .*other-tool/);
    assert.match(output, /^The packages could not be installed/m);
  });

  test('if several starts come at once, one installs and the others wait for it', async () => {
    await using checkout = await makeCheckout();
    const results = await Promise.all(Array.from({ length: 4 }, () => checkout.bootstrap('start')));
    for (const { code } of results) assert.equal(code, 0);
    assert.equal(results.filter(({ output }) => INSTALLING.test(output)).length, 1);
  });

  test('an installation that was killed does not block the next one', async () => {
    await using checkout = await makeCheckout();
    const killed = checkout.spawnBootstrap('start');
    await new Promise((resolve) => killed.stdout.once('data', resolve));
    // The signal goes to the whole process group. If only its first process were killed, npm would go on.
    process.kill(-killed.pid, 'SIGKILL');
    const { code, output } = await checkout.bootstrap('start');
    assert.equal(code, 0);
    assert.match(output, INSTALLING);
  });

  test('the dashboard is built when its sources have changed', async () => {
    await using checkout = await makeCheckout();
    await checkout.addDashboard();
    assert.match((await checkout.bootstrap('start')).output, BUILDING);
    assert.equal(await checkout.read('packages/dashboard/dist/index.html'), 'one');
    assert.deepEqual(await checkout.bootstrap('test'), { code: 0, output: '' });

    await checkout.edit('packages/dashboard/src/page.txt', () => 'two');
    assert.deepEqual(await checkout.bootstrap('check'), { code: 0, output: '' });
    assert.match((await checkout.bootstrap('demo')).output, BUILDING);
    assert.equal(await checkout.read('packages/dashboard/dist/index.html'), 'two');

    await checkout.edit('packages/contract/src/answer.ts', () => 'export const answer = 43;');
    assert.match((await checkout.bootstrap('start')).output, BUILDING);
    await checkout.remove('packages/dashboard/dist');
    assert.match((await checkout.bootstrap('start')).output, BUILDING);
  });

  test('the SDKs are packed when their sources have changed', async () => {
    await using checkout = await makeCheckout();
    await checkout.addSdks();
    assert.match((await checkout.bootstrap('start')).output, /^Building the SDKs/m);
    assert.equal(await checkout.read('packages/server/dist/sdk/overworld.js'), 'one');
    assert.deepEqual(await checkout.bootstrap('test'), { code: 0, output: '' });
    for (const source of ['packages/sdk/src/game.ts', 'sdks/godot/addons/game.gd']) {
      await checkout.edit(source, () => 'two');
      assert.match((await checkout.bootstrap('start')).output, /^Building the SDKs/m, source);
    }
  });

  test('a build that fails shows why, and is tried again', async () => {
    await using checkout = await makeCheckout();
    await checkout.addDashboard();
    await checkout.edit('packages/dashboard/build.js', () => 'throw new Error("no such colour")');
    for (let attempt = 0; attempt < 2; attempt++) {
      const { code, output } = await checkout.bootstrap('start');
      assert.equal(code, 1);
      assert.match(output, /no such colour/);
      assert.match(output, /^The dashboard could not be built/m);
    }
  });

  test("a Node from npm that cannot run here is removed in favour of the machine's own", async () => {
    await using checkout = await makeCheckout();
    await checkout.bootstrap('start');
    await mkdir(checkout.path('node_modules/.bin'), { recursive: true });
    for (const [content, why] of [
      ['#!/nowhere/ld.so', 'is made for another system'],
      ['#!/bin/sh\necho v20.1.0', 'is too old'],
    ]) {
      await writeFile(checkout.path('node_modules/.bin/node'), content);
      await chmod(checkout.path('node_modules/.bin/node'), 0o755);
      assert.deepEqual(await checkout.bootstrap('start'), { code: 0, output: '' }, why);
      assert.ok(!checkout.has('node_modules/.bin/node'), why);
    }
  });

  for (const { version, expected } of [
    { version: '18.19.0', expected: 'Overworld needs Node 20 or newer; this is v18.19.0.\n' },
    {
      version: '22.1.0',
      expected: `Overworld runs on Node 24 or newer, which npm has no package of for ${process.platform} ${process.arch}; this machine has v22.1.0: install a newer Node.\n`,
    },
  ]) {
    test(`on Node ${version} without a newer one, one line says which version is needed`, async () => {
      await using checkout = await makeCheckout();
      await checkout.bootstrap('start');
      const asIf = `Object.defineProperties(process, {
        version: { value: 'v${version}' },
        versions: { value: { ...process.versions, node: '${version}' } },
      })`;
      const answer = await checkout.bootstrap('start', {
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(asIf)}`,
      });
      assert.deepEqual(answer, { code: 1, output: expected });
    });
  }
});

/** Makes a checkout with these scripts, a workspace and a development package, without any registry. */
async function makeCheckout() {
  const root = await mkdtemp(join(tmpdir(), 'overworld-bootstrap-'));
  await cp(template, root, { recursive: true });
  return describeCheckout(root);
}

/** Makes the template of checkouts, only once, because npm takes long to write a lockfile. */
async function makeTemplate() {
  const checkout = describeCheckout(template);
  await cp(scripts, checkout.path('scripts'), { recursive: true });
  await checkout.write('package.json', {
    name: 'fixture',
    version: '1.0.0',
    type: 'module',
    workspaces: ['packages/*'],
    devDependencies: { tool: 'file:tool-1.0.0.tgz' },
  });
  await checkout.write('tsconfig.json', {});
  await checkout.write('packages/game/package.json', { name: 'game', version: '1.0.0' });
  await checkout.write('tool/package.json', { name: 'tool', version: '1.0.0' });
  await checkout.npm('pack', './tool');
  await checkout.npm('install', '--package-lock-only');
}

function describeCheckout(root) {
  const path = (name) => join(root, name);
  const checkout = {
    path,
    has: (name) => existsSync(path(name)),
    read: (name) => readFile(path(name), 'utf8'),
    remove: (name) => rm(path(name), { recursive: true }),
    edit: async (name, change) => writeFile(path(name), change(await readFile(path(name), 'utf8'))),
    async write(name, content) {
      await mkdir(dirname(path(name)), { recursive: true });
      await writeFile(path(name), typeof content === 'string' ? content : JSON.stringify(content));
    },
    npm: (...args) => run(spawn('npm', args, { cwd: root })),
    spawnBootstrap: (script, env = {}) =>
      spawn(process.execPath, [path('scripts/bootstrap.js'), script], {
        detached: true,
        env: { ...process.env, ...env },
      }),
    bootstrap: (script, env) => run(checkout.spawnBootstrap(script, env)),
    async addDashboard() {
      await checkout.write('packages/contract/src/answer.ts', 'export const answer = 42;');
      await checkout.write('packages/dashboard/package.json', {
        name: 'dashboard',
        version: '1.0.0',
        type: 'module',
        scripts: { build: 'node build.js' },
      });
      await checkout.write('packages/dashboard/src/page.txt', 'one');
      await checkout.write(
        'packages/dashboard/build.js',
        `import { cpSync } from 'node:fs'; cpSync('src/page.txt', 'dist/index.html');`,
      );
      await checkout.npm('install', '--package-lock-only');
    },
    async addSdks() {
      await checkout.write('LICENSE', 'free');
      await checkout.write('packages/sdk/src/game.ts', 'one');
      await checkout.write('sdks/godot/addons/game.gd', 'one');
      await checkout.write('sdks/unity/Game.cs', 'one');
      await checkout.write('sdks/pack.ts', 'only Node 24 can run this file');
      await checkout.write(
        'sdks/pack.js',
        `import { cpSync } from 'node:fs'; cpSync('packages/sdk/src/game.ts', 'packages/server/dist/sdk/overworld.js');`,
      );
      await checkout.edit('package.json', (text) =>
        JSON.stringify({ ...JSON.parse(text), scripts: { 'build:sdks': 'node sdks/pack.js' } }),
      );
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  };
  return checkout;
}

function run(child) {
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}
