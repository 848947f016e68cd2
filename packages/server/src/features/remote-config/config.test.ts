import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ConfigParameter } from '@overworld/contract/remote-config/config';
import fc from 'fast-check';
import type { Traits } from '../../platform/players/traits.ts';
import { createConfig } from './config.ts';
import { findUnmatched } from './rules.ts';

const nobody = null;
const player = (player_id: string, tags: string[] = [], properties = {}): Traits => ({
  player_id,
  tags: new Set(tags),
  properties,
  stats: {},
});

/** Computes the expected values of a config, as pairs of key and value. */
const model = (parameters: Record<string, ConfigParameter>, traits: Traits | null) =>
  Object.entries(parameters).map(([key, { value, rules: stated = [] }]) => {
    const match = stated.find((rule) => findUnmatched(rule, key, traits) === null);
    return [key, match ? match.value : value];
  });

const needsOf = (rule: object) =>
  createConfig(1, JSON.stringify({ a: { value: 1, rules: [{ ...rule, value: 2 }] } })).needs;

suite('a config', () => {
  test('the first rule that matches gives the value, and if no rule matches the default does', () => {
    const parameters = {
      a: {
        value: 'default',
        rules: [
          { has_tags: ['vip'], value: 'vip' },
          { lacks_tags: ['beta'], value: 'stable' },
          { percentage: 100, value: 'all' },
        ],
      },
      b: { value: [1, null] },
    };
    const config = createConfig(3, JSON.stringify(parameters));
    const read = (traits: Traits | null) => JSON.parse(config.answer(traits).text);
    assert.deepEqual(read(nobody), { config: { a: 'default', b: [1, null] }, version: 3 });
    assert.equal(read(player('p', ['vip', 'beta'])).config.a, 'vip');
    assert.equal(read(player('p')).config.a, 'stable');
    assert.equal(read(player('p', ['beta'])).config.a, 'all');
    assert.deepEqual(config.decide(player('p', ['beta'])), [
      { key: 'a', rule: 2, rule_name: null, unmatched: ['has_tags', 'lacks_tags'] },
    ]);
  });

  test('players with the same matching rules share a cached answer while the cache is small', () => {
    const half = { value: 'x'.repeat(400_000), rules: [{ has_tags: ['vip'], value: 1 }] };
    const turns = {
      value: 0,
      rules: ['a', 'b', 'c'].map((tag) => ({ has_tags: [tag], value: tag })),
    };
    const config = createConfig(1, JSON.stringify({ half, turns }));
    const first = config.answer(player('p', ['a']));
    assert.equal(config.answer(player('q', ['a'])), first);
    config.answer(player('p', ['b']));
    assert.equal(config.answer(player('q', ['a'])), first);
    config.answer(player('p', ['c']));
    assert.notEqual(config.answer(player('q', ['a'])), first, 'forgotten');
    assert.equal(config.answer(player('q', ['a'])).text, first.text);
  });

  test('two answers have the same ETag exactly when they have the same values', () => {
    const conditions = fc.oneof(
      fc.record({ has_tags: fc.subarray(['a', 'b'], { minLength: 1 }) }),
      fc.record({ percentage: fc.constantFrom(0, 30, 60, 100) }),
    );
    const rules = fc.array(
      fc.tuple(conditions, fc.nat({ max: 2 })).map(([stated, value]) => ({ ...stated, value })),
      { maxLength: 3 },
    );
    const anyParameters = fc.dictionary(
      fc.constantFrom('k', 'l', '__proto__', '1'),
      fc.record({ value: fc.nat({ max: 2 }), rules }),
    );
    const anyPlayer = fc.option(
      fc
        .tuple(fc.constantFrom('p1', 'p2', 'p3'), fc.subarray(['a', 'b']))
        .map(([id, tags]) => player(id, tags)),
    );
    fc.assert(
      fc.property(anyParameters, anyPlayer, anyPlayer, (parameters, one, other) => {
        const config = createConfig(1, JSON.stringify(parameters));
        const first = config.answer(one);
        const second = config.answer(other);
        assert.deepEqual(Object.entries(JSON.parse(first.text).config), model(parameters, one));
        assert.deepEqual(Object.entries(JSON.parse(second.text).config), model(parameters, other));
        assert.equal(first.etag === second.etag, first.text === second.text);
      }),
    );
  });

  test('a config lists the traits that its rules look at', () => {
    assert.equal(createConfig(1, '{"a":{"value":1}}').needs, null);
    assert.equal(needsOf({ percentage: 5 }), null);
    assert.deepEqual(needsOf({ lacks_tags: ['a'] }), { property_names: [], stat_keys: [] });
    const condition = { property: 'level', operator: 'exists' };
    const of_stat = { stat: 'wins', operator: 'gt', value: 1 };
    assert.deepEqual(needsOf({ properties: [condition, of_stat, condition] }), {
      property_names: ['level'],
      stat_keys: ['wins'],
    });
  });

  test('numbers beyond 2^53 keep their digits', () => {
    const text =
      '{"a":{"value":{"id":76561198000000001234,"x":1.5},"rules":[{"percentage":100,"value":-9007199254740993}]}}';
    const config = createConfig(1, text);
    assert.equal(
      config.answer(null).text,
      '{"config":{"a":{"id":76561198000000001234,"x":1.5}},"version":1}',
    );
    assert.equal(config.answer(player('p')).text, '{"config":{"a":-9007199254740993},"version":1}');
  });
});
