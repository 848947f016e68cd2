import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimitMemory } from './rate-limit-memory.ts';

test('a flood of made-up callers takes bounded memory and forgets earlier callers', () => {
  const memory = new RateLimitMemory();
  const count = (caller: string) => {
    let current = 0;
    memory.incr(caller, (_error, counted) => (current = counted.current), 60_000);
    return current;
  };
  assert.deepEqual([count('early'), count('early')], [1, 2]);
  for (let made_up = 0; made_up < 49_000; made_up++) count(`ip:${made_up}`);
  assert.equal(count('early'), 3, 'it remembers 50,000 callers');
  for (let made_up = 0; made_up < 100_000; made_up++) count(`ip:other ${made_up}`);
  assert.equal(count('early'), 1, 'it forgets callers of before the flood');
});
