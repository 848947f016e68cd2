import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBehindProxy, isLocalRequest } from './local-request.ts';

test('only loopback addresses count as addresses of this machine', () => {
  for (const ip of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
    assert.equal(isLocalRequest(ip, {}), true, ip);
  }
  for (const ip of [
    '10.0.0.1',
    '128.0.0.1',
    '::2',
    '::ffff:10.0.0.1',
    'fe80::1',
    '',
    'localhost',
  ]) {
    assert.equal(isLocalRequest(ip, {}), false, ip);
  }
});

test('a request with a forwarding header does not count as a request of this machine', () => {
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
    assert.equal(isLocalRequest('127.0.0.1', { [name]: '127.0.0.1' }), false, name);
  }
});

test('TRUST_PROXY, or a PUBLIC_URL with another host, means that a proxy is in front of the server', () => {
  for (const public_url of ['http://localhost:8080', 'http://127.0.0.1:1', 'http://[::1]:8080']) {
    assert.equal(isBehindProxy({ trust_proxy: false, public_url }), false, public_url);
    assert.equal(isBehindProxy({ trust_proxy: ['loopback'], public_url }), true, public_url);
  }
  for (const public_url of ['https://games.example', 'http://10.0.0.1:8080', 'http://[fe80::1]']) {
    assert.equal(isBehindProxy({ trust_proxy: false, public_url }), true, public_url);
  }
});
