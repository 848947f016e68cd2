import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptsEncoding } from './accepts-encoding.ts';

test('an encoding is accepted if the client names it and does not refuse it', () => {
  for (const [header, isAccepted] of [
    ['br', true],
    ['gzip, deflate, br', true],
    ['gzip,br;q=0.1', true],
    ['br;q=1.0, gzip;q=0', true],
    ['BR', true],
    ['br;q=0', false],
    ['br; q=0.000, gzip', false],
    ['gzip, br ; Q=0', false],
    ['gzip', false],
    ['x-br, br-x', false],
    ['identity', false],
    ['', false],
    [undefined, false],
  ] as const) {
    const headers = { 'accept-encoding': header };
    assert.equal(acceptsEncoding({ headers }, 'br'), isAccepted, header);
  }
});
