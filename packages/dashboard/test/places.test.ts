import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

test('each shortcut letter leads to exactly one page', async () => {
  const places = new URL('../src/shell/navigation/places.ts', import.meta.url);
  // The letter is the last argument of `place`.
  const text = await readFile(places, 'utf8');
  const letters = [...text.matchAll(/,\s*'([a-z])',?\s*\)/g)].map(([, letter]) => letter);
  assert.ok(letters.length > 20);
  assert.equal(new Set(letters).size, letters.length, letters.toSorted().join(''));
});
