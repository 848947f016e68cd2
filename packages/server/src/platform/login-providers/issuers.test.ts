import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAsSafe } from './issuers.ts';

test('an address of an issuer has TLS, or plain HTTP as the issuer itself, and no other scheme', () => {
  const cases: [string, string, boolean][] = [
    ['https://id.example/keys', 'https://id.example', true],
    ['https://id.example/keys', 'http://id.example', true],
    ['http://id.example/keys', 'http://id.example', true],
    ['http://id.example/keys', 'https://id.example', false],
    ['javascript:alert(1)', 'http://id.example', false],
    ['javascript:alert(1)', 'https://id.example', false],
    ['file:///etc/passwd', 'http://id.example', false],
  ];
  for (const [address, issuer, expected] of cases) {
    assert.equal(isAsSafe(address, issuer), expected, `${address} of ${issuer}`);
  }
});
