import { BlockList, isIP } from 'node:net';
import type { IncomingHttpHeaders } from 'node:http';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');
loopback.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

/** What proxies say of requests that they forward. */
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

/**
 * Whether this very machine is asking. What a proxy forwards comes from this machine too, so a
 * request that says it was forwarded is not, whatever it says of where it is from.
 */
export function isLocalRequest(ip: string, headers: IncomingHttpHeaders): boolean {
  if (FORWARDING_HEADERS.some((name) => headers[name] !== undefined)) return false;
  const family = isIP(ip);
  return family !== 0 && loopback.check(ip, family === 4 ? 'ipv4' : 'ipv6');
}
