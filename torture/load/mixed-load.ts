import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.ts';
import { createClaimLoad } from './claim-load.ts';
import { Connection, UnansweredError } from './connection.ts';
import type { Answer } from './connection.ts';
import { createEventLoad } from './event-load.ts';
import type { EventLoad } from './event-load.ts';
import type { Game } from './game.ts';
import { createLatencies } from './latencies.ts';
import type { Latencies } from './latencies.ts';
import { createIdentifyLoad, createTagLoad } from './player-load.ts';
import { createSaveLoad } from './save-load.ts';
import { createScoreLoad } from './score-load.ts';
import { createStatLoad } from './stat-load.ts';
import { createUnlockLoad } from './unlock-load.ts';
import type { Step, Workload } from './workload.ts';

/** Counts of a load, over all of its games. */
export interface LoadCounts {
  acknowledged: Record<string, number>;
  /** Requests that were answered with 429 or another error, except 503. */
  refused: number;
  unavailable: number;
  /** Requests that were sent and not answered. */
  unanswered: number;
  latencies: Latencies;
  /** For each unanswered request, the milliseconds until its connection ended, newest last. */
  unanswered_after_ms: number[];
}

export const createCounts = (): LoadCounts => ({
  acknowledged: {},
  refused: 0,
  unavailable: 0,
  unanswered: 0,
  latencies: createLatencies(),
  unanswered_after_ms: [],
});

export const sumAcknowledged = ({ acknowledged }: LoadCounts): number =>
  Object.values(acknowledged).reduce((sum, count) => sum + count, 0);

export interface MixedLoadOptions {
  game: Game;
  random: Random;
  clients: number;
  /** Returns the port for a new connection. */
  port: () => number;
  /** The counts to which the load adds. */
  counts: LoadCounts;
  onViolation: (text: string) => void;
  /** The most events in a request. */
  max_batch?: number;
  /** Leaves out all writes other than events. */
  only?: 'events';
  /** More kinds of writes, with their weights. The weights of the usual kinds add up to 100. */
  further?: readonly [weight: number, workload: Workload][];
  onAcknowledged?: () => void;
  /** Milliseconds that a client waits after an answer; 0 by default. */
  pause_ms?: number;
}

/** Sends all kinds of writes to one game until it is paused. Each client sends one request at a time. */
export interface MixedLoad {
  readonly game: Game;
  readonly workloads: readonly Workload[];
  readonly events: EventLoad;
  start(): void;
  /** Stops sending, and resolves when no request is under way. */
  pause(): Promise<void>;
  close(): void;
}

/**
 * The time after which a refused or disconnected client tries again. It is short, to keep the pressure up.
 */
const RETRY_MS = 20;

export function createMixedLoad(options: MixedLoadOptions): MixedLoad {
  const { game, random, clients, port, counts, onViolation, max_batch = 8, pause_ms = 0 } = options;
  const events = createEventLoad(random, max_batch);
  const weighted: [number, Workload][] = [[30, events]];
  if (options.only !== 'events') {
    weighted.push(
      [10, createIdentifyLoad(random)],
      [5, createTagLoad(random)],
      [5, createClaimLoad(random)],
      [15, createSaveLoad(random)],
      [10, createUnlockLoad(random)],
      [10, createStatLoad(random)],
      [15, createScoreLoad(random)],
      ...(options.further ?? []),
    );
  }
  const choices = weighted.flatMap(([weight, workload]) =>
    Array.from({ length: weight }, () => workload),
  );
  const connections = Array.from(
    { length: clients },
    () => new Connection(port, { 'x-game-api-key': game.key }),
  );
  let stop = new AbortController();
  let under_way: Promise<unknown> = Promise.resolve();

  /** Returns the answer for the workload, or null if the outcome is unknown. */
  const judge = (answer: Answer, workload: Workload, step: Step): Answer | null => {
    const { status, body } = answer;
    if (status === 503) {
      counts.unavailable += 1;
      if (answer.retry_after === null) onViolation(`${workload.name}: a 503 without Retry-After`);
      return null;
    }
    const succeeded = status >= 200 && status < 300;
    const { acknowledged } = counts;
    if (succeeded) {
      acknowledged[workload.name] = (acknowledged[workload.name] ?? 0) + 1;
      options.onAcknowledged?.();
    } else counts.refused += 1;
    if (succeeded || step.accepts?.includes(status)) return answer;
    onViolation(`${workload.name}: ${step.request.path} was answered ${status} ${body}`);
    return null;
  };

  const tell = (workload: Workload, step: Step, answer: Answer | null) => {
    const problem = step.onOutcome(answer);
    if (problem !== null) onViolation(`${workload.name}: ${problem}`);
  };

  const runClient = async (connection: Connection, client: number) => {
    while (!stop.signal.aborted) {
      const workload = random.pick(choices);
      const step = workload.next(client);
      const sent_at = performance.now();
      let judged: Answer | null = null;
      try {
        const answer = await connection.send(step.request);
        counts.latencies.add(performance.now() - sent_at);
        judged = judge(answer, workload, step);
      } catch (error) {
        if (!(error instanceof UnansweredError)) throw error;
        if (error.sent) {
          counts.unanswered += 1;
          counts.unanswered_after_ms.push(performance.now() - sent_at);
        }
      }
      tell(workload, step, judged);
      const wait_ms = judged === null ? RETRY_MS : pause_ms;
      if (wait_ms > 0) await sleep(wait_ms);
    }
  };

  return {
    game,
    workloads: weighted.map(([, workload]) => workload),
    events,
    start() {
      stop = new AbortController();
      under_way = Promise.all(connections.map(runClient));
    },
    async pause() {
      stop.abort();
      await under_way;
    },
    close() {
      for (const connection of connections) connection.close();
    },
  };
}
