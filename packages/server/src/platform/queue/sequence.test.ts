import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSequence } from './sequence.ts';

test('pieces of work are done one after the other, also after one has failed', async () => {
  const inOrder = createSequence();
  const ended: string[] = [];
  const first = inOrder(async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    ended.push('first');
    throw new Error('first');
  });
  const second = inOrder(async () => {
    ended.push('second');
    return 2;
  });
  await assert.rejects(first, { message: 'first' });
  assert.equal(await second, 2);
  assert.deepEqual(ended, ['first', 'second']);
});
