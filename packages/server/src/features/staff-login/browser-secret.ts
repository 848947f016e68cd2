import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The seconds from the begin of a login until its end, in which the person types at the provider. */
const LIFETIME_S = 600;

const COOKIE = 'overworld_identity';

/**
 * A secret that only the browser of a login has. The texts of the login are derived from it, so the server
 * stores nothing for a login that has begun.
 */
export interface BrowserSecret {
  /** Comes back from the provider with the browser. */
  state: string;
  /** Is in the ID token. */
  nonce: string;
  /** Proves to the provider that its code was given to this login (PKCE). */
  verifier: string;
}

const derive = (secret: string): BrowserSecret => ({
  state: hash('sha256', `state ${secret}`, 'base64url'),
  nonce: hash('sha256', `nonce ${secret}`, 'base64url'),
  verifier: hash('sha256', `verifier ${secret}`, 'base64url'),
});

/** Makes the challenge of a verifier, for the method S256. */
export const challengeOf = (verifier: string): string => hash('sha256', verifier, 'base64url');

/** Makes the secret of a new login, and its cookie. */
export function makeBrowserSecret(public_url: string): BrowserSecret & { cookie: string } {
  const text = `${Date.now()}.${randomBytes(32).toString('base64url')}`;
  return { ...derive(text), cookie: makeCookie(public_url, text, LIFETIME_S) };
}

/** Makes the cookie that removes the secret, because a login ends once. */
export const endedCookie = (public_url: string): string => makeCookie(public_url, '', 0);

/**
 * Reads the secret of the browser.
 * @returns null when there is none, it is too old, or the provider gave another state.
 */
export function readBrowserSecret(
  public_url: string,
  cookies: string | undefined,
  state: string,
): BrowserSecret | null {
  const name = nameFor(public_url);
  const value = new RegExp(`(?:^|;) *${name}=(\\d{13}\\.[\\w-]{43}) *(?:;|$)`).exec(
    cookies ?? '',
  )?.[1];
  if (value === undefined) return null;
  const age_ms = Date.now() - Number(value.slice(0, 13));
  if (age_ms < -60_000 || age_ms > LIFETIME_S * 1000) return null;
  const secret = derive(value);
  const [given, wanted] = [Buffer.from(state), Buffer.from(secret.state)];
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? secret : null;
}

/** With TLS, the prefix keeps other hosts of the domain from setting the cookie. */
const nameFor = (public_url: string): string =>
  public_url.startsWith('https:') ? `__Host-${COOKIE}` : COOKIE;

function makeCookie(public_url: string, value: string, max_age_s: number): string {
  return [
    `${nameFor(public_url)}=${value}`,
    'Path=/',
    `Max-Age=${max_age_s}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(public_url.startsWith('https:') ? ['Secure'] : []),
  ].join('; ');
}
