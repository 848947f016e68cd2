import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DefinitionChange } from './definition-kind.ts';
import { readOnce } from './read-once.ts';

test('something is read once for each apply, however often it is asked for', async () => {
  let reads = 0;
  const read = readOnce((change) => Promise.resolve(`${change.game_id} ${++reads}`));
  const [first, second] = ['a', 'b'].map((game_id) => ({ game_id }) as DefinitionChange);
  const answers = await Promise.all([first!, first!, second!, first!].map(read));
  assert.deepEqual(answers, ['a 1', 'a 1', 'b 2', 'a 1']);
});
