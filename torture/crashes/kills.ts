import { findFreePort } from '../../packages/server/test/free-port.ts';
import { makeFolder } from '../machine/folder.ts';
import { createRandom } from '../random.ts';
import type { Report } from '../suite.ts';
import { END_OF_A_WORKER, FAULTS } from './faults.ts';
import { Stage } from './stage.ts';
import { checkStop } from './stop.ts';

const END_WORKERS = new URL('../../packages/server/test/workers/end-workers.js', import.meta.url);
const FAULTS_A_GAME = 5;
const SHORTEST_LOAD_MS = 200;

interface KillOptions {
  kills: number;
  /** Longest load before a kill, in seconds. */
  seconds: number;
  /**
   * The least number of acknowledged writes before each kill. The kill waits for them, however long they
   * take.
   */
  least_writes: number;
  /** The attack ends after this time, even if it has made fewer kills than `kills`. */
  within_seconds: number;
  seed: number;
  /** Workers of the server. */
  workers: number;
}

/** Kills server and database at random moments of a full load, and then stops the server properly. */
export async function attackByKills(
  report: Report,
  { kills, seconds, least_writes, within_seconds, seed, workers }: KillOptions,
): Promise<void> {
  const random = createRandom(seed);
  await using folder = await makeFolder();
  const env = { WORKERS: String(workers), NODE_OPTIONS: `--import=${END_WORKERS}` };
  const settings = { port: await findFreePort(), data_dir: folder.path, env };
  await using stage = await Stage.open(report, random, settings);
  const starts_ms: number[] = [];
  const struck: Record<string, number> = {};

  const faults = workers > 1 ? [...FAULTS, END_OF_A_WORKER] : FAULTS;
  const choices = faults.flatMap((fault) => Array.from({ length: fault.weight }, () => fault));
  const started = performance.now();
  for (let number = 1; number <= kills; number++) {
    if (performance.now() - started > within_seconds * 1_000) break;
    if (number % FAULTS_A_GAME === 0) await stage.renewGame();
    // At first each fault comes once in turn, so that a short run has all of them.
    const fault = number <= faults.length ? faults[number - 1]! : random.pick(choices);
    const span_ms = seconds * 1_000 - SHORTEST_LOAD_MS;
    await stage.loadFor(SHORTEST_LOAD_MS + random.next() * span_ms, least_writes);
    const problem = await fault.strike(stage.server, random);
    if (problem !== null) report.violation(`${fault.name}: ${problem}`);
    await stage.load.pause();
    if (stage.server.has_ended) {
      await stage.restart();
      starts_ms.push(stage.server.start_ms);
    }
    struck[fault.name] = (struck[fault.name] ?? 0) + 1;
    await stage.check(`${number}. ${fault.name}`);
  }
  await checkStop(report, stage);
  await stage.restart();
  await stage.check('SIGTERM');

  report.figure(
    'kills',
    Object.values(struck).reduce((sum, count) => sum + count, 0),
  );
  report.figure('writes acknowledged around kills', stage.acknowledged);
  const of_each = Object.entries(stage.counts.acknowledged);
  for (const [name, count] of of_each) report.figure(`  ${name}`, count);
  report.figure('events in them', stage.acknowledged_events);
  report.figure('requests of unknown outcome', stage.counts.unanswered + stage.counts.unavailable);
  for (const [name, count] of Object.entries(struck)) report.figure(`  ${name}`, count);
  report.figure('longest start after a kill, ms', Math.round(Math.max(0, ...starts_ms)));
}
