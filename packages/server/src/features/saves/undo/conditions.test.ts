import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meetsAll } from './conditions.ts';
import type { SaveCondition } from './conditions.ts';
import { judge } from './judge.ts';
import type { KeptVersion } from './judge.ts';

const meets = (
  path: string[],
  operator: SaveCondition['operator'],
  data: unknown,
  { value, before }: { value?: string | number | boolean | null; before?: unknown } = {},
) => meetsAll([{ path, operator, ...(value !== undefined && { value }) }], data, before);

test('a condition finds a place in objects and lists by its path', () => {
  const data = { bag: [{ coins: 3 }, null], 'a.b': 1 };
  assert.ok(meets(['bag', '0', 'coins'], 'eq', data, { value: 3 }));
  assert.ok(meets(['bag', '1'], 'eq', data, { value: null }));
  assert.ok(meets(['a.b'], 'exists', data));
  assert.ok(meets(['bag', '2'], 'not_exists', data));
});

test('names of prototypes and odd places in lists are no places', () => {
  for (const data of [{}, [], { a: [] }, { a: 'text' }, 'text', 3, null]) {
    for (const path of [
      ['__proto__'],
      ['constructor', 'name'],
      ['length'],
      ['a', 'length'],
      ['a', '-1'],
    ]) {
      assert.ok(meets(path, 'not_exists', data), JSON.stringify([data, path]));
    }
  }
  assert.ok(meets(['__proto__'], 'exists', JSON.parse('{"__proto__":1}')));
});

test('the operators of filters compare only values of one type', () => {
  assert.ok(meets(['n'], 'gte', { n: 3 }, { value: 3 }));
  assert.ok(!meets(['n'], 'lt', { n: '2' }, { value: 3 }));
  assert.ok(meets(['n'], 'gt', { n: 'b' }, { value: 'a' }));
  assert.ok(meets(['n'], 'ne', {}, { value: 3 }));
  assert.ok(meets(['n'], 'contains', { n: ['x'] }, { value: 'x' }));
  assert.ok(meets(['n'], 'contains', { n: 'fox' }, { value: 'o' }));
  assert.ok(!meets(['n'], 'contains', { n: 3 }, { value: 3 }));
});

test('the other operators compare with the version before, and never hold without one', () => {
  const moved = (operator: SaveCondition['operator'], before: unknown, now: unknown) =>
    meets(['n'], operator, { n: now }, { before: { n: before } });
  assert.deepEqual(
    [moved('went_down', 3, 2), moved('went_down', 3, 3), moved('went_down', '3', 2)],
    [true, false, false],
  );
  assert.deepEqual([moved('went_up', 3, 4), moved('went_up', 3, 2)], [true, false]);
  assert.deepEqual(
    [moved('fell_by_half', 10, 5), moved('fell_by_half', 10, 6), moved('fell_by_half', 0, 0)],
    [true, false, false],
  );
  assert.deepEqual([moved('changed', [1], [1]), moved('changed', [1], [2])], [false, true]);
  assert.ok(meets(['n'], 'vanished', {}, { before: { n: null } }));
  assert.ok(!meets(['n'], 'vanished', {}, { before: {} }));
  for (const operator of ['went_down', 'changed', 'vanished'] as const) {
    assert.ok(!meets(['n'], operator, { n: 1 }));
  }
});

const versionsOf = (...coins: number[]) =>
  coins.map((_coins, index): KeptVersion => ({
    version: index + 1,
    size_bytes: 2,
    app_version: null,
    is_asked: index > 0,
  }));

/** Judges versions with these coins by the condition that they fell by half; all but the first are asked about. */
function judgeCoins(...coins: number[]) {
  const found = judge(versionsOf(...coins), ({ version }, before) =>
    meetsAll(
      [{ path: ['coins'], operator: 'fell_by_half' }],
      { coins: coins[version - 1] },
      before === null ? undefined : { coins: coins[before.version - 1] },
    ),
  );
  return found && [found.good?.version ?? null, found.bad.version, found.has_played_on];
}

test('the good version is the one before the first bad one, with which later ones are compared', () => {
  assert.equal(judgeCoins(100, 90, 80), null);
  assert.deepEqual(judgeCoins(100, 110, 40), [2, 3, false]);
  assert.deepEqual(
    judgeCoins(100, 40, 41, 42),
    [1, 2, false],
    'coins that stay lost are still lost',
  );
  assert.deepEqual(judgeCoins(100, 40, 300), [1, 2, true], 'they were won back');
});

test('without a kept version before the bad ones there is no good one', () => {
  const [first] = versionsOf(1);
  const found = judge([{ ...first!, is_asked: true }], () => true);
  assert.deepEqual([found!.good, found!.has_played_on], [null, false]);
});
