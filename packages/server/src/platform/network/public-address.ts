import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** The part of IPv6 in which all addresses of the internet lie. */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Tells whether an IP address belongs to the internet, not to a private network or the machine itself.
 * @param interfaces The network interfaces of this machine.
 */
export const isPublicAddress = (address: string, interfaces = networkInterfaces()): boolean =>
  isOnInternet(address) && !isOwnAddress(address, interfaces);

/** Says why an address is not public. A name counts as one of a private network. */
export const describePrivate = (host: string): string =>
  isOnInternet(host) ? `${host} is an address of this server` : `${host} is in a private network`;

function isOnInternet(address: string): boolean {
  // Each reads some texts that the other refuses, such as `127.1` or a rare name of a zone.
  if (isIP(address) === 0 || !ipaddr.isValid(address)) return false;
  const ip = ipaddr.parse(address);
  return ip.range() === 'unicast' && (ip.kind() === 'ipv4' || ip.match(PUBLIC_IPV6));
}

/**
 * Tells whether an interface of this machine has the address. A connection to it stays on the machine, so no
 * firewall would see it.
 */
function isOwnAddress(address: string, interfaces: ReturnType<typeof networkInterfaces>): boolean {
  const ip = ipaddr.parse(address).toString();
  const own = Object.values(interfaces).flatMap((each) => each ?? []);
  return own.some((each) => ipaddr.parse(each.address).toString() === ip);
}
