// Node loads this module before each test file. The module counts
// the file's CPU time, for the list at the end of a test run.
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { after, before } from 'node:test';
import { isMainThread } from 'node:worker_threads';

/** A tick of /proc is a hundredth of a second on every Linux. */
const TICKS_PER_SECOND = 100;

const path = process.env.OVERWORLD_TEST_CPU_FILE;
/** @type {Record<string, number>} */
const suites = {};
/** The CPU seconds of browsers that were closed. The CPU time of this process does not include them. */
let browsers = 0;

// The process of a test file also counts its workers and the servers that it starts.
if (path && isMainThread && /\.test\.[jt]s$/.test(process.argv[1] ?? '')) {
  process.on('exit', () => {
    const seconds = readCpuSeconds() + browsers;
    const line = JSON.stringify({ file: process.argv[1], seconds, browsers, suites });
    appendFileSync(path, `${line}\n`);
  });
}

/**
 * Returns the CPU seconds of this process so far (user and system), including its child
 * processes that have ended. On systems other than Linux, child processes are not included.
 */
export function readCpuSeconds() {
  try {
    const { own, waited } = readProcess('self');
    return own + waited;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
}

/**
 * Reads the CPU seconds of a process (`own`), and those of its child processes that have ended and for which
 * it has waited (`waited`).
 */
function readProcess(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system, waitedUser, waitedSystem] = fields.slice(11, 15).map(Number);
  return {
    parent: fields[1],
    own: (user + system) / TICKS_PER_SECOND,
    waited: (waitedUser + waitedSystem) / TICKS_PER_SECOND,
  };
}

/**
 * Closes a browser and counts the CPU time of all its processes. The function reads this time before it
 * closes the browser. Most of the time is that of the processes that draw pages. A browser does not wait for
 * their end, so the system would not add their CPU time to that of this process.
 * @param {() => Promise<void>} close
 */
export async function closeBrowser(close) {
  const seconds = readBrowserSeconds();
  if (seconds === 0) return close();
  const { waited } = readProcess('self');
  await close();
  browsers += Math.max(0, seconds - (readProcess('self').waited - waited));
}

function readBrowserSeconds() {
  const processes = listProcesses();
  return processes
    .filter((each) => each.parent === String(process.pid) && isBrowser(each))
    .reduce((total, browser) => total + sumTree(browser, processes), 0);
}

/** Adds up the CPU seconds of a process and of all processes that it has started. */
function sumTree({ pid, own, waited }, processes) {
  return processes
    .filter(({ parent }) => parent === String(pid))
    .reduce((total, child) => total + sumTree(child, processes), own + waited);
}

/** Lists all processes. On systems other than Linux, the list is empty. */
function listProcesses() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        try {
          return [{ pid, ...readProcess(pid) }];
        } catch {
          return []; // The process has ended meanwhile.
        }
      });
  } catch {
    return [];
  }
}

const isBrowser = ({ pid }) =>
  readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--remote-debugging-pipe');

/**
 * Counts the CPU time of a test file that runs in the same process as other test files. The time of the
 * file's browsers is included. Call this function in the suite of the file.
 */
export function countSuite(file) {
  let started;
  before(() => {
    started = readTreeSeconds();
  });
  after(() => {
    suites[file] = readTreeSeconds() - started;
  });
}

/**
 * Returns the CPU seconds of this process and of all
 * processes that it has started, even those that have ended.
 */
function readTreeSeconds() {
  const processes = listProcesses();
  const self = processes.find(({ pid }) => pid === String(process.pid));
  return self ? sumTree(self, processes) + browsers : readCpuSeconds();
}
