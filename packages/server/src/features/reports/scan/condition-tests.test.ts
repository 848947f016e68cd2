import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { FILTER_OPERATORS } from '@overworld/contract/players/filter-operators';
import { comparesOrder, takesValue } from '@overworld/contract/players/filter-operators';
import fc from 'fast-check';
import { anySpellings } from '../../../../test/data/spelled-numbers.ts';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { countCases } from '../../../../test/long-forms.ts';
import { joinSql, sql } from '../../../platform/database/sql.ts';
import { toSql, writeAsStored } from '../../../platform/property-conditions.ts';
import type { Condition } from '../../../platform/property-conditions.ts';
import { trimZeros } from '../../../platform/property-text.ts';
import { compileConditions, keepMatching } from './condition-tests.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

/** JSON text of numbers. Many of them are equal, or next to each other. */
const number = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('0', '-0', '1', '1.0', '10e-1', '-1', '3', '3.000', '10'),
  },
  fc.constantFrom(
    '9007199254740992',
    '9007199254740993',
    '9007199254740993.0',
    '9007199254740993.5',
    '0.1',
    '0.10000000000000000001',
    '0.1000000000000000055511151231257827',
    '1e-20000',
    '1e-400',
    '1e-320',
    '1e300',
    '1.7976931348623157e308',
    `1${'0'.repeat(200)}`,
    `1${'0'.repeat(199)}1`,
    `9007199254740993.${'3'.repeat(500)}`,
    `9007199254740993.${'3'.repeat(500)}4`,
    `0.${'3'.repeat(210)}`,
  ),
  anySpellings(1).map(([spelling]) => spelling!),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((double) => JSON.stringify(double)),
);
const text = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('""', '"1"', '"a"', '"ab"', '"b"', '"\\u0061"', '"3.0"', '"é"'),
  },
  // By code points, the second is after the first; by UTF-16 it is before.
  fc.constantFrom(
    '"\uffff"',
    '"\u{1f600}"',
    '"\\ud83d\\ude00"',
    '"\\uFFFF"',
    '"\\"\\\\\\n"',
    '"\\u0001"',
  ),
  fc.string({ unit: 'grapheme', maxLength: 4 }).map((any) => JSON.stringify(any)),
);
const scalar = fc.oneof(number, text, fc.constantFrom('true', 'false', 'null'));
const key = fc.constantFrom('a', 'b', '', '1.0', '\\"');
const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    { weight: 4, arbitrary: scalar },
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join()}]`),
    fc
      .array(fc.tuple(key, tie('value')), { maxLength: 3 })
      .map((members) => `{${members.map(([name, of]) => `"${name}": ${of}`).join()}}`),
  ),
}));

/** A condition on the property `v`, as JSON text. */
const condition = fc.constantFrom(...FILTER_OPERATORS).chain((operator) => {
  const start = `{"property":"v","operator":"${operator}"`;
  if (!takesValue(operator)) return fc.constant(`${start}}`);
  const sent = comparesOrder(operator) ? fc.oneof(number, text) : scalar;
  return sent.map((json) => `${start},"value":${json}}`);
});

test('conditions decide on columns as they decide in PostgreSQL', async () => {
  const run = fc.asyncProperty(
    fc.array(fc.option(value, { freq: 10 }), { minLength: 150, maxLength: 150 }),
    fc.array(condition, { minLength: 60, maxLength: 60 }),
    async (values, conditions) => {
      const sent = conditions.map((each) => {
        const steps = `[{"filter":[${each}]}]`;
        return { filter: [JSON.parse(each) as Condition], text: steps, path: ['0', 'filter'] };
      });
      const found = sent.map((each) => sql`COALESCE(${toSql(each)[0]!}, false)`);
      const rows = await server.database.query<{ stored: string | null; meets: boolean[] }>(sql`
        SELECT (properties -> 'v')::text AS stored, ARRAY[${joinSql(found, ', ')}] AS meets
        FROM unnest(${values.map((json) => (json === null ? '{}' : writeAsStored(`{"v":${json}}`)))}::jsonb[])
          WITH ORDINALITY AS sent (properties, place)
        ORDER BY place`);
      const texts = rows.map(({ stored }) => (stored === null ? null : trimZeros(stored)));
      const listed = [...new Set(texts.filter((json) => json !== null))];
      const codes = Uint32Array.from(texts, (json) =>
        json === null ? 0 : listed.indexOf(json) + 1,
      );
      // The same texts as plain numbers, where they are numbers that a double holds.
      const isPlain = (json: string | null) => json === null || String(Number(json)) === json;
      const numbers = Float64Array.from(texts, (json) => Number(json ?? Number.NaN));
      sent.forEach((each, index) => {
        const [compiled] = compileConditions(each);
        const kept = new Uint8Array(rows.length).fill(1);
        keepMatching(compiled!, { values: listed, codes }, kept);
        const kept_plain = new Uint8Array(rows.length).fill(1);
        keepMatching(compiled!, { numbers }, kept_plain);
        rows.forEach(({ meets }, place) => {
          const about = `${conditions[index]} on ${texts[place]}`;
          assert.equal(kept[place] === 1, meets[index], about);
          if (isPlain(texts[place]!)) assert.equal(kept_plain[place], kept[place], about);
        });
      });
    },
  );
  await fc.assert(run, { numRuns: countCases(20) });
});
