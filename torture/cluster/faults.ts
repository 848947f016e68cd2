import { setTimeout as sleep } from 'node:timers/promises';
import { findWorkerPort, moveGroup } from './placement.ts';
import type { ClusterStage } from './stage.ts';

/** A fault that strikes a cluster under load. The fault is over when `strike` resolves. */
export interface ClusterFault {
  name: string;
  /** @param back_within_ms Games on nodes that are running must be served again within this time. */
  strike(stage: ClusterStage, back_within_ms: number): Promise<void>;
}

const AWAY_MS = 3_000;
const LONGEST_MOVE_BEFORE_MS = 3_000;

export const CLUSTER_FAULTS: readonly ClusterFault[] = [
  {
    name: 'SIGKILL of a worker',
    async strike(stage, back_within_ms) {
      const worker = stage.random.pick(stage.citus.workers);
      const others = [];
      for (const game of stage.games) {
        const port = await findWorkerPort(stage.connection, game.schema);
        if (port !== worker.port) others.push(game);
      }
      await worker.kill();
      const others_ms = stage.waitUntilServed('without a worker', back_within_ms, others);
      await Promise.all([others_ms, sleep(AWAY_MS)]);
      await worker.start();
    },
  },
  {
    name: 'SIGKILL of a server',
    async strike({ servers, random }) {
      const victim = random.below(servers.servers.length);
      const server = servers.servers[victim]!;
      server.kill('SIGKILL');
      await server.ended;
      await sleep(AWAY_MS);
      await servers.restart(victim);
    },
  },
  {
    name: 'SIGKILL of the coordinator',
    async strike({ citus }) {
      await citus.coordinator.kill();
      await sleep(AWAY_MS);
      await citus.coordinator.start();
    },
  },
];

/** Kills a worker at a random time during the move of a game group. The fault lasts as long as the move. */
export const KILL_DURING_MOVE: ClusterFault = {
  name: 'SIGKILL of a worker during a move',
  async strike({ citus, connection, games, random, report }) {
    const { schema } = random.pick(games);
    const from = await findWorkerPort(connection, schema);
    const to = citus.workers.find(({ port }) => port !== from)!.port;
    const move = moveGroup(connection, schema, to).then(
      () => 'ended',
      () => 'failed',
    );
    await Promise.race([move, sleep(random.next() * LONGEST_MOVE_BEFORE_MS)]);
    const worker = random.pick(citus.workers);
    await worker.kill();
    await sleep(AWAY_MS);
    await worker.start();
    report.say(`the move of ${schema} ${await move}`);
  },
};
