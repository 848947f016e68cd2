// Loaded before each test file: counts its CPU time for the list at the end of a run.
import { appendFileSync, readFileSync } from 'node:fs';
import { after, before } from 'node:test';
import { isMainThread } from 'node:worker_threads';

/** A tick of /proc is a hundredth of a second on every Linux. */
const TICKS_PER_SECOND = 100;

const path = process.env.OVERWORLD_TEST_CPU_FILE;
/** @type {Record<string, number>} */
const suites = {};

// The process of a test counts its workers and the servers that it starts.
if (path && isMainThread && /\.test\.[jt]s$/.test(process.argv[1] ?? '')) {
  process.on('exit', () => {
    const line = JSON.stringify({ file: process.argv[1], seconds: readCpuSeconds(), suites });
    appendFileSync(path, `${line}\n`);
  });
}

/**
 * CPU time of this process so far, user and system, with the time of its child processes that have
 * ended. On systems other than Linux it is the time of this process alone.
 */
export function readCpuSeconds() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return ticks / TICKS_PER_SECOND;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
}

/**
 * Counts one file of several in this process: to be called in the suite of the file. Child processes
 * are left out, because they may end, and so be counted, while another file runs.
 */
export function countSuite(file) {
  let started;
  before(() => {
    started = process.cpuUsage();
  });
  after(() => {
    const { user, system } = process.cpuUsage(started);
    suites[file] = (user + system) / 1e6;
  });
}
