import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkInterfaces } from 'node:os';
import { isPublicAddress } from './public-address.ts';

test('addresses of the internet are public', () => {
  for (const address of ['8.8.8.8', '172.15.0.1', '172.32.0.1', '2a00:1450:4001:80b::200e']) {
    assert.equal(isPublicAddress(address), true, address);
  }
});

test('addresses of the machine itself, private networks, tunnels and multicast are not public', () => {
  const addresses = [
    '127.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '100.100.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '2002:7f00:1::1',
    '2001:db8::1',
    '4000::1',
    '::7f00:1',
    '2a00::1%a-b',
    '127.1',
    'localhost',
    '',
  ];
  for (const address of addresses) assert.equal(isPublicAddress(address), false, address);
});

test('public addresses of this machine are not public, because no firewall sees connections to them', () => {
  const [loopback] = networkInterfaces().lo ?? Object.values(networkInterfaces())[0]!;
  const interfaces = {
    eth0: [
      { ...loopback!, family: 'IPv4' as const, address: '8.8.4.4' },
      { ...loopback!, family: 'IPv6' as const, address: '2a00:1450:4001:80b::1', scopeid: 0 },
    ],
  };
  assert.equal(isPublicAddress('8.8.4.4', interfaces), false);
  assert.equal(isPublicAddress('2a00:1450:4001:80b:0:0:0:1', interfaces), false);
  assert.equal(isPublicAddress('8.8.8.8', interfaces), true);
  assert.equal(isPublicAddress('2a00:1450:4001:80b::2', interfaces), true);
});
