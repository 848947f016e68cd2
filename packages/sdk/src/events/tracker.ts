import type { KeptCalls } from '../calls/kept-calls.ts';
import { copyOf } from '../stores/kept-store.ts';
import type { Logins } from '../players/logins.ts';
import type { PresentPlayer } from '../players/present-player.ts';
import { createSessions } from './session.ts';
import type { KeptText } from '../stores/kept-store.ts';
import type { KeptEvent } from './queue.ts';
import { createEventSender } from './sender.ts';
import type { SharedParts } from '../shared-parts.ts';
import { platform } from '../http/platform.ts';
import { createTimer } from '../http/timer.ts';
import type { Sessions } from './session.ts';

/** Tracks the events and the session of a client, as long as tracking is enabled. */
export interface Tracker {
  /** The number of events that wait or are being sent. */
  readonly length: number;
  /** Begins the session, and tracks the events that came before the store had been read. */
  open(session_text: KeptText, isSync: boolean): void;
  track(event_name: string, properties?: object): void;
  written(): Promise<boolean>;
  flush(): Promise<boolean>;
  /** Removes all events of an erased player, and forgets the session. */
  forget(player_id: string): void;
  /**
   * Stops, and leaves the unsent events in the store.
   * @param timeout_ms The time for ending the session and sending events. If it is undefined, the session
   * is forgotten.
   */
  close(timeout_ms?: number): Promise<void>;
}

export const createTracker = (
  parts: SharedParts,
  player: PresentPlayer,
  logins: Logins,
  kept: Pick<KeptCalls, 'flush'>,
): Tracker => {
  const sender = createEventSender(parts, player);
  const { document } = platform;
  // A page sends its events before it closes or is hidden, and when the network returns.
  const listening = new platform.AbortController();
  const online = () => {
    void sender.flush();
    void kept.flush();
  };
  const hidden = () => {
    if (document?.visibilityState === 'hidden') sender.hurry();
  };
  platform.addEventListener?.('online', online, listening);
  platform.addEventListener?.('pagehide', sender.hurry, listening);
  // Another tab has written to `localStorage`.
  platform.addEventListener?.('storage', player.look, listening);
  document?.addEventListener?.('visibilitychange', hidden, listening);
  let sessions: Sessions | undefined;
  /** The calls of `track` that came before the store had been read. */
  let early: (() => void)[] = [];

  return {
    ...sender,
    get length() {
      return sender.length + early.length;
    },
    open: (session_text, isSync) => {
      sessions = createSessions(parts, session_text, isSync, (event) =>
        sender.append({ ...event, player_id: player.id }),
      );
      sessions.touch();
      for (const run of early) run();
      early = [];
    },
    track: (event_name, properties) => {
      const at = Date.now();
      const { given } = player;
      const copy = sessions ? properties : properties && copyOf(properties);
      const run = () => {
        const session_id = sessions!.touch();
        const player_id = given || logins.ownId();
        sender.append({ event_name, session_id, at, player_id, properties: copy } as KeptEvent);
      };
      if (sessions) run();
      else early.push(run);
    },
    forget: (player_id) => {
      sessions?.end(false);
      sender.forget(player_id);
    },
    close: async (timeout_ms) => {
      const isTracked = timeout_ms !== undefined;
      sessions?.end(isTracked);
      listening.abort();
      if (isTracked) {
        const over = new Promise<void>((resolve) => createTimer(resolve).start(timeout_ms));
        await Promise.race([sender.flush(), over]);
      }
      await sender.close();
    },
  };
};
