import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { diffLines } from '../src/pages/remote-config/changes/line-diff.ts';
import { listChanges } from '../src/pages/remote-config/changes/parameter-changes.ts';

const texts = (lines: ReturnType<typeof diffLines>, ...kinds: string[]) =>
  lines.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text);

test('a diff has the lines of both texts, and as many common lines as possible', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      assert.deepEqual(texts(lines, 'same', 'removed'), before);
      assert.deepEqual(texts(lines, 'same', 'added'), after);
      assert.equal(texts(lines, 'same').length, longestCommon(before, after));
    }),
  );
});

test('if texts have too many lines to compare, all old lines are removed and all new lines are added', () => {
  const before = Array.from({ length: 1_500 }, (_, n) => `old ${n}`);
  const after = Array.from({ length: 1_500 }, (_, n) => `new ${n}`);
  const lines = diffLines(before, after);
  assert.deepEqual([texts(lines, 'removed'), texts(lines, 'added')], [before, after]);
});

test('the value, rules and description of a parameter are compared, and long runs of equal lines are left out', () => {
  const rules = [{ percentage: 5, value: 1 }];
  const value = Array.from({ length: 40 }, (_, n) => n);
  const before = { gone: { value: 1 }, same: { value: [1] }, long: { value }, rule: { value: 1 } };
  const after = {
    same: { value: [1] },
    long: { value: value.with(20, -1) },
    rule: { value: 1, rules, description: 'why' },
    ['__proto__' as string]: { value: 2 },
  };
  const changes = listChanges(before, Object.fromEntries(Object.entries(after)));
  assert.deepEqual(
    changes.map(({ key, kind, parts }) => [key, kind, parts.map(({ name }) => name)]),
    [
      ['long', 'changed', ['Value']],
      ['rule', 'changed', ['Rules', 'Description']],
      ['__proto__', 'added', ['Value']],
      ['gone', 'removed', ['Value']],
    ],
  );
  const { lines } = changes[0]!.parts[0]!;
  assert.equal(lines.length, 8);
  assert.deepEqual(texts(lines, 'removed', 'added'), ['  20,', '  -1,']);
  assert.deepEqual(texts(changes[1]!.parts[0]!.lines, 'added'), ['5% of players → 1']);
});

/** The length of the longest common subsequence of lines, found by trying all common subsequences. */
function longestCommon(before: string[], after: string[], b = 0, a = 0): number {
  if (b === before.length || a === after.length) return 0;
  if (before[b] === after[a]) return 1 + longestCommon(before, after, b + 1, a + 1);
  return Math.max(longestCommon(before, after, b + 1, a), longestCommon(before, after, b, a + 1));
}
