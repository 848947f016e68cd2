import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBenchServer } from './bench-server.ts';
import { LINES } from './lines.ts';
import { CONNECTIONS, describeMachine, measure, median, RUNS, say, SECONDS } from './measure.ts';

/**
 * Compares the request rates of a server with one worker and with two workers. Each event loop is limited to
 * a part of a core. So even on a machine with two cores, the load generator and PostgreSQL get enough CPU.
 * The benchmark needs root and version 1 of control groups.
 */

const CONTROL_GROUPS = '/sys/fs/cgroup/cpu';
const PERIOD_US = 20_000;
/**
 * The CPU shares of a limited loop: the weight that the kernel gives it. A control group usually has 1,024.
 * With a far greater weight, the loop gets its part of a core even while other programs compete for that
 * core.
 */
const CPU_SHARES = 40_000;
/**
 * The number of connections. A limited loop rests for most of each period. With few connections, all of them
 * could wait for a resting loop while the other loop has nothing to do.
 */
const HELD_CONNECTIONS = 4 * CONNECTIONS;
/** The fraction of a core that each event loop may use. */
const PART = Number(process.env.BENCH_PART ?? 0.25);
/**
 * Each leaderboard has one of the workers as its home, and only this worker answers for the leaderboard. So
 * the load of a single board is spread less evenly over the workers than the load of many boards.
 */
const COMPARED = [
  { label: 'read a 1 KB save', name: 'read a 1 KB save', games: 1 },
  { label: 'top 50 of one board', name: 'top 50 of a 100,000-player board', games: 1 },
  { label: 'top 50 of 16 boards', name: 'top 50 of a 100,000-player board', games: 16 },
];
const WORKERS = [1, 2];
/**
 * The seconds of load before measurements begin. In this time, each thread compiles the code that is used
 * often.
 */
const WARM_UP_SECONDS = 6;

/** Reads the CPU ticks that each thread of a process has used, by the id of the thread. */
function readThreadTicks(pid: number): Map<number, number> {
  const ticks = new Map<number, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    ticks.set(Number(thread), Number(user) + Number(system));
  }
  return ticks;
}

/**
 * Finds the `count` threads that have used the most CPU since the reading `before`, and limits each of them
 * to its part of a core.
 * @returns the folders of the control groups of these threads.
 */
function holdBusiest(pid: number, count: number, before: Map<number, number>): string[] {
  const busiest = [...readThreadTicks(pid)]
    .map(([thread, ticks]) => ({ thread, ticks: ticks - (before.get(thread) ?? 0) }))
    .toSorted((a, b) => b.ticks - a.ticks)
    .slice(0, count);
  return busiest.map(({ thread }) => {
    const group = join(CONTROL_GROUPS, `overworld-bench-${thread}`);
    mkdirSync(group, { recursive: true });
    writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
    writeFileSync(join(group, 'cpu.cfs_quota_us'), String(Math.round(PERIOD_US * PART)));
    writeFileSync(join(group, 'cpu.shares'), String(CPU_SHARES));
    writeFileSync(join(group, 'tasks'), String(thread));
    return group;
  });
}

const rates: Record<string, Record<number, number>> = {};
say(
  `${describeMachine()}\n\n${HELD_CONNECTIONS} connections, ${RUNS} runs of ${SECONDS} s, medians; each event loop has ${PART * 100} % of a core.\n`,
);
for (const workers of WORKERS) {
  process.env.WORKERS = String(workers);
  const server = await startBenchServer();
  const groups: string[] = [];
  try {
    for (const { label, name, games } of COMPARED) {
      const { prepare } = LINES.find((line) => line.name === name)!;
      const prepared = await prepare(server, await server.makeGames(games));
      const before = readThreadTicks(server.server_pid);
      await measure(server, prepared, { connections: HELD_CONNECTIONS, seconds: WARM_UP_SECONDS });
      if (groups.length === 0) groups.push(...holdBusiest(server.server_pid, workers, before));
      const runs: number[] = [];
      for (let run = 0; run < RUNS; run++) {
        const { per_second, errors } = await measure(server, prepared, {
          connections: HELD_CONNECTIONS,
        });
        if (errors > 0) throw new Error(`${label}: ${errors} errors`);
        runs.push(per_second);
      }
      (rates[label] ??= {})[workers] = median(runs);
    }
  } finally {
    await server.close();
    for (const group of groups) rmdirSync(group);
  }
}
say('| line | 1 worker, a second | 2 workers, a second | ratio |\n|---|---:|---:|---:|');
for (const [name, { 1: one, 2: two }] of Object.entries(rates)) {
  say(`| ${name} | ${Math.round(one!)} | ${Math.round(two!)} | ${(two! / one!).toFixed(2)} |`);
}
