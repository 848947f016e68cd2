import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashAccessToken, makeAccessToken } from './access-token-text.ts';

test('a token has the form that docs/access-tokens.md gives to scanners of secrets', () => {
  const { token, prefix, token_hash } = makeAccessToken();
  assert.match(token, /^ow_pat_[0-9A-Za-z]{49}$/);
  assert.equal(prefix, token.slice(0, 13));
  assert.equal(hashAccessToken(token), token_hash);
  assert.match(token_hash, /^[0-9a-f]{64}$/);
});

test('the last six digits are the CRC-32 of the rest in base 62', () => {
  // Computed with Python's zlib.crc32.
  const unchecked = `ow_pat_${'0'.repeat(43)}`;
  const token = `${unchecked}1ZMEwa`;
  assert.notEqual(hashAccessToken(token), null);
});

test('a token with any other digit is no token', () => {
  const { token } = makeAccessToken();
  for (let at = 'ow_pat_'.length; at < token.length; at++) {
    const other = token[at] === 'a' ? 'b' : 'a';
    assert.equal(hashAccessToken(token.slice(0, at) + other + token.slice(at + 1)), null);
  }
});

test('texts of another form are no tokens', () => {
  const { token } = makeAccessToken();
  for (const text of [
    '',
    'ow_pat_',
    token.slice(1),
    `${token}\n`,
    ` ${token}`,
    token.toLowerCase(),
  ]) {
    assert.equal(hashAccessToken(text), null, JSON.stringify(text));
  }
});
