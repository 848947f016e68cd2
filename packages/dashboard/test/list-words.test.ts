import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detailWords } from '../src/pages/audit-log/detail-words.ts';
import { totalWords } from '../src/ui/tables/total-words.ts';

test('the words for the total of a list say whether it is exact, the least possible number, or over the limit', () => {
  assert.equal(totalWords(3, { count: 3, is_exact: true }), '3 in all');
  assert.equal(totalWords(50, { count: 1_234, is_exact: true }), '50 of 1,234');
  assert.equal(totalWords(50, { count: 10_000, is_exact: false }), '50 of over 10,000');
  assert.equal(totalWords(50, { count: 60, is_exact: false }), '50 of at least 60');
  assert.equal(totalWords(50, { count: 2, is_exact: false }), '50 of at least 50');
});

test('details of a change are described in words, without ids', () => {
  const words = (details: object) => detailWords(details as never, () => 'then').join(' · ');
  const id = '0b5e3a5c-8f7e-4c3b-9a51-0d4a3c2b1f00';
  assert.equal(words({ account_id: id, from: 'viewer', to: 'admin' }), 'viewer → admin');
  assert.equal(
    words({ environment: 'production', from: { a: 1, b: null }, to: { a: 1, b: 2_000 } }),
    'b: none → 2,000',
  );
  assert.equal(words({ text: 'new', text_before: 'old' }), 'text: old → new');
  assert.equal(
    words({ version: 3, added: ['gold'], changed: [], removed: ['a', 'b'] }),
    'version: 3 · added: gold · removed: a, b',
  );
  assert.equal(
    words({ name: 'Night Owl', hidden: true, reason: null, starts_at: '2026-03-01T00:00:00.000Z' }),
    'hidden: yes · starts at: then',
  );
  assert.equal(words({ keys: ['a', 'b', 'c', 'd', 'e', 'f'] }), 'keys: a, b, c, d, e and 1 more');
  assert.equal(words({ schema: { type: 'object' } }), 'schema: {"type":"object"}');
  const scores = [{ score: 7, player_id: 'a' }, { player_id: 'b' }];
  assert.equal(words({ scores }), 'scores: a 7, b');
  assert.equal(words({ rules: [{ conditions: [] }, { conditions: [] }] }), 'rules: 2');
});
