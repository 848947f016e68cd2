import type { Overworld } from '@overworld/sdk';
import type { BestRun } from '../world/progress.ts';
import { ALL_TIME_BOARD, DAILY_BOARD } from './boards.ts';
import type { Connection } from './connection.ts';

interface Place {
  rank: number;
  total_entries: number;
}

export interface Ranks {
  daily: Place;
  all_time: Place;
}

/**
 * Submits a night to both boards. Without a connection, the SDK stores the night and sends it later, even
 * after a restart. A night that is sent after midnight counts for the day on which it arrives.
 * @returns the ranks; null if the night still waits to be sent.
 */
export async function submitNight(
  overworld: Overworld,
  connection: Connection,
  { score, height }: BestRun,
  playerName: string,
): Promise<Ranks | null> {
  const submit = (board: string) =>
    overworld.leaderboards.submit(board, score, { playerName, metadata: { height } });
  return connection.ask(() => both(submit));
}

/** The player's ranks; null if the server cannot be reached or the player is not on both boards. */
export async function readRanks(
  overworld: Overworld,
  connection: Connection,
): Promise<Ranks | null> {
  const read = async (board: string) => {
    const own = await overworld.leaderboards.around(board, { above: 0, below: 0 });
    const [entry] = own.entries;
    return entry && { rank: entry.rank, total_entries: own.total_entries };
  };
  const found = await connection.ask(() => both(read));
  const { daily, all_time } = found ?? {};
  return daily && all_time ? { daily, all_time } : null;
}

async function both<Answer>(ask: (board: string) => Promise<Answer>) {
  const [daily, all_time] = await Promise.all([ask(DAILY_BOARD), ask(ALL_TIME_BOARD)]);
  return { daily, all_time };
}
