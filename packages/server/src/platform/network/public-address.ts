import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

const blocked = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  blocked.addSubnet(network, prefix, 'ipv4');
}
// Networks for tunnels and documentation. They lie in the public part of IPv6, but may lead to an IPv4
// address.
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  blocked.addSubnet(network, prefix, 'ipv6');
}
const publicIpv6 = new BlockList();
publicIpv6.addSubnet('2000::', 3, 'ipv6');

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
  switch (isIP(address)) {
    case 4:
      return !blocked.check(address, 'ipv4');
    case 6:
      return publicIpv6.check(address, 'ipv6') && !blocked.check(address, 'ipv6');
    default:
      return false;
  }
}

/**
 * Tells whether an interface of this machine has the address. A connection to it stays on the machine, so no
 * firewall would see it.
 */
function isOwnAddress(address: string, interfaces: ReturnType<typeof networkInterfaces>): boolean {
  const own = new BlockList();
  for (const { address: ip, family } of Object.values(interfaces).flatMap((each) => each ?? [])) {
    own.addAddress(ip, family === 'IPv4' ? 'ipv4' : 'ipv6');
  }
  return own.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}
