import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const script = fileURLToPath(new URL('test.js', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'overworld-test-runs-'));
// When root runs this, PostgreSQL runs as another user, who needs access to the folder.
await chmod(folder, 0o755);
after(() => rm(folder, { recursive: true }));

const serverUrl = process.env.OVERWORLD_TEST_DATABASE_URL;

/** A run that several tests look at. It makes a database with all tables, which takes CPU time. */
const passing = runTests(
  {
    costly: `import pg from '${import.meta.resolve('pg')}';
      test('the template has tables', async () => {
        const url = new URL(process.env.OVERWORLD_TEST_DATABASE_URL);
        url.pathname = '/' + process.env.OVERWORLD_TEST_TEMPLATE;
        const client = new pg.Client({ connectionString: url.href });
        await client.connect();
        const { rows } = await client.query('SELECT count(*)::int AS count FROM migrations');
        await client.end();
        assert.ok(rows[0].count > 0);
      });
      test('not asked for', () => assert.fail());`,
  },
  ['--test-name-pattern=template'],
);
/** A run of files that each fail in their own way. */
const failing = runTests({
  failing: `test('no', () => assert.fail());`,
  throwing: `test('yes', async () => {
      await null;
      setTimeout(() => { throw new Error('nobody catches this'); });
      await new Promise((resolve) => setTimeout(resolve, 50));
    });`,
  leaking: `test('listens', () => createServer().listen(0, '127.0.0.1'));
    import { createServer } from 'node:net';`,
  leaving: `import pg from '${import.meta.resolve('pg')}';
    test('leaves a clone', async () => {
      const client = new pg.Client({ connectionString: process.env.OVERWORLD_TEST_DATABASE_URL });
      await client.connect();
      const template = process.env.OVERWORLD_TEST_TEMPLATE;
      await client.query('CREATE DATABASE ' + template + '_left TEMPLATE ' + template);
      console.log('template=' + template);
      process.kill(process.pid, 'SIGKILL');
    });`,
});

// The tests run side by side, since they mostly wait.
describe('a test run', { concurrency: 4 }, () => {
  test('a run passes when its tests pass, on a database that is migrated', async () => {
    const { code, output } = await passing;
    assert.equal(code, 0, output);
    assert.match(output, /pass 1\n/);
  });

  test("options go to Node's test runner", async () => {
    const { output } = await passing;
    assert.doesNotMatch(output, /not asked for/);
  });

  test('a run lists the files that took the most CPU', async () => {
    const { output } = await passing;
    assert.match(output, /most CPU:\n +\d+\.\d s .*costly\.test\.js\nCPU time of the run: \d+ s\n/);
  });

  test('a run fails when any of its files fails', async () => {
    const { code, output } = await failing;
    assert.equal(code, 1);
    assert.match(output, /fail 4\n/);
  });

  test('a test file fails when it throws an error that nothing catches', async () => {
    const { output } = await failing;
    assert.match(output, /✖ .*throwing\.test\.js/);
    assert.match(output, /nobody catches this/);
  });

  test('a test file fails when it leaves a server open, instead of waiting for ever', async () => {
    const { output } = await failing;
    assert.match(output, /leaking\.test\.js left something open: .*TCPServerWrap/);
  });

  test('a run leaves no database behind, not even one of a test that was killed', async () => {
    const { output } = await failing;
    const [, template] = /template=(\w+)/.exec(output);
    const client = new pg.Client({ connectionString: serverUrl });
    await client.connect();
    const { rows } = await client.query(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
      [template],
    );
    await client.end();
    assert.deepEqual(rows, []);
  });

  test('a run fails when no test ran', async () => {
    const { code, output } = await runTests({ empty: `test.skip('later', () => {});` });
    assert.equal(code, 1);
    assert.match(output, /^No test was run\.$/m);
  });

  test('a run fails when a named file does not exist', async () => {
    const { code, output } = await collect(
      spawnRun(['scripts/test.slow.test.js', 'nowhere.test.ts'], {}),
    );
    assert.equal(code, 1);
    assert.match(output, /No test file matches nowhere\.test\.ts/);
  });

  test('a run leaves out the files of --except, and fails when there are none', async () => {
    const bodies = { kept: `test('kept', () => {});`, left: `test('left', () => assert.fail());` };
    const { code, output } = await runTests(bodies, [`--except=${join(folder, 'left.test.js')}`]);
    assert.equal(code, 0, output);
    assert.match(output, /pass 1\n/);
    const unknown = await runTests({ kept: bodies.kept }, ['--except=nowhere.test.ts']);
    assert.equal(unknown.code, 1);
    assert.match(unknown.output, /No test file matches nowhere\.test\.ts/);
    const none = await runTests({ kept: bodies.kept }, [
      `--except=${join(folder, 'kept.test.js')}`,
    ]);
    assert.equal(none.code, 1);
    assert.match(none.output, /^No test file is left\.$/m);
  });

  /** CI needs these programs. */
  const { CHROMIUM_PATH, GODOT_BIN, HAS_MONO } = process.env;
  const ci = { skip: !(CHROMIUM_PATH && GODOT_BIN && HAS_MONO) };

  test('in CI a test that fails once and passes again is printed and counted', ci, async () => {
    const seen = JSON.stringify(join(folder, 'seen'));
    const body = `import { existsSync, writeFileSync } from 'node:fs';
      test('outer', async (t) => {
        await t.test('now and then', () => {
          const isSecond = existsSync(${seen});
          writeFileSync(${seen}, '');
          assert.ok(isSecond);
        });
      });`;
    const FLAKES_FILE = join(folder, 'flakes');
    const { code, output } = await runTests({ flaky: body }, [], { CI: 'true', FLAKES_FILE });
    assert.equal(code, 0, output);
    assert.match(output, /✖ now and then/);
    assert.match(output, /FLAKES: 1 failed once and passed again:\n.*flaky.*: now and then\n/);
    assert.match(await readFile(FLAKES_FILE, 'utf8'), /^.*flaky.*: now and then\n$/);
  });

  test('in CI a test that fails twice fails the run', ci, async () => {
    const body = `test('no', () => assert.fail());`;
    const { code, output } = await runTests({ broken: body }, [], { CI: 'true' });
    assert.equal(code, 1);
    assert.match(output, /run again:\n.*broken/);
    assert.doesNotMatch(output, /FLAKES/);
  });

  test('without a browser a run in CI fails', async () => {
    const { code, output } = await runTests({ browserless: `test('yes', () => {});` }, [], {
      CI: 'true',
      CHROMIUM_PATH: '',
      PATH: dirname(process.execPath),
    });
    assert.equal(code, 1);
    assert.match(output, /No Chromium was found, and CI needs one/);
  });

  test('without Godot a run in CI fails', async () => {
    const { code, output } = await runTests({ engineless: `test('yes', () => {});` }, [], {
      CI: 'true',
      GODOT_BIN: '',
    });
    assert.equal(code, 1);
    assert.match(output, /No Godot was found, and CI needs it/);
  });

  for (const moment of ['while PostgreSQL starts', 'while tests run']) {
    test(`a run interrupted ${moment} stops PostgreSQL and removes its folder`, async () => {
      const temporary = await mkdtemp(join(folder, 'temporary-'));
      await chmod(temporary, 0o755);
      const child = await spawnTests(
        {
          endless: `test('never ends', () => new Promise(() => {
            console.log('running');
            setInterval(() => {}, 1000);
          }));`,
        },
        [],
        { TEST_DATABASE_URL: '', TMPDIR: temporary },
      );
      const finished = collect(child);
      if (moment === 'while tests run') await once(child.stdout, 'data');
      else {
        const made = () => readdir(temporary, { recursive: true });
        await waitUntil(async () => (await made()).some((path) => basename(path) === 'postgres'));
      }
      child.kill('SIGTERM');
      assert.notEqual((await finished).code, 0);
      assert.deepEqual(await readdir(temporary), []);
    });
  }
});

/** Writes each body into a test file named by its key, and runs the files on the PostgreSQL of this run. */
async function runTests(bodies, options = [], env = {}) {
  return collect(await spawnTests(bodies, options, env));
}

async function spawnTests(bodies, options, env) {
  const imports = "import assert from 'node:assert/strict'; import { test } from 'node:test';";
  const paths = [];
  for (const [name, body] of Object.entries(bodies)) {
    const path = join(folder, `${name}.test.js`);
    await writeFile(path, `${imports}\n${body}`);
    paths.push(path);
  }
  return spawnRun([...paths, ...options], env);
}

function spawnRun(args, env) {
  const own = { ...process.env, TEST_DATABASE_URL: serverUrl, CI: '', FLAKES_FILE: '', ...env };
  // With this variable, the new process would act as a test file of this run, not as a test runner.
  delete own.NODE_TEST_CONTEXT;
  return spawn(process.execPath, [script, ...args], { env: own });
}

function collect(child) {
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}

async function waitUntil(condition) {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}
