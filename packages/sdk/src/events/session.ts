import { describePlatform, makeId } from '../http/platform.ts';
import type { KeptText } from '../stores/kept-store.ts';
import { parseKept } from '../stores/kept-store.ts';
import type { SharedParts } from '../shared-parts.ts';
import type { KeptEvent } from './queue.ts';

/**
 * A session: a time of play without a pause of half an
 * hour. It goes on across reloads, and all tabs share it.
 */
interface Session {
  id: string;
  started_at: number;
  last_at: number;
}

export interface Sessions {
  /** Returns the id of the current session. After a long pause, ends the old session and starts another. */
  touch(): string;
  /** Ends the current session. Tracks an event about the end only if `isTracked`. */
  end(isTracked: boolean): void;
}

const MAX_PAUSE_MS = 30 * 60 * 1_000;
const WRITE_INTERVAL_MS = 1_000;

/**
 * @param isSync True if the store can be read synchronously. Only with such a store can other tabs have
 * changed the session.
 */
export const createSessions = (
  { store, names, options }: SharedParts,
  text: KeptText,
  isSync: boolean,
  track: (event: Omit<KeptEvent, 'player_id'>) => void,
): Sessions => {
  const key = `${names.prefix}session`;
  let session = parseKept<Session>(text);
  let written_at = 0;

  const trackEnd = ({ id, started_at }: Session, at: number) => {
    const properties = { duration_ms: Math.max(0, at - started_at) };
    track({ event_name: 'session_end', session_id: id, at, properties });
  };
  /** Reads the session from the store, because another tab may have renewed or continued it. */
  const refresh = () => {
    if (isSync) session = parseKept(store.read(key) as string | null);
  };

  return {
    touch: () => {
      const now = Date.now();
      refresh();
      const last = session;
      const isNew = !last || now - last.last_at > MAX_PAUSE_MS;
      session = isNew ? { id: makeId(), started_at: now, last_at: now } : { ...last, last_at: now };
      if (isNew || now - written_at >= WRITE_INTERVAL_MS) {
        written_at = now;
        // A crash after this write may lose the events about sessions, but never stores them twice.
        void store.keep(key, session);
      }
      if (isNew) {
        if (last) trackEnd(last, last.last_at);
        const properties = { platform: describePlatform(), app_version: options.appVersion };
        track({ event_name: 'session_start', session_id: session.id, at: now, properties });
      }
      return session.id;
    },
    end: (isTracked) => {
      refresh();
      const ended = session;
      session = undefined;
      void store.erase(key);
      if (ended && isTracked) trackEnd(ended, Date.now());
    },
  };
};
