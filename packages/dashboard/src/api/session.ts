const TOKEN = 'overworld.token';
/**
 * The key of the list of recent pages. The list is deleted with the session, because it may name players.
 */
export const RECENT = 'overworld.recent';

type Listener = () => void;
const listeners = new Set<Listener>();

/** The token of the login. It survives reloads, and all tabs of the browser share it. */
export const session = {
  get token(): string | null {
    return localStorage.getItem(TOKEN);
  },
  start(token: string): void {
    localStorage.setItem(TOKEN, token);
  },
  end(): void {
    localStorage.removeItem(TOKEN);
    localStorage.removeItem(RECENT);
    for (const listener of listeners) listener();
  },
  /** Calls the listener when the session ends, here or in another tab. */
  onEnd(listener: Listener): () => void {
    const onStorage = (event: StorageEvent) => {
      if (event.key === TOKEN && event.newValue === null) listener();
    };
    listeners.add(listener);
    addEventListener('storage', onStorage);
    return () => {
      listeners.delete(listener);
      removeEventListener('storage', onStorage);
    };
  },
};
