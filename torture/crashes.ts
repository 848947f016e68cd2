import { setTimeout as sleep } from 'node:timers/promises';
import { FAULTS } from './crashes/faults.ts';
import { checkStop } from './crashes/stop.ts';
import { checkLoad, withDatabase } from './load/check-load.ts';
import { makeGame } from './load/game.ts';
import { createCounts, createMixedLoad, sumAcknowledged } from './load/mixed-load.ts';
import type { MixedLoad } from './load/mixed-load.ts';
import { makeFolder } from './machine/folder.ts';
import { findFreePort, Server } from './machine/server.ts';
import { createRandom } from './random.ts';
import type { Report, Suite } from './suite.ts';

/** A game's records grow with its load, and so do the checks: then another begins. */
const FAULTS_A_GAME = 5;
const LANES = 48;

export const crashes: Suite = {
  name: 'crashes',
  summary: 'kills server and database under load, and looks for every acknowledged write',
  options: {
    kills: { default: 200, meaning: 'SIGKILLs at random moments' },
    seconds: { default: 6, meaning: 'longest load before one' },
    seed: { default: 1, meaning: 'of all that is random' },
  },
  async run({ kills, seconds, seed }, report) {
    await attackByKills(report, { kills: kills!, seconds: seconds!, seed: seed! });
  },
};

/** Kills server and database in turn, at random moments of a full load. */
export async function attackByKills(
  report: Report,
  { kills, seconds, seed }: { kills: number; seconds: number; seed: number },
): Promise<void> {
  const random = createRandom(seed);
  const counts = createCounts();
  await using folder = await makeFolder();
  const settings = { port: await findFreePort(), data_dir: folder.path };
  let server = await Server.start(settings);
  let load: MixedLoad | null = null;
  let events = 0;
  const starts_ms: number[] = [];
  const struck: Record<string, number> = {};

  const check = async (after: string) => {
    const problems = await checkLoad(load!, server);
    for (const problem of problems) report.violation(`after ${after}: ${problem}`);
  };
  const renewGame = async () => {
    load?.close();
    events += load?.events.acknowledged ?? 0;
    const time_zone = random.pick(['UTC', 'Europe/Berlin', 'Asia/Kathmandu']);
    const game = await withDatabase(server.connection, (database) => makeGame(database, time_zone));
    load = createMixedLoad({
      game,
      random,
      lanes: LANES,
      port: () => settings.port,
      counts,
      onViolation: (text) => report.violation(text),
    });
  };

  const choices = FAULTS.flatMap((fault) => Array.from({ length: fault.weight }, () => fault));
  for (let number = 1; number <= kills; number++) {
    if ((number - 1) % FAULTS_A_GAME === 0) await renewGame();
    // Each in turn first, so that a short run has them all.
    const fault = number <= FAULTS.length ? FAULTS[number - 1]! : random.pick(choices);
    load!.start();
    await sleep(200 + random.next() * (seconds * 1_000 - 200));
    const problem = await fault.strike(server, random);
    if (problem !== null) report.violation(`${fault.name}: ${problem}`);
    await load!.pause();
    if (server.has_ended) {
      server = await Server.start(settings);
      starts_ms.push(server.start_ms);
    }
    struck[fault.name] = (struck[fault.name] ?? 0) + 1;
    await check(fault.name);
    report.say(
      `${number}. ${fault.name}: ${sumAcknowledged(counts).toLocaleString('en-US')} acknowledged so far`,
    );
  }
  await checkStop(report, { server, load: load!, counts });
  server = await Server.start(settings);
  await check('SIGTERM');
  await server.stop();
  load!.close();

  report.figure('writes acknowledged', sumAcknowledged(counts));
  const of_each = Object.entries(counts.acknowledged);
  for (const [name, count] of of_each) report.figure(`  ${name}`, count);
  report.figure('events acknowledged', events + load!.events.acknowledged);
  report.figure('requests of unknown outcome', counts.unanswered + counts.unavailable);
  for (const [name, count] of Object.entries(struck)) report.figure(name, count);
  report.figure('longest start after a kill, ms', Math.round(Math.max(0, ...starts_ms)));
}
