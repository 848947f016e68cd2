import { createAccount } from './calls/account.ts';
import { createAchievements, makeUnlock } from './calls/achievements.ts';
import { createConfig } from './calls/config.ts';
import { createKeptCalls } from './calls/kept-calls.ts';
import type { MakeCall } from './calls/kept-calls.ts';
import { createLeaderboards, makeScore } from './calls/leaderboards.ts';
import { createSaves, makeSave } from './calls/saves.ts';
import type { SeenSaves } from './calls/saves.ts';
import { createTags } from './calls/tags.ts';
import type { ForPlayer } from './calls/tags.ts';
import { createTurns } from './calls/turns.ts';
import { createTell } from './events/callbacks.ts';
import { createTracker } from './events/tracker.ts';
import type { Tracker } from './events/tracker.ts';
import { createServerClock } from './http/server-clock.ts';
import { createTransport } from './http/transport.ts';
import type { Transport } from './http/transport.ts';
import type { OverworldOptions } from './options.ts';
import { createLogins } from './players/logins.ts';
import type { Logins } from './players/logins.ts';
import { createPresentPlayer } from './players/present-player.ts';
import type { SharedParts } from './shared-parts.ts';
import { createSay } from './say.ts';
import { createKeptStore } from './stores/kept-store.ts';
import { chooseNames } from './stores/names.ts';
import { localStorageStore } from './stores/local-storage-store.ts';

export type Parts = ReturnType<typeof createParts>;

/** Makes the parts of a client. They read, store and send nothing before the client starts. */
export function createParts(
  options: OverworldOptions,
  client: { readonly trackingEnabled: boolean; readonly ready: Promise<void> },
) {
  const isEnabled = () => client.trackingEnabled;
  const names = chooseNames(options);
  const clock = createServerClock();
  const say = createSay(options.apiKey);
  const tell = createTell(options, say);
  const store = createKeptStore(options.store ?? localStorageStore(), tell.failStore);
  const transport: Transport = createTransport(options, clock, say, isEnabled, () => logins);
  const player = createPresentPlayer(options, store, names.identity, () => logins, client);
  const shared: SharedParts = { options, store, names, clock, tell, transport };
  const logins: Logins = createLogins(shared, player.keep);
  const seen: SeenSaves = { known: new Map(), unsure: new Map(), calls: new WeakSet() };
  const kept = createKeptCalls(shared, isEnabled, player, {
    scores: makeScore(transport),
    unlocks: makeUnlock(transport),
    saves: makeSave(transport, seen, options.onSaveConflict) as MakeCall,
  });
  const turns = createTurns();
  const inTurn: ForPlayer = (run) => {
    const player_id = player.get();
    return turns('player', async () => run(await player_id));
  };
  let tracker: Tracker | undefined;
  const config = createConfig(transport, player, store, `${names.prefix}config`, say);
  return {
    ...shared,
    player,
    kept,
    inTurn,
    makeTracker: () => (tracker = createTracker(shared, player, kept)),
    config,
    /** The objects with the functions that the game calls, such as `saves` and `leaderboards`. */
    features: {
      tags: createTags(transport, inTurn),
      saves: createSaves(transport, player, clock, kept, seen),
      achievements: createAchievements(transport, player, kept),
      leaderboards: createLeaderboards(transport, player, kept),
      config,
      account: createAccount(transport, player, logins, async (player_id, run) => {
        await kept.erasePlayer(player_id, async () => {
          // Events that were sent after the erasure would make the player again.
          await tracker!.flush();
          await run();
        });
        tracker!.forget(player_id);
        void store.erase(`${names.prefix}config`);
      }),
    },
  };
}
