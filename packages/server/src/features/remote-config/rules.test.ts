import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ConfigRule } from '@overworld/contract/remote-config/config';
import fc from 'fast-check';
import type { Traits } from '../../platform/players/traits.ts';
import { findUnmatched, locate } from './rules.ts';

const rule = (conditions: Partial<ConfigRule>): ConfigRule => ({ value: 1, ...conditions });
const player = (traits: Partial<{ id: string; tags: string[]; properties: object }>): Traits => ({
  player_id: traits.id ?? 'p1',
  tags: new Set(traits.tags),
  properties: (traits.properties ?? {}) as Traits['properties'],
  stats: {},
});

const matches = (percentage: number, id: string, salt?: string) =>
  findUnmatched(rule({ percentage, salt }), 'key', player({ id })) === null;

const unmatched = (conditions: Partial<ConfigRule>, traits: Parameters<typeof player>[0]) =>
  findUnmatched(rule(conditions), 'key', player(traits));

const exists = (property: string) => ({
  properties: [{ property, operator: 'exists' as const }],
});

suite('percentages', () => {
  const ids = fc.string({ minLength: 1, unit: 'binary' });
  const percentages = fc.double({ min: 0, max: 100, noNaN: true });
  test('the place of a player is always the same, and is at least 0 and below 100', () => {
    fc.assert(
      fc.property(fc.string(), ids, (salt, id) => {
        const place = locate(salt, id);
        assert.ok(place >= 0 && place < 100);
        assert.equal(locate(salt, id), place);
      }),
    );
    // This value must never change, because an upgrade that changes it would move players between groups.
    assert.equal(locate('daily_reward', 'player-42').toFixed(9), '85.776444982');
  });

  test('a percentage that is raised still matches the players that it matched before', () => {
    fc.assert(
      fc.property(percentages, percentages, ids, (a, b, id) => {
        const [lower, higher] = a < b ? [a, b] : [b, a];
        assert.ok(!matches(lower, id) || matches(higher, id));
      }),
    );
  });

  test('0 percent matches no player and 100 percent matches all', () => {
    fc.assert(
      fc.property(ids, (id) => {
        assert.equal(matches(0, id), false);
        assert.equal(matches(100, id), true);
      }),
    );
  });

  test('a percentage, even one with decimals, matches its share of players with every salt', () => {
    const players = Array.from({ length: 40_000 }, (_, n) => `player-${n}`);
    for (const [percentage, salt] of [
      [50, 'a'],
      [10, 'b'],
      [0.5, undefined],
    ] as const) {
      const share = players.filter((id) => matches(percentage, id, salt)).length / players.length;
      const deviation = Math.sqrt((percentage * (100 - percentage)) / players.length);
      assert.ok(Math.abs(share * 100 - percentage) < 4 * deviation, `${share} of ${percentage}`);
    }
  });

  test('different salts choose independently, equal salts choose the same players', () => {
    const players = Array.from({ length: 20_000 }, (_, n) => `player-${n}`);
    const inA = players.filter((id) => matches(50, id, 'a'));
    const inBoth = inA.filter((id) => matches(50, id, 'b'));
    assert.ok(Math.abs(inBoth.length / inA.length - 0.5) < 0.02);
    assert.ok(inA.every((id) => matches(50, id, 'a')));
    assert.deepEqual(
      players.filter((id) => matches(30, id)),
      players.filter((id) => matches(30, id, 'key')),
      'the key is the salt when there is none',
    );
  });

  test('no percentage, not even 100, matches a player without an id', () => {
    const nameless = { ...player({}), player_id: null };
    assert.equal(findUnmatched(rule({ percentage: 100 }), 'key', nameless), 'percentage');
  });
});

suite('conditions', () => {
  test('without a player no rule matches', () => {
    assert.equal(findUnmatched(rule({ lacks_tags: ['a'] }), 'key', null), 'player');
  });

  test('has_tags needs all of its tags, and lacks_tags allows none of its tags, in upper or lower case', () => {
    const tags = ['vip', 'beta'];
    assert.equal(unmatched({ has_tags: ['VIP', ' beta '] }, { tags }), null);
    assert.equal(unmatched({ has_tags: ['vip', 'gone'] }, { tags }), 'has_tags');
    assert.equal(unmatched({ lacks_tags: ['gone'] }, { tags }), null);
    assert.equal(unmatched({ lacks_tags: ['gone', 'Beta'] }, { tags }), 'lacks_tags');
  });

  test('every condition of a rule must hold, and the first condition that does not hold is named', () => {
    const conditions = {
      has_tags: ['vip'],
      properties: [{ property: 'level', operator: 'gte', value: 3 }],
      percentage: 0,
    } as const satisfies Partial<Record<keyof ConfigRule, unknown>>;
    const stated = conditions as unknown as Partial<ConfigRule>;
    assert.equal(unmatched(stated, {}), 'has_tags');
    assert.equal(unmatched(stated, { tags: ['vip'] }), 'properties');
    assert.equal(unmatched(stated, { tags: ['vip'], properties: { level: 3 } }), 'percentage');
    const raised = { ...stated, percentage: 100 };
    assert.equal(unmatched(raised, { tags: ['vip'], properties: { level: 3 } }), null);
  });

  type Operator = NonNullable<ConfigRule['properties']>[number]['operator'];
  const cases: [unknown, Operator, string | number | boolean | null | undefined, boolean][] = [
    [5, 'eq', 5, true],
    [5, 'eq', '5', false],
    ['de', 'eq', 'de', true],
    [true, 'eq', true, true],
    [null, 'eq', null, true],
    [undefined, 'eq', null, false],
    [5, 'ne', 6, true],
    [5, 'ne', 5, false],
    [undefined, 'ne', 5, true],
    [5, 'gt', 4, true],
    [5, 'gt', 5, false],
    [5, 'gte', 5, true],
    [5, 'lt', 5, false],
    [4.5, 'lt', 5, true],
    [5, 'lte', 5, true],
    ['b', 'gt', 'a', true],
    // Texts are compared by code point. By UTF-16 code unit, 🦊 would come before U+FFFD.
    ['🦊', 'gt', '\ufffd', true],
    ['5', 'gt', 4, false],
    [5, 'lt', '6', false],
    [undefined, 'lt', 6, false],
    [null, 'lte', 6, false],
    ['sword of fire', 'contains', 'fire', true],
    ['sword', 'contains', 'fire', false],
    [['a', 'b'], 'contains', 'b', true],
    [['a', 'b'], 'contains', 'c', false],
    [12, 'contains', 2, false],
    [null, 'exists', undefined, true],
    [undefined, 'exists', undefined, false],
    [undefined, 'not_exists', undefined, true],
    [0, 'not_exists', undefined, false],
  ];
  for (const [actual, operator, value, expected] of cases) {
    test(`${JSON.stringify(actual)} ${operator} ${JSON.stringify(value)}: ${expected}`, () => {
      const properties = actual === undefined ? {} : { x: actual };
      const condition = { property: 'x', operator, value };
      const result = unmatched({ properties: [condition] }, { properties });
      assert.equal(result === null, expected);
    });
  }

  test('a property with the name of a member of Object.prototype is like any other', () => {
    assert.equal(unmatched(exists('constructor'), {}), 'properties');
    assert.equal(unmatched(exists('__proto__'), {}), 'properties');
    const properties = JSON.parse('{"__proto__":1}');
    assert.equal(unmatched(exists('__proto__'), { properties }), null);
  });
});
