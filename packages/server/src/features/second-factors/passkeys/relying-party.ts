import { isIP } from 'node:net';
import { isLocalUrl } from '../../../platform/network/loopback.ts';

/** The site of a passkey, as browsers know it. */
export interface RelyingParty {
  /** A host name. */
  rp_id: string;
  /** Such as `https://overworld.studio.example`. */
  origin: string;
}

/**
 * Finds the relying party of the page that has sent a request. Returns null where passkeys
 * cannot work: at another origin than `PUBLIC_URL`, without https, and at an IP address instead
 * of a name. If `PUBLIC_URL` is an address of this machine, pages on localhost can use passkeys too.
 */
export function findRelyingParty(
  origin: string | undefined,
  public_url: string,
): RelyingParty | null {
  if (origin === undefined || !URL.canParse(origin)) return null;
  const { protocol, hostname } = new URL(origin);
  const isOwn = origin === new URL(public_url).origin;
  const isLocal = hostname === 'localhost' && isLocalUrl(public_url);
  if (!isOwn && !isLocal) return null;
  if (protocol !== 'https:' && hostname !== 'localhost') return null;
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) return null;
  return { rp_id: hostname, origin };
}
