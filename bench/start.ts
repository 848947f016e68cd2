import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readMemoryMb, readOwnCpu } from './cpu.ts';
import { describeMachine, median, say } from './measure.ts';

/**
 * `npm run bench:start [another checkout]`: measures the time from the call of `npm start` until the server
 * is ready. Two checkouts are measured in turns. The first start of each checkout is not counted, because it
 * makes the data folder and compiles modules.
 */

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 10);
/** When the server has been ready for this long, the first round of background work is over. */
const IDLE_MS = 2_000;

interface Start {
  ready_ms: number;
  /** CPU of the server itself until it was idle. */
  cpu_ms: number;
  idle_mb: number;
}

async function measureStart(checkout: string, folder: string): Promise<Start> {
  const started = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: checkout,
    // Leaves out the folders that the npm of this run has put first in PATH.
    env: { PATH: machinePath(), HOME: process.env.HOME, DATA_DIR: folder, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = new Promise((done) => child.on('exit', done));
  const url = await new Promise<string>((found, fail) => {
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const address = /running at (http:\S+)/.exec(said)?.[1];
      if (address) found(address);
    });
    void ended.then(() => fail(new Error(`npm start ended:\n${said}`)));
  });
  const answer = await fetch(`${url}/readyz`);
  if (!answer.ok) throw new Error(`/readyz answered ${answer.status}`);
  const ready_ms = performance.now() - started;
  await sleep(IDLE_MS);
  const pid = Number(readFileSync(join(folder, 'postgres', 'owner.pid'), 'utf8'));
  const start = { ready_ms, cpu_ms: readOwnCpu(pid) / 1_000, idle_mb: readMemoryMb(pid) };
  process.kill(-child.pid!, 'SIGTERM');
  await ended;
  return start;
}

function machinePath(): string {
  const folders = (process.env.PATH ?? '').split(':');
  return folders.filter((folder) => !folder.endsWith('node_modules/.bin')).join(':');
}

const own = fileURLToPath(new URL('..', import.meta.url));
const checkouts = [...process.argv.slice(2).map((path) => resolve(path)), resolve(own)];
const starts = new Map<string, Start[]>(checkouts.map((checkout) => [checkout, []]));
const folders = checkouts.map(() =>
  mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'overworld-bench-')),
);
try {
  await Promise.all(folders.map((folder) => chmod(folder, 0o755)));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, checkout] of checkouts.entries()) {
      const start = await measureStart(checkout, folders[index]!);
      if (round > 0) starts.get(checkout)!.push(start);
    }
  }
} finally {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
}

say(`${describeMachine()}; ${ROUNDS} starts each, in turns; medians\n`);
say('| checkout | ready, s | fastest | slowest | CPU of the server, s | idle memory, MB |');
say('|---|---:|---:|---:|---:|---:|');
for (const [checkout, measured] of starts) {
  const of = (name: keyof Start) => measured.map((start) => start[name]);
  const seconds = (ms: number) => (ms / 1_000).toFixed(2);
  const cells = [
    seconds(median(of('ready_ms'))),
    seconds(Math.min(...of('ready_ms'))),
    seconds(Math.max(...of('ready_ms'))),
    seconds(median(of('cpu_ms'))),
    median(of('idle_mb')),
  ];
  say(`| ${checkout} | ${cells.join(' | ')} |`);
}
