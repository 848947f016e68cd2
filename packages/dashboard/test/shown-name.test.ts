import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showName } from '../src/ui/shown-name.ts';

const FAMILY = '👩\u200d👩\u200d👧';
const WALES = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}';

test('a name without a visible character is shown by its codes', () => {
  assert.equal(showName('\u200b'), '(no visible name: U+200B)');
  assert.equal(showName(' \u3164'), '(no visible name: U+0020 U+3164)');
  assert.equal(showName('\u2800'.repeat(9)), '(no visible name: U+2800 U+2800 U+2800 U+2800 …)');
});

test('names that differ in invisible characters alone look different', () => {
  const names = ['week', 'week ', ' week', 'week\u200b', 'we\u00adek', 'week\u200e', 'we\u200dek'];
  const others = ['we ek', 'we  ek', 'we\u00a0ek', 'we\u3164ek', 'week\ufe0f'];
  const shown = [...names, ...others].map(showName);
  const seen = shown.map((name) => name.replaceAll(/[\p{Default_Ignorable_Code_Point}]/gu, ''));
  assert.equal(new Set(seen).size, shown.length, seen.join('\n'));
  assert.equal(showName('week\u200b'), 'week⟨U+200B⟩');
  assert.equal(showName('\u202egnp.exe'), '\u202egnp.exe');
});

test('characters that belong to words, emoji and flags stay', () => {
  const names = [
    'Weekly sprint',
    'é',
    'e\u0301',
    FAMILY,
    '❤\ufe0f!',
    '1\ufe0f\u20e3',
    `${WALES} Wales`,
  ];
  for (const name of [...names, 'می\u200cخواهم', '山田\u3000太郎', 'क्\u200dष', '葛\u{e0100}']) {
    assert.equal(showName(name), name);
  }
  assert.equal(showName(null), '');
});
