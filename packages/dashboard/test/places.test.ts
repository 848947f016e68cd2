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

test('the palette names every page of a game that needs no choice before it', async () => {
  const source = (path: string) => readFile(new URL(`../src/${path}`, import.meta.url), 'utf8');
  const router = await source('router.tsx');
  const pages = [...router.matchAll(/\bat\(\s*'([a-z-]+)'/g)].map(([, path]) => path!);
  assert.ok(pages.length > 30);
  const known =
    (await source('shell/navigation/places.ts')) +
    (await source('shell/navigation/use-palette-items.tsx'));
  for (const page of pages) assert.match(known, new RegExp(`'${page}[?']`), page);
});
