import assert from 'node:assert/strict';
import { test } from 'node:test';
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
    'localhost',
    '',
  ];
  for (const address of addresses) assert.equal(isPublicAddress(address), false, address);
});
