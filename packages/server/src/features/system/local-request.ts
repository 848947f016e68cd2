import { BlockList, isIP } from 'node:net';
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../../platform/config.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');
loopback.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

/**
 * Whether the settings say that a proxy is in front. One on this machine may forward without saying
 * so, and then nothing tells its requests from those of this machine.
 */
export function isBehindProxy({ trust_proxy, public_url }: BehindProxySettings): boolean {
  const { hostname } = new URL(public_url);
  return trust_proxy !== false || !(hostname === 'localhost' || isLoopback(hostname));
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

/** @param address In a URL an IPv6 address stands in brackets. */
function isLoopback(address: string): boolean {
  const ip = address.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(ip);
  return family !== 0 && loopback.check(ip, family === 4 ? 'ipv4' : 'ipv6');
}
