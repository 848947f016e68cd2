import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from './network-address.ts';

test('a network is an IPv4 address or the /64 of an IPv6 address', () => {
  assert.equal(networkOf('203.0.113.7'), '203.0.113.7');
  assert.equal(networkOf('::ffff:203.0.113.7'), '203.0.113.7');
  assert.equal(networkOf('2001:db8:0:1:aaaa::1'), '2001:db8:0:1::/64');
  assert.equal(networkOf('2001:0DB8::1:0:0:0:7'), '2001:db8:0:1::/64');
  assert.equal(networkOf('2001:db8::'), '2001:db8:0:0::/64');
  assert.equal(networkOf('fe80::1%eth0'), 'fe80:0:0:0::/64');
  assert.equal(networkOf('::1'), '0:0:0:0::/64');
  assert.equal(networkOf('1:2:3:4:5:6:7:8'), '1:2:3:4::/64');
  assert.equal(networkOf('203.0.113.7:4711'), '203.0.113.7');
  assert.equal(networkOf('[2001:db8:0:1::7]:4711'), '2001:db8:0:1::/64');
  assert.equal(networkOf('[::ffff:203.0.113.7]'), '203.0.113.7');
  assert.equal(networkOf('<script>'.repeat(1000)), 'unknown');
});
