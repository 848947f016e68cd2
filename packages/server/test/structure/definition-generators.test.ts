import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFINITION_KINDS } from '@overworld/contract/definitions/kinds';
import { GENERATORS } from '../data/definitions/generators.ts';

test('the test of random games makes every kind of definition', () => {
  assert.deepEqual(Object.keys(GENERATORS).toSorted(), [...DEFINITION_KINDS].toSorted());
});
