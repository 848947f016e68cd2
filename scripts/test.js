// `npm test`: all checks, and all tests except the slow ones, which `npm run test:slow` runs. `npm test --
// <files>` runs only those tests, and `--except=<files>` leaves tests out. Other options, such as
// `--test-name-pattern=…`, go to node --test.
import { spawn } from 'node:child_process';
import { appendFileSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChecks } from './check.js';
import { findChromium } from './test/chromium.js';
import { findGodot } from './test/godot.js';
import { NOT_ON_CLUSTER } from './test/cluster-files.js';
import { readCpuSeconds } from './test/cpu-account.js';
import { listDearestFiles, sumBrowsers } from './test/cpu-report.js';
import { findCitus } from '../torture/machine/citus.ts';
import { hasMono } from './test/mono.js';
import { startTestDatabase } from './test/database.js';
import { groupFiles } from './test/groups.js';
import { FAILURES_FILE, readFailures } from './test/outcomes.js';
import { makeTemporaryFolder } from './test/temporary-folder.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Node starts files in the order of their names, even if they are given in another order. */
const ALL_FILES = ['{deploy,examples,packages,scripts,sdks,torture}/**/*.test.{js,ts}'];
/** Attacks on a whole installation, and other tests that take many seconds of CPU. */
const SLOW_FILES = ['torture/**/*.test.ts', '**/*.slow.test.{js,ts}'];
/** Tests that import this module have a long form. A slow run also runs these tests, in their long form. */
const LONG_FORMS_MODULE = /from '.*\/long-forms\.ts'/;
/**
 * The folder for compiled modules of the tests and their servers. With it, each process starts in two thirds
 * of the time.
 */
const COMPILE_CACHE = fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url));
/**
 * More files run at a time than there are cores, because most files wait now and then for a browser, a disk or
 * a clock. Quick tests and those on a cluster keep two cores busy for nine tenths of the time with four files.
 * Long tests wait more: they used 873 s of CPU in 795 s, little more than one core.
 */
const FILES_AT_ONCE = availableParallelism() + (isLongRun() ? 4 : 2);
/**
 * Far more time than any test needs, even on a busy machine. A test that hangs fails instead of stopping
 * the run.
 */
const TEST_TIMEOUT_MS = 600_000;
/** If more files than this fail, a second run of them would only delay the news. */
const MOST_RUN_AGAIN = 5;

const isSlowRun = process.argv.includes('--slow');
const isClusterRun = process.argv.includes('--cluster');
const EXCEPT = '--except=';
const left_out = process.argv
  .filter((argument) => argument.startsWith(EXCEPT))
  .map((argument) => argument.slice(EXCEPT.length));
const options = process.argv
  .slice(2)
  .filter((argument) => argument.startsWith('-') && !/^--(slow$|cluster$|except=)/.test(argument));
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));

/** Ctrl-C reaches the tests too. This process must go on, to clean up after the tests. */
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => interruption.abort());
}

/** The CPU seconds that the browsers of the tests have used. */
let browsers = 0;

process.exitCode = await main();
console.log(`CPU time of the run: ${Math.round(readCpuSeconds() + browsers)} s`);

async function main() {
  if (named.length === 0 && !isSlowRun && !isClusterRun && !(await runChecks())) return 1;
  const unmatched = [...named, ...left_out].find((pattern) => listFiles(pattern).length === 0);
  if (unmatched !== undefined) {
    console.error(`No test file matches ${unmatched}.`);
    return 1;
  }
  const others = listFiles(left_out);
  const files = (named.length > 0 ? listFiles(named) : listOwnFiles()).filter(
    (file) => !others.includes(file),
  );
  if (files.length === 0) {
    console.error('No test file is left.');
    return 1;
  }
  const citusBin = isClusterRun ? findCitus() : null;
  if (isClusterRun && citusBin === null) {
    console.log(
      'No PostgreSQL with Citus was found: the tests on a cluster are skipped (set CITUS_BIN).',
    );
    return 0;
  }
  if (isClusterRun) process.env.TEST_GROUPS ??= '2';
  if (isSlowRun) process.env.LONG_FORMS ??= 'yes';
  const chromium = findChromium();
  if (chromium === null && process.env.CI) {
    console.error('No Chromium was found, and CI needs one: install it, or set CHROMIUM_PATH.');
    return 1;
  }
  if (chromium === null && named.length === 0) {
    console.log('No Chromium was found: the browser tests are skipped (set CHROMIUM_PATH).');
  }
  const isMonoThere = hasMono();
  if (!isMonoThere && process.env.CI) {
    console.error('No Mono was found, and CI needs it: install mono-mcs and mono-runtime.');
    return 1;
  }
  if (!isMonoThere && named.length === 0) {
    console.log('No Mono was found (mcs, mono): the tests of the Unity package are skipped.');
  }
  const godot = findGodot();
  if (godot === null && process.env.CI) {
    console.error(
      'No Godot was found, and CI needs it: install Godot 4.5 or newer, or set GODOT_BIN.',
    );
    return 1;
  }
  if (godot === null && named.length === 0) {
    console.log('No Godot was found: the tests of the Godot addon are skipped (set GODOT_BIN).');
  }
  await using temporary = await makeTemporaryFolder();
  process.env.TMPDIR = temporary.path;
  await using database = await startTestDatabase(citusBin);
  if (interruption.signal.aborted) return 1;
  const cpuFile = join(temporary.path, 'cpu.jsonl');
  const code = await runUpToTwice(files, temporary.path, {
    ...database.env,
    OVERWORLD_TEST_CPU_FILE: cpuFile,
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    CHROMIUM_PATH: chromium ?? '',
    GODOT_BIN: godot ?? '',
    HAS_MONO: isMonoThere ? 'yes' : '',
  });
  browsers = sumBrowsers(cpuFile);
  console.log(['The files that took the most CPU:', ...listDearestFiles(cpuFile, root)].join('\n'));
  return code;
}

/** Runs test files. If only a few fail, they run a second time, and tests that then pass are counted. */
async function runUpToTwice(files, folder, env) {
  const processes = await groupFiles(files, root, folder);
  const failuresFile = join(folder, 'failures.jsonl');
  writeFileSync(failuresFile, '');
  const paths = processes.map(({ path }) => path);
  const code = await runTests(paths, { ...env, [FAILURES_FILE]: failuresFile });
  const failed = readFailures(failuresFile, processes);
  const again = [...failed.keys()];
  if (code === 0 || again.length === 0 || again.length > MOST_RUN_AGAIN) return code;
  if (named.length > 0 && !process.env.CI) return code;
  if (interruption.signal.aborted) return code;
  console.log(['Tests failed in these files, which now run again:', ...again].join('\n  '));
  // In suites again: without one, the tests of a file do not wait for hooks that its imports have added.
  const apart = await groupFiles(again, root, folder);
  const second = await runTests(
    apart.map(({ path }) => path),
    { ...env, [FAILURES_FILE]: failuresFile },
  );
  if (second !== 0) return second;
  const flakes = [...failed].flatMap(([file, tests]) =>
    tests.length > 0 ? tests.map((name) => `${file}: ${name}`) : [file],
  );
  console.log([`FLAKES: ${flakes.length} failed once and passed again:`, ...flakes].join('\n  '));
  // `.ci/run` lists the flakes of all its runs.
  if (process.env.FLAKES_FILE) appendFileSync(process.env.FLAKES_FILE, `${flakes.join('\n')}\n`);
  return 0;
}

/** Tells whether tests run in their long form, and slow tests are among them. */
function isLongRun() {
  return process.argv.includes('--slow') || Boolean(process.env.LONG_FORMS);
}

function listOwnFiles() {
  if (isClusterRun) {
    const elsewhere = listFiles(NOT_ON_CLUSTER.flatMap(({ files }) => files));
    return listFiles('packages/server/**/*.test.ts').filter((file) => !elsewhere.includes(file));
  }
  const slow = listFiles(SLOW_FILES);
  const quick = listFiles(ALL_FILES).filter((file) => !slow.includes(file));
  return isSlowRun ? [...slow, ...quick.filter(hasLongForm)] : quick;
}

function hasLongForm(file) {
  return LONG_FORMS_MODULE.test(readFileSync(join(root, file), 'utf8'));
}

function listFiles(patterns) {
  const found = [patterns]
    .flat()
    .flatMap((pattern) =>
      globSync(pattern, { cwd: root, exclude: (path) => path.includes('node_modules') }).sort(),
    );
  return [...new Set(found)];
}

function runTests(files, env) {
  const child = spawn(
    process.execPath,
    [
      '--test',
      `--test-concurrency=${FILES_AT_ONCE}`,
      `--test-timeout=${TEST_TIMEOUT_MS}`,
      `--import=${new URL('test/light-hooks.js', import.meta.url)}`,
      `--import=${new URL('test/require-exit.js', import.meta.url)}`,
      `--import=${new URL('test/cpu-account.js', import.meta.url)}`,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      `--test-reporter=${new URL('test/outcomes.js', import.meta.url)}`,
      '--test-reporter-destination=stderr',
      ...options,
      ...files,
    ],
    { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  interruption.signal.addEventListener('abort', () => child.kill());
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}
