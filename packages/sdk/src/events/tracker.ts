import type { KeptCalls } from '../calls/kept-calls.ts';
import { listen, platform, startTimer } from '../http/platform.ts';
import type { PresentPlayer } from '../players/present-player.ts';
import { copyOf } from '../stores/kept-store.ts';
import type { KeptText } from '../stores/kept-store.ts';
import type { KeptEvent } from './queue.ts';
import { createEventSender } from './sender.ts';
import type { SharedParts } from '../shared-parts.ts';
import { createSessions } from './session.ts';
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

export function createTracker(
  parts: SharedParts,
  player: PresentPlayer,
  kept: Pick<KeptCalls, 'flush'>,
): Tracker {
  const sender = createEventSender(parts, player);
  const { document } = platform;
  // A page sends its events before it closes or is hidden, and when the network returns.
  const stops = [
    listen(platform, 'online', () => {
      sender.retryNow();
      void kept.flush();
    }),
    listen(platform, 'pagehide', sender.hurry),
    // Another tab has written to `localStorage`.
    listen(platform, 'storage', player.look),
    listen(document, 'visibilitychange', () => {
      if (document?.visibilityState === 'hidden') sender.hurry();
    }),
  ];
  let sessions: Sessions | undefined;
  /** The calls of `track` that came before the store had been read. */
  let early: (() => void)[] = [];

  const append = (event_name: string, at: number, player_id: string, properties?: object) => {
    const session_id = sessions!.touch();
    sender.append({ event_name, session_id, at, player_id, properties } as KeptEvent);
  };

  return {
    get length() {
      return sender.length + early.length;
    },
    open(session_text, isSync) {
      sessions = createSessions(parts, session_text, isSync, (event) =>
        sender.append({ ...event, player_id: player.id }),
      );
      sessions.touch();
      for (const run of early) run();
      early = [];
    },
    track(event_name, properties) {
      const at = Date.now();
      const { given } = player;
      const copy = sessions ? properties : properties && copyOf(properties);
      const run = () => append(event_name, at, given || player.own_id, copy);
      if (sessions) run();
      else early.push(run);
    },
    written: sender.written,
    flush: sender.flush,
    forget(player_id) {
      sessions?.end(false);
      sender.forget(player_id);
    },
    async close(timeout_ms) {
      const isTracked = timeout_ms !== undefined;
      sessions?.end(isTracked);
      for (const stop of stops) stop();
      if (isTracked) {
        const over = new Promise<void>((resolve) => startTimer(resolve, timeout_ms));
        await Promise.race([sender.flush(), over]);
      }
      await sender.close();
    },
  };
}
