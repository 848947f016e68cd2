import { createAccount } from './calls/account.ts';
import { createServerClock } from './http/server-clock.ts';
import { createTell } from './events/callbacks.ts';
import { createTracker } from './events/tracker.ts';
import { createAchievements } from './calls/achievements.ts';
import { createLeaderboards } from './calls/leaderboards.ts';
import { createTransport } from './http/transport.ts';
import type { ForPlayer } from './calls/tags.ts';
import { createKeptCalls } from './calls/kept-calls.ts';
import { createKeptStore } from './stores/kept-store.ts';
import { createConfig } from './calls/config.ts';
import { createMessages } from './calls/messages.ts';
import { createTags } from './calls/tags.ts';
import type { Tracker } from './events/tracker.ts';
import { localStorageStore } from './stores/local-storage-store.ts';
import { createStats } from './calls/stats.ts';
import { createSaves } from './calls/saves.ts';
import type { Transport } from './http/transport.ts';
import type { OverworldOptions } from './options.ts';
import { chooseLocks } from './events/queue-locks.ts';
import type { Logins } from './players/logins.ts';
import { createTurns } from './calls/turns.ts';
import type { SharedParts } from './shared-parts.ts';
import { createLogins } from './players/logins.ts';
import { chooseNames } from './stores/names.ts';
import { createPresentPlayer } from './players/present-player.ts';

export type Parts = ReturnType<typeof createParts>;

/** Makes the parts of a client. They read, store and send nothing before the client starts. */
export const createParts = (
  options: OverworldOptions,
  client: { readonly trackingEnabled: boolean; readonly ready: Promise<void> },
) => {
  const isEnabled = () => client.trackingEnabled;
  const names = chooseNames(options);
  const clock = createServerClock();
  const tell = createTell(options);
  const store = createKeptStore(options.store ?? localStorageStore(), tell.failStore);
  const transport: Transport = createTransport(options, clock, tell, isEnabled, () => logins);
  const shared: SharedParts = {
    options,
    store,
    takeLock: chooseLocks(store),
    names,
    clock,
    tell,
    transport,
    absent: new Set(),
  };
  const logins: Logins = createLogins(shared);
  const player = createPresentPlayer(options.playerId ?? '', logins, client);
  const kept = createKeptCalls(shared, isEnabled, player);
  const turns = createTurns();
  const inTurn: ForPlayer = (run) => {
    const player_id = player.get();
    return turns('player', async () => run(await player_id));
  };
  let tracker: Tracker | undefined;
  const config = createConfig(transport, player, store, `${names.prefix}config`, tell);
  const messages = createMessages(transport, player, store, `${names.prefix}messages`, tell);
  return {
    ...shared,
    logins,
    player,
    kept,
    inTurn,
    makeTracker: () => (tracker = createTracker(shared, player, logins, kept)),
    config,
    messages,
    /** The objects with the functions that the game calls, such as `saves` and `leaderboards`. */
    features: {
      tags: createTags(transport, inTurn),
      // Kept calls are sent in this order: scores, statistics, unlocks, saves.
      leaderboards: createLeaderboards(transport, player, kept),
      stats: createStats(transport, player, kept),
      achievements: createAchievements(transport, player, kept),
      saves: createSaves(
        transport,
        player,
        clock,
        kept,
        options.onSaveConflict,
        options.appVersion,
      ),
      config,
      messages,
      account: createAccount(transport, player, logins, async (player_id, run) => {
        await kept.erasePlayer(player_id, async () => {
          // Events that were sent after the erasure would make the player again.
          await tracker!.flush();
          await run();
        });
        tracker!.forget(player_id);
        void store.erase(`${names.prefix}config`);
        void store.erase(`${names.prefix}messages`);
      }),
    },
  };
};
