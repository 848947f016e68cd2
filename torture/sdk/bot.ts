import type { Overworld } from '../../packages/sdk/src/overworld.ts';

/** What a bot knows to be true as it says it. */
export interface Said {
  stream: string;
  /** `track` has returned for this event, and the store has it. */
  accepted?: number;
  /** The queue has reported these as dropped. */
  dropped?: number[];
  /** This was stored with a save. */
  saved?: string;
}

interface Progress {
  entries: Record<string, 1>;
}

const SAVE_INTERVAL_MS = 400;

/**
 * Plays until it is killed: tracks numbered events, and saves what it has done, merged with what
 * others of its player have done.
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
      // One that is refused by a dead network is not said to be saved, and is in the next.
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
