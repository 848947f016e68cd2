import { setTimeout as sleep } from 'node:timers/promises';
import { CLUSTER_FAULTS, KILL_DURING_MOVE } from './cluster/faults.ts';
import { createMoves } from './cluster/moves.ts';
import { ClusterStage } from './cluster/stage.ts';
import type { ClusterSize } from './cluster/stage.ts';
import { sumAcknowledged } from './load/mixed-load.ts';
import { findCitus } from './machine/citus.ts';
import { createRandom } from './random.ts';
import type { Report, Suite } from './suite.ts';

export const cluster: Suite = {
  name: 'cluster',
  summary: 'moves groups between two Citus workers, and kills workers, servers and the coordinator',
  options: {
    seconds: { default: 600, meaning: 'until the last round begins' },
    seed: { default: 1, meaning: 'of all that is random' },
  },
  async run({ seconds, seed }, report) {
    const bin = findCitus();
    if (bin === null) {
      return report.figure('cluster', 'not tried: CITUS_BIN names no PostgreSQL with Citus');
    }
    await attackCluster(report, {
      bin,
      size: { groups: 8, games: 4 },
      seconds: seconds!,
      seed: seed!,
      longest_gap_ms: 3_000,
      back_within_ms: 10_000,
      thorough: true,
    });
  },
};

interface ClusterOptions {
  /** The folder with the programs of a PostgreSQL with Citus. */
  bin: string;
  size: ClusterSize;
  /** The time after which no new round of faults begins. The first round always begins. */
  seconds: number;
  seed: number;
  /**
   * The longest time for which a game may have no acknowledged write while its group moves to another node.
   */
  longest_gap_ms: number;
  /** The maximum time after a fault until all games are served again. */
  back_within_ms: number;
  /**
   * If true, a group is moved to another node before each fault, and not only twice. Also, workers are killed
   * during moves, and one quota is filled.
   */
  thorough: boolean;
}

/** The time for which the cluster is under load between two faults. */
const LOAD_MS = 1_500;

export async function attackCluster(
  report: Report,
  { bin, size, seconds, seed, longest_gap_ms, back_within_ms, thorough }: ClusterOptions,
): Promise<void> {
  const random = createRandom(seed);
  await using stage = await ClusterStage.open(report, random, { bin, size });
  report.figure('database', `${stage.citus.coordinator.version}, a coordinator and two workers`);
  if (thorough) await stage.beginQuota();
  const moves = createMoves(stage, longest_gap_ms);
  const faults = thorough ? [...CLUSTER_FAULTS, KILL_DURING_MOVE] : CLUSTER_FAULTS;
  const back_ms = new Map<string, number[]>();
  const end_at = performance.now() + seconds * 1_000;
  let rounds = 0;
  do {
    if (rounds++ > 0) await stage.renewGames();
    stage.start();
    await stage.waitUntilServed('at first', back_within_ms);
    for (const { name, strike } of faults) {
      if (thorough || moves.count < 2) await moves.moveOne(stage);
      await strike(stage, back_within_ms);
      const took_ms = await stage.waitUntilServed(`after a ${name}`, back_within_ms);
      if (stage.servers.servers.some((server) => server.has_ended)) {
        report.violation(`a server ended with a ${name}`);
      }
      back_ms.set(name, [...(back_ms.get(name) ?? []), took_ms]);
      await sleep(LOAD_MS);
    }
    await stage.check(`round ${rounds}`);
  } while (performance.now() < end_at);
  if (thorough) await stage.fillQuota();

  moves.tell();
  for (const [name, times] of back_ms) {
    const longest_ms = Math.round(Math.max(...times));
    report.figure(
      `times ${name}`,
      `${times.length}, all games served again within ${longest_ms} ms`,
    );
  }
  const { counts } = stage;
  report.figure('writes acknowledged around all this', sumAcknowledged(counts));
  const of_each = Object.entries(counts.acknowledged);
  for (const [name, count] of of_each) report.figure(`  ${name}`, count);
  report.figure('requests of unknown outcome', counts.unanswered + counts.unavailable);
}
