import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundInterval } from './each-group.ts';

test('housekeeping looks at eight groups per second at most', () => {
  const withGroups = (length: number) => ({ groups: Array.from({ length }) });
  assert.equal(roundInterval(1_000, withGroups(1)), 1_000);
  assert.equal(roundInterval(0, withGroups(8)), 0);
  assert.equal(roundInterval(1_000, withGroups(64)), 8_000);
  assert.equal(roundInterval(60_000, withGroups(64)), 60_000);
});
