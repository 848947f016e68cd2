import type { Overworld } from '../../packages/sdk/src/overworld.ts';

/** The calls that a bot makes of an SDK. */
export interface BotClient {
  /** True if the game has ended. The bots of most games end with the process of the game. */
  isOver?(): boolean;
  /** Tracks an event. Resolves when the store has it. */
  track(properties: { stream: string; number: number }): Promise<void>;
  flush(): Promise<unknown>;
  /** Saves these entries together with those of the server. Resolves to all entries. */
  save(entries: Entries): Promise<Entries>;
}

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

export type Entries = Record<string, 1>;

const SAVE_INTERVAL_MS = 400;

/** Makes the calls with the TypeScript SDK. */
export const makeBotClient = (overworld: Overworld): BotClient => ({
  async track(properties) {
    overworld.track('step', properties);
    await overworld.stored();
  },
  flush: () => overworld.flush(),
  async save(entries) {
    const { data } = await overworld.saves.save(
      { entries },
      {
        onConflict: ({ ours, theirs }) => ({ entries: { ...theirs.entries, ...ours.entries } }),
      },
    );
    return data.entries;
  },
});

/**
 * Plays until the game ends: tracks numbered events, and saves its progress after a merge with the progress
 * of the player's other clients.
 */
export async function play(
  client: BotClient,
  { stream, first }: { stream: string; first: number },
  say: (said: Said) => void,
): Promise<void> {
  let entries: Entries = {};
  const save = async (entry: string) => {
    entries[entry] = 1;
    entries = await client.save(entries);
    say({ stream, saved: entry });
  };
  const saveAgainAndAgain = async () => {
    for (let number = 0; !client.isOver?.(); number++) {
      // A save that fails is not reported; the next one contains its entry.
      await save(`${stream}:${first + number}`).catch(() => undefined);
      await pause(SAVE_INTERVAL_MS * Math.random() * 2);
    }
  };

  void saveAgainAndAgain();
  for (let number = first; ; number++) {
    await client.track({ stream, number });
    say({ stream, accepted: number });
    if (Math.random() < 0.1) client.flush().catch(() => undefined);
    if (Math.random() < 0.7) await pause(40 * Math.random());
  }
}

const pause = (delay_ms: number) => new Promise((resolve) => setTimeout(resolve, delay_ms));
