import type { Overworld } from '../../packages/sdk/src/overworld.ts';

/** A fact that a bot reports as soon as it is true. */
export interface Said {
  stream: string;
  /** `track` has returned for this event, and the store has it. */
  accepted?: number;
  /** The queue has reported these events as dropped. */
  dropped?: number[];
  /** This entry was stored with a save. */
  saved?: string;
}

interface Progress {
  entries: Record<string, 1>;
}

const SAVE_INTERVAL_MS = 400;

/**
 * Plays until it is killed: tracks numbered events, and saves its progress after a merge with the progress
 * of the player's other clients.
 */
export async function play(
  overworld: Overworld,
  { stream, first }: { stream: string; first: number },
  say: (said: Said) => void,
): Promise<void> {
  const progress: Progress = { entries: {} };
  const save = async (entry: string) => {
    progress.entries[entry] = 1;
    const { data } = await overworld.saves.save(progress, {
      onConflict: ({ ours, theirs }) => ({ entries: { ...theirs.entries, ...ours.entries } }),
    });
    progress.entries = data.entries;
    say({ stream, saved: entry });
  };
  const saveAgainAndAgain = async () => {
    for (let number = 0; ; number++) {
      // A save that fails is not reported; the next one contains its entry.
      await save(`${stream}:${first + number}`).catch(() => undefined);
      await pause(SAVE_INTERVAL_MS * Math.random() * 2);
    }
  };

  void saveAgainAndAgain();
  for (let number = first; ; number++) {
    overworld.track('step', { stream, number });
    await overworld.stored();
    say({ stream, accepted: number });
    if (Math.random() < 0.1) void overworld.flush();
    if (Math.random() < 0.7) await pause(40 * Math.random());
  }
}

const pause = (delay_ms: number) => new Promise((resolve) => setTimeout(resolve, delay_ms));
