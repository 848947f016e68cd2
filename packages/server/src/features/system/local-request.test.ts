import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLocalRequest } from './local-request.ts';

test('loopback addresses are this machine, others are not', () => {
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

test('what says that it was forwarded is not this machine', () => {
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
    assert.equal(isLocalRequest('127.0.0.1', { [name]: '127.0.0.1' }), false, name);
  }
});
