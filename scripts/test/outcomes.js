import { appendFileSync, readFileSync } from 'node:fs';

/** The variable with the path of the file to which this reporter writes. */
export const FAILURES_FILE = 'OVERWORLD_TEST_FAILURES_FILE';

/**
 * A reporter that fails a run in which no test passed or failed. It writes a line for each test file or suite
 * with failures, with the names of the tests that failed.
 */
export default async function* noteOutcomes(events) {
  let tests = 0;
  let failed = [];
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const isFile = data.nesting === 0 && data.name === data.file;
    if (!isFile && data.details?.type !== 'suite' && !data.skip && !data.todo) tests++;
    if (type === 'test:pass' || data.todo) continue;
    if (data.details.error?.failureType !== 'subtestsFailed') failed.push(data.name);
    if (data.nesting > 0) continue;
    const failure = { suite: data.name, file: data.file, tests: failed };
    appendFileSync(process.env[FAILURES_FILE], `${JSON.stringify(failure)}\n`);
    failed = [];
  }
  if (tests === 0) {
    process.exitCode = 1;
    yield 'No test was run.\n';
  }
}

/**
 * Reads the test files with failures, and the names of the tests that failed.
 * @param {string} path the file that the reporter wrote
 * @param {{ path: string, files: string[] }[]} processes the files that each test process ran
 * @returns {Map<string, string[]>} The names are listed by test file. If a process ended early, all its files
 * are listed, without names.
 */
export function readFailures(path, processes) {
  const failed = new Map();
  for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
    const { suite, file, tests } = JSON.parse(line);
    const { files } = processes.find((each) => file.endsWith(each.path)) ?? { files: [] };
    if (files.includes(suite)) failed.set(suite, tests);
    else for (const each of files) failed.set(each, files.length === 1 ? tests : []);
  }
  return failed;
}
