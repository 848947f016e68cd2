import type { Overworld, SubmittedScore } from '@overworld/sdk';
import { ALL_TIME_BOARD, DAILY_BOARD } from './boards.ts';
import type { BestRun, Progress } from '../world/progress.ts';
import type { Connection } from './connection.ts';
import { localStore } from '../local-store.ts';

export interface Ranks {
  daily: SubmittedScore | null;
  all_time: SubmittedScore;
}

/** The best night of a day that is not on the boards yet. It survives reloads. */
interface WaitingNight extends BestRun {
  /** Boards count days in UTC. */
  day: string;
}

const WAITING = 'waiting-night';

/** Keeps the best night of a day until it is submitted; boards keep no other. */
export function keepNight(night: BestRun): void {
  const day = today();
  const waiting = readWaiting();
  if (waiting?.day === day && waiting.score > night.score) return;
  localStore.write(WAITING, { ...night, day });
}

/**
 * Submits the waiting night to the board of its day, and the player's best night to the board of all
 * time. Without a connection the night continues to wait.
 * @returns the ranks; null when nothing was submitted.
 */
export async function submitNight(
  overworld: Overworld,
  connection: Connection,
  { name, best }: Progress,
): Promise<Ranks | null> {
  const waiting = readWaiting();
  if (waiting === null) return null;
  const submit = (board: string, { score, height }: BestRun) =>
    overworld.leaderboards.submit(board, score, { playerName: name.text, metadata: { height } });
  const ranks = await connection.ask(async () => ({
    // The board of another day has ended.
    daily: waiting.day === today() ? await submit(DAILY_BOARD, waiting) : null,
    all_time: await submit(ALL_TIME_BOARD, best),
  }));
  // A better night may have been kept in the meantime, also in another tab.
  const isSame = JSON.stringify(readWaiting()) === JSON.stringify(waiting);
  if (ranks !== null && isSame) localStore.write(WAITING, null);
  return ranks;
}

const today = () => new Date().toISOString().slice(0, 10);
const readWaiting = () => localStore.read(WAITING) as WaitingNight | null;
