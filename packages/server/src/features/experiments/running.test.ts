import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDefinitionReader } from './running.ts';
import type { StoredExperiment } from './store.ts';

test('the definition of an experiment is parsed once, even if its share changes', async () => {
  const make = (id: string, share: number) => {
    const variants = [
      { name: 'A', weight: 1 },
      { name: 'B', weight: 1, values: { p: 1 } },
    ];
    const definition = JSON.stringify({ condition: null, variants, metrics: [] });
    return { id, share, definition } as StoredExperiment;
  };
  const read = createDefinitionReader();
  const [first] = await read([make('first', 10)]);
  const [again, second] = await read([make('first', 20), make('second', 10)]);
  assert.equal(again!.variants, first!.variants);
  assert.equal(again!.share, 20);
  assert.equal(second!.variants[1]!.members.get('p'), '"p":1');
});
