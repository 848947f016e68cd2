import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

test('each letter leads to one page', async () => {
  const places = new URL('../src/shell/navigation/places.ts', import.meta.url);
  const letters = [...(await readFile(places, 'utf8')).matchAll(/letter: '(.)'/g)].map(
    ([, a]) => a,
  );
  assert.ok(letters.length > 20);
  assert.equal(new Set(letters).size, letters.length, letters.toSorted().join(''));
});
