import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConfigRule } from '@overworld/contract/remote-config/config';
import fc from 'fast-check';
import { makeGameWith } from '../../src/features/players/test/game-with-players.ts';
import { findUnmatched } from '../../src/features/remote-config/rules.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { startTestServer } from '../harness.ts';

const property = fc.constantFrom('v', '', '__proto__', "'; --", 'é', '$1', '0');
const value = fc.oneof(
  fc.constantFrom(0, 1, 10, '', '1', '10', 'v'),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.constant(null),
);
const condition = fc.oneof(
  fc.record({
    property,
    operator: fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains'),
    value,
  }),
  fc.record({ property, operator: fc.constantFrom('exists', 'not_exists') }),
);
const stored = fc.dictionary(
  property,
  fc.oneof(value, fc.array(value, { maxLength: 2 }), fc.dictionary(property, value)),
);

// PostgreSQL decides in searches, JavaScript in rules.
test('a search finds a player exactly if a rule of remote config with its conditions holds', async () => {
  await using server = await startTestServer();
  const { game_id, list } = await makeGameWith(server, [{ id: 'p' }]);
  let matches = 0;
  await fc.assert(
    fc.asyncProperty(
      stored,
      fc.array(condition, { minLength: 1, maxLength: 3 }),
      async (properties, conditions) => {
        const text = JSON.stringify(properties);
        await server.database.execute(sql`
          UPDATE players SET properties = ${text}::jsonb WHERE game_id = ${game_id}`);
        const answer = await list({ filter: JSON.stringify(conditions) });
        const isRefused = conditions.some(
          (each) =>
            'value' in each &&
            /^[gl]t/.test(each.operator) &&
            !/number|string/.test(typeof each.value),
        );
        assert.equal(answer.status, isRefused ? 400 : 200, answer.text);
        if (isRefused) return;
        const rule = { value: 1, properties: conditions };
        const traits = { player_id: 'p', tags: new Set<string>(), properties: JSON.parse(text) };
        const isMatch = findUnmatched(rule as ConfigRule, 'key', traits) === null;
        if (isMatch) matches++;
        assert.equal(answer.body.players.length, isMatch ? 1 : 0);
      },
    ),
    { numRuns: 300 },
  );
  assert.ok(matches > 20, `${matches} of 300 matched`);
});
