import { test } from 'node:test';
import { killApplies } from './test/kill-applies.ts';

test('a server that is killed at any moment of an apply leaves the game as it was, or as the plan says', async () => {
  await killApplies(5);
});
