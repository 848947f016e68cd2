import { isIP } from 'node:net';

/** Whom passkeys are for, as browsers see it. */
export interface RelyingParty {
  /** A host name. */
  rp_id: string;
  /** Such as `https://overworld.studio.example`. */
  origin: string;
}

const isLoopback = (hostname: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/**
 * Whom passkeys are for at the page that has sent a request; null where there can be none: at another
 * origin than `PUBLIC_URL`, without https, and at an IP address, which is no name. A server for the
 * own machine alone is also reached as localhost.
 */
export function findRelyingParty(
  origin: string | undefined,
  public_url: string,
): RelyingParty | null {
  if (origin === undefined || !URL.canParse(origin)) return null;
  const { protocol, hostname } = new URL(origin);
  const own = new URL(public_url);
  const isOwn = origin === own.origin;
  const isLocal = hostname === 'localhost' && isLoopback(own.hostname);
  if (!isOwn && !isLocal) return null;
  if (protocol !== 'https:' && hostname !== 'localhost') return null;
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) return null;
  return { rp_id: hostname, origin };
}
