import { describePlatform, startTimer } from '../http/platform.ts';
import type { PresentPlayer } from '../players/present-player.ts';
import type { KeptText } from '../stores/kept-store.ts';
import { sendWithPage } from './page-events.ts';
import type { KeptEvent } from './queue.ts';
import { createEventSender } from './sender.ts';
import type { SharedParts } from '../shared-parts.ts';
import { createSessions } from './session.ts';
import type { Sessions } from './session.ts';

/** The events and the session of a client, from its start to its end. */
export interface Tracker {
  /** Number of events that wait or are being sent. */
  readonly length: number;
  /** Begins the session, and tracks the events that came before the store was read. */
  open(session_text: KeptText, isSync: boolean): void;
  track(event_name: string, properties?: object): void;
  stored(): Promise<unknown>;
  flush(): Promise<boolean>;
  /** Stops, and leaves the unsent events in the store. The session is forgotten. */
  stop(): Promise<void>;
  /** Ends the session, sends events for this time, and stops. */
  close(timeout_ms: number): Promise<void>;
}

export function createTracker(parts: SharedParts, player: PresentPlayer): Tracker {
  const { store, names, options } = parts;
  const sender = createEventSender(parts);
  const stopListening = sendWithPage(sender);
  let sessions: Sessions | undefined;
  /** Calls of `track` before the store was read. */
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
      sessions = createSessions({
        store,
        key: `${names.prefix}session`,
        stored: session_text,
        isSync,
        start_properties: { platform: describePlatform(), app_version: options.appVersion },
        track: (event) => sender.append({ ...event, player_id: player.id }),
      });
      sessions.touch();
      for (const run of early) run();
      early = [];
    },
    track(event_name, properties) {
      const at = Date.now();
      const known = player.given;
      if (sessions) return append(event_name, at, known || player.own_id, properties);
      const copy = properties && (JSON.parse(JSON.stringify(properties)) as object);
      early.push(() => append(event_name, at, known || player.own_id, copy));
    },
    stored: sender.stored,
    flush: sender.flush,
    async stop() {
      stopListening();
      sessions?.end(false);
      await sender.close();
    },
    async close(timeout_ms) {
      sessions?.end(true);
      stopListening();
      await Promise.race([
        sender.flush(),
        new Promise<void>((resolve) => startTimer(resolve, timeout_ms)),
      ]);
      await sender.close();
    },
  };
}
