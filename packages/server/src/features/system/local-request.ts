import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../../platform/config.ts';
import { isLocalUrl, isLoopback } from '../../platform/network/loopback.ts';

/**
 * Tells whether the settings say that a proxy is in front of the server. A proxy on this machine
 * may send no forwarding headers, so its requests may look like requests from this machine.
 */
export function isBehindProxy({ trust_proxy, public_url }: BehindProxySettings): boolean {
  return trust_proxy !== false || !isLocalUrl(public_url);
}

type BehindProxySettings = Pick<Config, 'trust_proxy' | 'public_url'>;

/** Headers that proxies add to the requests that they forward. */
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

/**
 * Tells whether the request comes from this machine. A local proxy forwards its requests from here too, so
 * a request with any forwarding header counts as foreign.
 */
export function isLocalRequest(ip: string, headers: IncomingHttpHeaders): boolean {
  if (FORWARDING_HEADERS.some((name) => headers[name] !== undefined)) return false;
  return isLoopback(ip);
}
