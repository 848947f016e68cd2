import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../../platform/config.ts';
import { isOpenToStrangers } from './open-registration.ts';

test('registration is open to strangers only if other machines can reach the server', () => {
  for (const [env, expected] of [
    [{}, false],
    [{ HOST: 'localhost' }, false],
    [{ HOST: '127.0.0.2', PUBLIC_URL: 'http://localhost:9000' }, false],
    [{ HOST: '::1' }, false],
    [{ PUBLIC_URL: 'http://[::1]:8080' }, false],
    [{ HOST: '0.0.0.0' }, true],
    [{ HOST: '::' }, true],
    [{ HOST: '192.0.2.7' }, true],
    [{ PUBLIC_URL: 'https://games.example' }, true],
    [{ PUBLIC_URL: 'https://localhost.games.example' }, true],
    [{ HOST: '0.0.0.0', ACCOUNT_ACTIVATION: 'email' }, true],
    [{ HOST: '0.0.0.0', ACCOUNT_ACTIVATION: 'admin' }, false],
    [{ HOST: '0.0.0.0', REGISTRATION: 'closed' }, false],
    [{ PUBLIC_URL: 'https://games.example', REGISTRATION: 'closed' }, false],
  ] as [Record<string, string>, boolean][]) {
    assert.equal(isOpenToStrangers(readConfig(env)), expected, JSON.stringify(env));
  }
});
