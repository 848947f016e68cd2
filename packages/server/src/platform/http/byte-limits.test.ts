import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSoleWorkerPool } from '../workers/worker-pool.ts';
import { createByteLimit } from './byte-limits.ts';

const makeLimit = () =>
  createByteLimit(makeSoleWorkerPool({ max_connections: 100 }).inUse, {
    name: 'bytes',
    max_bytes: 100,
    max_bytes_by_kind: { 'ip:': 20, 'key:': 50 },
  });

test('an owner can take bytes up to its limit, and take new bytes after it gives some back', () => {
  const limit = makeLimit();
  assert.equal(limit.take(['ip:a'], 15), true);
  assert.equal(limit.take(['ip:a'], 6), false);
  assert.equal(limit.take(['ip:b'], 20), true);
  limit.give(['ip:a'], 15);
  assert.equal(limit.take(['ip:a'], 20), true);
});

test('an owner that has no bytes may take more than its limit in one call', () => {
  const limit = makeLimit();
  assert.equal(limit.take(['ip:a'], 60), true);
  assert.equal(limit.take(['ip:a'], 1), false);
});

test('if one of several owners has no room, the bytes are counted for none of them', () => {
  const limit = makeLimit();
  for (const ip of ['ip:a', 'ip:b', 'ip:c']) assert.equal(limit.take([ip, 'key:k'], 15), true);
  assert.equal(limit.take(['ip:d', 'key:k'], 15), false);
  assert.equal(limit.take(['ip:d', 'key:other'], 20), true);
  assert.equal(limit.take(['ip:d'], 1), false);
});

test('all owners together can take at most `max_bytes`', () => {
  const limit = makeLimit();
  for (const ip of ['a', 'b', 'c', 'd', 'e']) assert.equal(limit.take([`ip:${ip}`], 20), true);
  assert.equal(limit.take(['ip:f'], 1), false);
  assert.deepEqual([limit.hasRoom('ip:f', 1), limit.hasRoom('ip:a', 1)], [true, false]);
  limit.give(['ip:a'], 20);
  assert.equal(limit.take(['ip:f'], 20), true);
});
