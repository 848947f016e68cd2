import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { createClientAddresses } from './connections/connections.ts';

test('a client that has hung up has an empty address, also behind proxies', () => {
  const request = { headers: {}, socket: {} } as IncomingMessage;
  for (const trust_proxy of [false, true, ['10.0.0.0/8']]) {
    assert.equal(createClientAddresses({ trust_proxy }).of(request), '');
  }
});
