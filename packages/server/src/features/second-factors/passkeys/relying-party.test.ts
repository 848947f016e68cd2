import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRelyingParty } from './relying-party.ts';

test('passkeys work at PUBLIC_URL with https, and at localhost if PUBLIC_URL is on the same machine', () => {
  const studio = 'https://games.studio.example';
  const local = 'http://127.0.0.1:8080';
  for (const [origin, public_url, rp_id] of [
    [studio, studio, 'games.studio.example'],
    [studio, `${studio}/overworld`, 'games.studio.example'],
    ['https://studio.example', studio, null],
    ['https://evil.example', studio, null],
    ['https://games.studio.example.evil.example', studio, null],
    ['http://localhost:8080', studio, null],
    [undefined, studio, null],
    ['null', studio, null],
    ['http://games.studio.example', 'http://games.studio.example', null],
    ['https://192.0.2.1', 'https://192.0.2.1', null],
    ['https://[2001:db8::1]', 'https://[2001:db8::1]', null],
    [local, local, null],
    ['http://localhost:8080', local, 'localhost'],
    ['http://localhost:9999', 'http://localhost:8080', 'localhost'],
    ['http://localhost:8080', 'http://[::1]:8080', 'localhost'],
  ] as const) {
    const party = findRelyingParty(origin, public_url);
    assert.equal(party?.rp_id ?? null, rp_id, `${origin} at ${public_url}`);
    if (party) assert.equal(party.origin, origin);
  }
});
