import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../../platform/config.ts';
import { isLocalUrl, isLoopback } from '../../platform/network/loopback.ts';

/**
 * Whether the settings say that a proxy is in front. One on this machine may forward without saying
 * so, and then nothing tells its requests from those of this machine.
 */
export function isBehindProxy({ trust_proxy, public_url }: BehindProxySettings): boolean {
  return trust_proxy !== false || !isLocalUrl(public_url);
}

export type BehindProxySettings = Pick<Config, 'trust_proxy' | 'public_url'>;

/** What proxies say of requests that they forward. */
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

/**
 * Whether this very machine is asking. What a proxy forwards comes from this machine too, so a
 * request that says it was forwarded is not, whatever it says of where it is from.
 */
export function isLocalRequest(ip: string, headers: IncomingHttpHeaders): boolean {
  if (FORWARDING_HEADERS.some((name) => headers[name] !== undefined)) return false;
  return isLoopback(ip);
}
