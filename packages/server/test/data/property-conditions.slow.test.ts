import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  comparesOrder,
  FILTER_OPERATORS,
  STAT_OPERATORS,
  takesValue,
} from '@overworld/contract/players/filter-operators';
import type { ConfigRule } from '@overworld/contract/remote-config/config';
import fc from 'fast-check';
import { countCases } from '../long-forms.ts';
import { makeGameWith } from '../../src/features/players/test/game-with-players.ts';
import { findUnmatched } from '../../src/features/remote-config/rules.ts';
import { getTraits } from '../../src/features/remote-config/store.ts';
import type { Traits } from '../../src/platform/players/traits.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { parseExactly } from '../../src/platform/json/exact-json.ts';
import { startTestServer } from '../harness.ts';

const property = fc.constantFrom('v', 'v', 'v', '', '__proto__', "'; --", 'é', '$1', '0');
// There are only a few of these common values, so stored values often equal the values of conditions.
const common = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown>(0, 1, 10, '', '1', '10', 'v', true, null) },
  // A double holds none of these numbers exactly.
  fc
    .constantFrom('9007199254740993', '9007199254740993.0', '0.10000000000000001')
    .map((text) => JSON.rawJSON(text)),
);
const rare = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 5 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
  fc.boolean(),
);
const value = fc.oneof({ weight: 3, arbitrary: common }, rare);
const condition = fc.oneof(
  {
    weight: 7,
    arbitrary: fc.record({
      property,
      operator: fc.constantFrom(...FILTER_OPERATORS.filter(takesValue)),
      value,
    }),
  },
  fc.record({
    property,
    operator: fc.constantFrom(...FILTER_OPERATORS.filter((operator) => !takesValue(operator))),
  }),
);
const stored = fc.dictionary(
  property,
  fc.oneof(
    { weight: 3, arbitrary: value },
    fc.array(value, { maxLength: 2 }),
    fc.dictionary(property, value),
  ),
);
const sizeOf = (length: number) => ({ minLength: length, maxLength: length });

// PostgreSQL evaluates the conditions of searches, and JavaScript those of rules.
test('a search finds exactly the players who match a rule with the same conditions', async () => {
  await using server = await startTestServer();
  await fc.assert(
    fc.asyncProperty(
      fc.array(stored, sizeOf(60)),
      fc.array(fc.array(condition, { minLength: 1, maxLength: 2 }), sizeOf(40)),
      async (stored_properties, searches) => {
        const players = stored_properties.map((properties, index) => ({
          id: `p${index}`,
          properties: JSON.stringify(properties),
        }));
        const { list } = await makeGameWith(server, players);
        for (const conditions of searches) {
          const filter = JSON.stringify(conditions);
          const answer = await list({ filter, limit: '100' });
          const sent = JSON.parse(filter) as typeof conditions;
          const isRefused = sent.some(
            (each) =>
              'value' in each &&
              comparesOrder(each.operator) &&
              !/number|string/.test(typeof each.value),
          );
          assert.equal(answer.status, isRefused ? 400 : 200, answer.text);
          if (isRefused) continue;
          const rule = { value: 1, properties: parseExactly(filter) } as ConfigRule;
          const expected = players.filter(({ id, properties }) => {
            const traits = { player_id: id, tags: new Set<string>(), stats: {} };
            const own = parseExactly(properties) as Traits['properties'];
            return findUnmatched(rule, 'key', { ...traits, properties: own }) === null;
          });
          const found = answer.body.players.map((each: { player_id: string }) => each.player_id);
          const ids = expected.map(({ id }) => id);
          assert.deepEqual(found.toSorted(), ids.toSorted(), filter);
        }
      },
    ),
    { numRuns: countCases(8) },
  );
});

const MOST = Number.MAX_SAFE_INTEGER;
// A double holds none of the wide numbers exactly.
const stat_value = fc.oneof(
  fc.constantFrom(
    '0',
    '1',
    '-1',
    '0.1',
    '0.000001',
    String(MOST),
    '9007199254740990.123456',
    '1e3',
  ),
  fc.integer({ min: -3, max: 3 }).map(String),
);
const stat_condition = fc.record({
  stat: fc.constantFrom('wins', 'coins', '__proto__'),
  operator: fc.constantFrom(...STAT_OPERATORS),
  value: stat_value,
});
const stats_of_player = fc.dictionary(
  fc.constantFrom('wins', 'coins', '__proto__'),
  stat_value.map((text) => (text === '1e3' ? '1000' : text)),
  { noNullPrototype: true },
);

test('a search finds exactly the players who match a rule with the same conditions on statistics', async () => {
  await using server = await startTestServer();
  await fc.assert(
    fc.asyncProperty(
      fc.array(stats_of_player, sizeOf(40)),
      fc.array(fc.array(stat_condition, { minLength: 1, maxLength: 2 }), sizeOf(40)),
      async (stored_stats, searches) => {
        const players = stored_stats.map((stats, index) => ({ id: `p${index}`, stats }));
        const { game_id, list } = await makeGameWith(server, players);
        await server.database.execute(sql`
          INSERT INTO stats (game_id, key, name, aggregation)
          SELECT ${game_id}, key, key, 'sum' FROM unnest('{wins,coins,__proto__}'::text[]) AS key`);
        const rows = players.flatMap(({ id, stats }) =>
          Object.entries(stats).map(([key, text]) => ({ id, key, text })),
        );
        await server.database.execute(sql`
          INSERT INTO player_stats (game_id, environment, player_id, key, aggregation, value, changed_at)
          SELECT ${game_id}, 'production', id, key, 'sum', value, now()
          FROM unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ key }) => key)}::text[],
                      ${rows.map(({ text }) => text)}::numeric[]) AS row (id, key, value)`);
        for (const conditions of searches) {
          const written = conditions.map(({ value: number, ...rest }) =>
            takesValue(rest.operator) ? { ...rest, value: JSON.rawJSON(number) } : rest,
          );
          const filter = JSON.stringify(written);
          const answer = await list({ filter, limit: '100' });
          assert.equal(answer.status, 200, answer.text);
          const rule = { value: 1, properties: parseExactly(filter) } as ConfigRule;
          const expected = [];
          for (const { id: player_id } of players) {
            const player = { game_id, environment: 'production' as const, player_id };
            const needs = { property_names: [], stat_keys: ['wins', 'coins', '__proto__'] };
            const traits = await getTraits(server.database, player, needs);
            if (findUnmatched(rule, 'key', traits) === null) expected.push(player_id);
          }
          const found = answer.body.players.map((each: { player_id: string }) => each.player_id);
          assert.deepEqual(found.toSorted(), expected.toSorted(), filter);
        }
      },
    ),
    { numRuns: countCases(4) },
  );
});
