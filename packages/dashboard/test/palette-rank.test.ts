import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rankGroups, rankOf } from '../src/shell/navigation/ranked.ts';

test('an exact match comes first, then a match at the start of the label, at the start of a word, inside a word, and in the keywords', () => {
  const ranks = ['boss', 'Boss fight', 'Kill-boss', 'Emboss', 'Final'].map((label) =>
    rankOf('boss', label, 'boss keywords'),
  );
  assert.deepEqual(ranks, [0, 1, 2, 3, 4]);
  assert.equal(rankOf('fight boss', 'Boss fight'), 3);
  assert.equal(rankOf('boss', 'Final', 'other'), null);
});

test('the group with the best match comes first, and groups without a match are left out', () => {
  const groups = [
    { label: 'Pages', items: [{ label: 'Events' }, { label: 'Players' }] },
    { label: 'Boards', items: [{ label: 'old event' }, { label: 'event' }], max: 1 },
    { label: 'Empty', items: [] },
  ];
  const found = rankGroups('event', groups);
  assert.deepEqual(
    found.map(({ label, items }) => [label, items.map((item) => item.label)]),
    [
      ['Boards', ['event']],
      ['Pages', ['Events']],
    ],
  );
  assert.deepEqual(
    rankGroups('', groups).map(({ label }) => label),
    ['Pages', 'Boards'],
  );
});
