/**
 * A trip of the browser to the identity provider and back. It is kept in this tab, so that no address can say
 * where the trip ends.
 */
interface Trip {
  /** `login`: somebody logs in. `confirm`: the reader confirms a change by logging in anew. */
  purpose: 'login' | 'confirm';
  /** The path of the page where the trip ends. */
  to: string;
}

const KEY = 'overworld.identity_trip';

export const identityTrip = {
  begin(trip: Trip): void {
    sessionStorage.setItem(KEY, JSON.stringify(trip));
  },
  /** Returns the trip from which the browser has come back. */
  read(): Trip {
    const text = sessionStorage.getItem(KEY);
    return text === null ? { purpose: 'login', to: '/' } : (JSON.parse(text) as Trip);
  },
  end(): void {
    sessionStorage.removeItem(KEY);
  },
};

/** The server takes a confirmation for 5 minutes; the last half is left for the reader to fill in a form. */
const USED_FOR_MS = 150_000;

let given: { text: string; until_ms: number } | null = null;

/** The confirmation that a fresh login at the identity provider gave. It is in memory alone. */
export const confirmation = {
  keep(text: string): void {
    given = { text, until_ms: performance.now() + USED_FOR_MS };
  },
  /** Returns the confirmation, or null when there is none that a form could still use. */
  read: (): string | null =>
    given !== null && given.until_ms > performance.now() ? given.text : null,
};
