import { setTimeout as sleep } from 'node:timers/promises';
import { findWorkerPort, moveGroup } from './placement.ts';
import type { ClusterStage } from './stage.ts';

/**
 * The time after a move during which gaps between acknowledged
 * writes still count, because a gap may begin when the move ends.
 */
const AFTERWARDS_MS = 1_000;

/** The moves of a run. */
export interface Moves {
  /** Moves the group of a game to the other worker. The next call moves it back. */
  moveOne(stage: ClusterStage): Promise<void>;
  readonly count: number;
  /** Writes the figures of all moves. */
  tell(): void;
}

/**
 * Makes the moves of a run.
 * @param longest_gap_ms The longest time that a game may be without an acknowledged write while its group
 * moves.
 */
export function createMoves(
  { report, random }: Pick<ClusterStage, 'report' | 'random'>,
  longest_gap_ms: number,
): Moves {
  const gaps_ms: number[] = [];
  const durations_ms: number[] = [];
  /** Number of moves that Citus gave up and that were requested again. */
  let repeats = 0;
  /**
   * The index of the game whose group is not on its original worker; null if every group is on its original
   * worker.
   */
  let moved: number | null = null;

  const move = async (stage: ClusterStage, place: number) => {
    const { schema, gap } = stage.games[place]!;
    const from = await findWorkerPort(stage.connection, schema);
    const to = stage.citus.workers.find(({ port }) => port !== from)!.port;
    gap.restart();
    const started = performance.now();
    const asked = await moveGroup(stage.connection, schema, to);
    repeats += asked - 1;
    const took_ms = performance.now() - started;
    await sleep(AFTERWARDS_MS);
    const gap_ms = gap.longest_ms;
    durations_ms.push(took_ms);
    gaps_ms.push(gap_ms);
    const words = `${schema} moved in ${(took_ms / 1_000).toFixed(1)} s, and its game waited for ${Math.round(gap_ms)} ms at most`;
    report.say(words);
    if (gap_ms > longest_gap_ms) report.violation(words);
  };

  return {
    get count() {
      return gaps_ms.length;
    },
    async moveOne(stage) {
      const place = moved ?? random.below(stage.games.length);
      await move(stage, place);
      moved = moved === null ? place : null;
    },
    tell() {
      const median = durations_ms.toSorted((a, b) => a - b)[durations_ms.length >> 1] ?? 0;
      report.figure('moves of groups', gaps_ms.length);
      report.figure('  given up by Citus and repeated', repeats);
      report.figure('  median duration, ms', Math.round(median));
      report.figure(
        '  longest without an acknowledged write, ms',
        Math.round(Math.max(0, ...gaps_ms)),
      );
    },
  };
}
