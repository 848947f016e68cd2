import { Overworld, OverworldError } from '@overworld/sdk';
import type { SaveConflict } from '@overworld/sdk';

export interface Progress {
  best: number;
  runs: number;
}

const BOARD = 'lanterns';

const overworld = new Overworld({
  baseUrl: import.meta.env.VITE_OVERWORLD_URL ?? 'http://127.0.0.1:8080',
  apiKey: import.meta.env.VITE_OVERWORLD_KEY,
  storeName: 'lanterns',
  // Two devices have played from the same save.
  onSaveConflict: ({ ours, theirs, base }: SaveConflict<Progress>): Progress => ({
    best: Math.max(ours.best, theirs.best),
    runs: theirs.runs + ours.runs - (base?.runs ?? 0),
  }),
});

/** Loads the progress of the player; without a network, the progress that waits on this device. */
export async function loadProgress(): Promise<Progress> {
  const save = await overworld.saves.load<Progress>().catch(() => null);
  return save?.data ?? { best: 0, runs: 0 };
}

/** Sends the end of a run, and returns lines of text for the player. */
export async function finishRun(score: number, progress: Progress): Promise<string[]> {
  overworld.track('run_over', { score });
  // Without a network, the SDK keeps score and save on this device, and sends them later.
  overworld.saves.save(progress).then(
    ({ data }) => Object.assign(progress, data),
    () => undefined,
  );
  try {
    const { rank } = await overworld.leaderboards.submit(BOARD, score);
    const { entries } = await overworld.leaderboards.page(BOARD, { limit: 5 });
    const lines = entries.map(
      (entry) =>
        `${entry.rank}.  ${entry.score}${entry.player_id === overworld.playerId ? '  you' : ''}`,
    );
    return [`Your rank: ${rank}`, '', ...lines];
  } catch (error) {
    const isKept = error instanceof OverworldError && error.isKept;
    return [isKept ? 'Your score is sent when you are online.' : 'The board is out of reach.'];
  }
}
