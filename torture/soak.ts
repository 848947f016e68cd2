import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../packages/server/test/free-port.ts';
import { withDatabase } from '../packages/server/src/cli/installation.ts';
import { checkLoad } from './load/check-load.ts';
import { makeGame } from './load/game.ts';
import { createCounts, createMixedLoad, sumAcknowledged } from './load/mixed-load.ts';
import { makeFolder } from './machine/folder.ts';
import { readMemoryMb } from './machine/memory.ts';
import { Server } from './machine/server.ts';
import { createRandom } from './random.ts';
import type { Report, Suite } from './suite.ts';

const CLIENTS = 32;
/** For this time at the beginning of a run, caches fill and V8 compiles code, so the memory grows. */
const WARM_UP_S = 120;
const MAX_GROWTH = 0.1;
/**
 * A measurement is the median of at most this many readings, which are one second apart. A single reading
 * says little, because memory rises and falls with garbage collections.
 */
const LOOKS = 15;
const SAMPLE_INTERVAL_S = 30;

export const soak: Suite = {
  name: 'soak',
  summary: 'loads a server for long, and looks whether its memory stays as it is',
  options: {
    seconds: { default: 600, meaning: 'of load; 3600 for an hour' },
    pause: { default: 10, meaning: 'milliseconds that a client waits between requests' },
    seed: { default: 1, meaning: 'of all that is random' },
  },
  run: ({ seconds, pause, seed }, report) =>
    attackByTime(report, { seconds: seconds!, pause_ms: pause!, seed: seed! }),
};

export async function attackByTime(
  report: Report,
  { seconds, pause_ms, seed }: { seconds: number; pause_ms: number; seed: number },
): Promise<void> {
  await using folder = await makeFolder();
  const server = await Server.start({ port: await findFreePort(), data_dir: folder.path });
  try {
    const game = await withDatabase(server.connection, (database) => makeGame(database, 'UTC'));
    const counts = createCounts();
    const load = createMixedLoad({
      game,
      random: createRandom(seed),
      clients: CLIENTS,
      port: () => server.settings.port,
      counts,
      pause_ms,
      onViolation: (text) => report.violation(text),
    });
    const started = performance.now();
    const left_s = () => seconds - (performance.now() - started) / 1_000;
    load.start();
    await sleep(Math.min(WARM_UP_S, seconds / 3) * 1_000);
    const looks = Math.max(1, Math.min(LOOKS, Math.floor(seconds / 10)));
    const before_mb = await measureMemory(server, looks);
    report.say(`${before_mb} MB after warming up`);
    while (left_s() > looks) {
      await sleep(Math.min(SAMPLE_INTERVAL_S, left_s() - looks) * 1_000);
      report.say(`${readMemoryMb(server.pid)} MB, ${sumAcknowledged(counts)} acknowledged`);
    }
    const after_mb = await measureMemory(server, looks);
    await load.pause();
    load.close();
    const problems = await checkLoad(load, server);
    for (const problem of problems) report.violation(problem);
    const growth = after_mb / before_mb - 1;
    report.figure('writes acknowledged', sumAcknowledged(counts));
    report.figure('p99, ms', counts.latencies.percentile(0.99));
    report.figure('memory after warming up, MB', before_mb);
    report.figure('memory at the end, MB', after_mb);
    report.figure('growth, %', Math.round(growth * 1_000) / 10);
    // During a shorter run, caches still fill and V8 still compiles code, so the growth does not count.
    if (seconds >= 2 * WARM_UP_S && growth > MAX_GROWTH) {
      report.violation(`memory grew from ${before_mb} to ${after_mb} MB`);
    }
  } finally {
    await server.stop();
  }
}

async function measureMemory(server: Server, looks: number): Promise<number> {
  const seen: number[] = [];
  for (let look = 0; look < looks; look++) {
    seen.push(readMemoryMb(server.pid));
    await sleep(1_000);
  }
  return seen.toSorted((a, b) => a - b)[Math.floor(looks / 2)]!;
}
