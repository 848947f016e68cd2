import { parseKept } from './kept-store.ts';
import type { KeptStore } from './kept-store.ts';
import { makeId } from './platform.ts';

/** A stretch of play without a pause of half an hour, over reloads and by all tabs together. */
interface Session {
  id: string;
  started_at: number;
  last_at: number;
}

export interface Sessions {
  /** Id of the current session; ends the one before and starts a new one where that is due. */
  touch(): string;
  /** Ends the current session. */
  end(): void;
}

const MAX_PAUSE_MS = 30 * 60 * 1_000;
const WRITE_INTERVAL_MS = 1_000;

export function createSessions(options: {
  store: KeptStore;
  key: string;
  /** What the store has. */
  stored: string | null;
  /** Whether the store can be read at once: then other tabs may have changed it. */
  isSync: boolean;
  /** Keeps an event of a session that happened at a moment. */
  track: (event_name: string, session_id: string, at: number, properties?: object) => void;
}): Sessions {
  const { store, key, track } = options;
  let session = parseKept<Session>(options.stored);
  let written_at = 0;

  const end = (at: number) => {
    if (!session) return;
    track('session_end', session.id, at, { duration_ms: Math.max(0, at - session.started_at) });
    session = undefined;
  };
  /** Another tab may have renewed it, or played on in it. */
  const refresh = () => {
    if (options.isSync) session = parseKept(store.read(key) as string | null);
  };

  return {
    touch() {
      const now = Date.now();
      refresh();
      if (session && now - session.last_at > MAX_PAUSE_MS) end(session.last_at);
      const isNew = !session;
      session ??= { id: makeId(), started_at: now, last_at: now };
      session.last_at = now;
      if (isNew || now - written_at >= WRITE_INTERVAL_MS) {
        written_at = now;
        void store.set(key, JSON.stringify(session));
      }
      if (isNew) track('session_start', session.id, now);
      return session.id;
    },
    end() {
      refresh();
      end(Date.now());
      void store.remove(key);
    },
  };
}
