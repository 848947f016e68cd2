import { isIP, isIPv6 } from 'node:net';

/**
 * Finds the network of an address. Limits count by network. The network of an IPv4 address
 * is the address itself. The network of an IPv6 address is its /64, because every customer
 * has at least a /64. Some proxies add a port to the address, as in `203.0.113.7:4711` or
 * `[2001:db8::7]:4711`. A text that is no address counts as `unknown`.
 */
export function networkOf(named: string): string {
  const ip = named.replace(/^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/, '$1$2');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(ip)) return isIP(ip) ? ip : 'unknown';
  const [head = '', tail] = ip.replace(/%.*$/, '').toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? [] : Array(8 - left.length - right.length).fill('0');
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => parseInt(group, 16).toString(16)).join(':')}::/64`;
}
