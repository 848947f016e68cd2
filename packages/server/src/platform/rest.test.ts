import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restAfter, restOf } from './rest.ts';

test('a rest is a multiple of the work, within its bounds', () => {
  assert.equal(restOf(30, {}), 30);
  assert.equal(restOf(30, { times: 2 }), 60);
  assert.equal(restOf(30, { times: 19, max_ms: 500 }), 500);
  assert.equal(restOf(1, { times: 19, min_ms: 500, max_ms: 2_000 }), 500);
});

test('an aborted signal ends a rest without an error', async () => {
  const stopped = new AbortController();
  const rest = restAfter(1e6, { signal: stopped.signal });
  stopped.abort();
  await rest;
});
