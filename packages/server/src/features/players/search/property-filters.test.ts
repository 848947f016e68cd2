import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeGameWith } from '../test/game-with-players.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

describe('property filters', () => {
  const samples = [
    ['n9', '{"v":9}'],
    ['n10', '{"v":10.0}'],
    ['n-big', '{"v":76561198000000001234}'],
    ['n-big2', '{"v":76561198000000001235}'],
    ['text10', '{"v":"10"}'],
    ['text', '{"v":"Castle Rock"}'],
    ['true', '{"v":true}'],
    ['null', '{"v":null}'],
    ['list', '{"v":[1,"Rock",null,76561198000000001234]}'],
    ['object', '{"v":{"v":9}}'],
    ['none', '{"w":9}'],
  ] as const;
  let ids: (query: Record<string, string>) => Promise<string[]>;
  before(async () => {
    ({ ids } = await makeGameWith(
      server,
      samples.map(([id, properties]) => ({ id, properties })),
    ));
  });

  const cases: [string, string[]][] = [
    ['"operator":"eq","value":10', ['n10']],
    ['"operator":"eq","value":"10"', ['text10']],
    ['"operator":"eq","value":76561198000000001234', ['n-big']],
    ['"operator":"eq","value":null', ['null']],
    ['"operator":"eq","value":true', ['true']],
    ['"operator":"ne","value":9', samples.map(([id]) => id).filter((id) => id !== 'n9')],
    ['"operator":"gt","value":9', ['n10', 'n-big', 'n-big2']],
    ['"operator":"gte","value":9', ['n9', 'n10', 'n-big', 'n-big2']],
    ['"operator":"gt","value":76561198000000001234', ['n-big2']],
    ['"operator":"lt","value":10', ['n9']],
    ['"operator":"lte","value":1e1', ['n9', 'n10']],
    ['"operator":"lt","value":"C"', ['text10']],
    ['"operator":"gte","value":"1"', ['text10', 'text']],
    ['"operator":"contains","value":"Rock"', ['text', 'list']],
    ['"operator":"contains","value":"rock"', []],
    ['"operator":"contains","value":1', ['list']],
    ['"operator":"contains","value":null', ['list']],
    ['"operator":"contains","value":76561198000000001234', ['list']],
    ['"operator":"contains","value":76561198000000001235', []],
    ['"operator":"exists"', samples.map(([id]) => id).filter((id) => id !== 'none')],
    ['"operator":"not_exists"', ['none']],
  ];
  for (const [filter, expected] of cases) {
    test(filter, async () => {
      const found = await ids({ filter: `[{"property":"v",${filter}}]` });
      assert.deepEqual(found.toSorted(), expected.toSorted());
    });
  }

  test('several filters must all hold', async () => {
    const filter = JSON.stringify([
      { property: 'v', operator: 'gte', value: 9 },
      { property: 'v', operator: 'lt', value: 10 },
      { property: 'w', operator: 'not_exists' },
    ]);
    assert.deepEqual(await ids({ filter }), ['n9']);
  });
});

test('a search succeeds with any filter and any stored value', async () => {
  const property = fc.constantFrom('v', '', '__proto__', "'; --", 'é', '$1', '0');
  const value = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 5 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
  );
  const operator = fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains');
  const filter = fc.record({ property, operator, value });
  const stored = fc.dictionary(
    property,
    fc.oneof(value, fc.array(value, { maxLength: 2 }), fc.dictionary(property, value)),
  );
  const { game_id, list } = await makeGameWith(server, [{ id: 'p' }]);
  await fc.assert(
    fc.asyncProperty(
      stored,
      fc.array(filter, { minLength: 1, maxLength: 3 }),
      async (p, filters) => {
        await server.database.execute(sql`
        UPDATE players SET properties = ${JSON.stringify(p)}::jsonb WHERE game_id = ${game_id}`);
        const answer = await list({ filter: JSON.stringify(filters) });
        const wrong = filters.some(
          (each) => /^[gl]t/.test(each.operator) && !/number|string/.test(typeof each.value),
        );
        assert.equal(answer.status, wrong ? 400 : 200, answer.text);
        if (!wrong) {
          const holds = filters.every((each) => isMatch(p[each.property], each));
          assert.equal(answer.body.players.length, holds ? 1 : 0);
        }
      },
    ),
    { numRuns: 150 },
  );
});

/** The meaning of a filter in a simple model. */
function isMatch(stored: unknown, { operator, value }: { operator: string; value: unknown }) {
  const comparable = typeof stored === typeof value && stored !== null && value !== null;
  const compare = () => {
    if (typeof value === 'number') return (stored as number) - value;
    return Buffer.compare(Buffer.from(stored as string), Buffer.from(value as string));
  };
  switch (operator) {
    case 'eq':
      return Object.is(stored, value) || stored === value;
    case 'ne':
      return stored !== value;
    case 'gt':
      return comparable && compare() > 0;
    case 'gte':
      return comparable && compare() >= 0;
    case 'lt':
      return comparable && compare() < 0;
    case 'lte':
      return comparable && compare() <= 0;
    default:
      if (Array.isArray(stored)) return stored.includes(value);
      return typeof stored === 'string' && typeof value === 'string' && stored.includes(value);
  }
}
