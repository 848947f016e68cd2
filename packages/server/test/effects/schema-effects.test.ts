import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { ENVIRONMENTS } from '@overworld/contract/common';
import type { Environment } from '@overworld/contract/common';
import fc from 'fast-check';
import { sql } from '../../src/platform/database/sql.ts';
import { makeTestPartition } from '../past-day.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { countCases } from '../long-forms.ts';
import { makeEffectStudio } from './effect-studio.ts';
import type { EffectStudio } from './effect-studio.ts';

const schemaOf = (schema: object) => ({ kind: 'event_schema', key: 'buy', definition: { schema } });

const type = fc.constantFrom('null', 'boolean', 'number', 'integer', 'string', 'array', 'object');
const scalar = fc.constantFrom(null, true, 0, -1, 2.5, 9007199254740992, 1e21, '', 'gold', 'größe');
const part = fc.oneof(
  fc.record({ type }),
  fc.record({ enum: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
  fc.record({ minimum: fc.integer({ min: -2, max: 3 }) }),
  fc.record({ maxLength: fc.integer({ min: 0, max: 4 }) }),
  fc.record({ items: fc.record({ type }) }),
);
const name = fc.constantFrom('item', 'price', 'a.b');
const schema = fc.record(
  {
    properties: fc.dictionary(name, part, { maxKeys: 3 }),
    required: fc.uniqueArray(name, { maxLength: 2 }),
    additionalProperties: fc.boolean(),
  },
  { requiredKeys: [] },
);
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 2 }), fc.dictionary(name, scalar));
const event = fc.record({
  environment: fc.constantFrom(...ENVIRONMENTS),
  event_name: fc.constantFrom('buy', 'buy', 'other'),
  properties: fc.option(fc.dictionary(name, value, { maxKeys: 3 }), { nil: undefined }),
});

suite('the effects of a plan on events', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const send = (studio: EffectStudio, environment: Environment, sent: object) =>
    server.request('POST', '/v1/track', {
      key: environment === 'production' ? studio.production_key : studio.development_key,
      body: { session_id: 's', ...sent },
    });

  test('the events that break a schema are those that are refused when they are sent again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 25 }), schema, async (events, next) => {
        const studio = await makeEffectStudio(server);
        for (const { environment, ...sent } of events) {
          assert.equal((await send(studio, environment, sent)).status, 202);
        }
        const { plan, effects } = await studio.planEffects([schemaOf(next)]);
        await studio.applyPlan([schemaOf(next)], plan);
        const change = await studio.call('PATCH', '', { event_validation: 'reject' });
        assert.equal(change.status, 200, change.text);
        for (const environment of ENVIRONMENTS) {
          const own = events.filter(
            (each) => each.environment === environment && each.event_name === 'buy',
          );
          let broken = 0;
          for (const { environment: to, ...sent } of own) {
            if ((await send(studio, to, sent)).status === 400) broken++;
          }
          const effect = effects.find((each) => each.environment === environment);
          assert.deepEqual(effect?.numbers ?? { events: 0, broken: 0 }, {
            events: own.length,
            broken,
          });
        }
      }),
      { numRuns: countCases(60) },
    );
  });

  /** Stores events whose property `n` counts them from 1. */
  async function store(
    { game_id }: EffectStudio,
    first_id: number,
    { count, hours, characters = 0 }: { count: number; hours: number; characters?: number },
  ) {
    const received_at = new Date(Date.now() - hours * 3_600_000).toISOString();
    await makeTestPartition(server, received_at.slice(0, 10));
    await server.database.execute(sql`
      INSERT INTO events (id, received_at, occurred_at, environment, game_id, key_id, event_name,
                          session_id, properties)
      SELECT ${first_id}::bigint + n, ${received_at}::timestamptz, now(), 'production',
             ${game_id}::uuid, gen_random_uuid(), 'buy', 's',
             jsonb_build_object('n', n, 'text', repeat('x', ${characters}::integer))
      FROM generate_series(1, ${count}::integer) AS n`);
  }

  test('large events after many small ones are read in small pages, and each counts once', async () => {
    const studio = await makeEffectStudio(server);
    await store(studio, 1_000_000, { count: 150, hours: 2, characters: 30_000 });
    await store(studio, 2_000_000, { count: 300, hours: 1 });
    const { effects } = await studio.planEffects([
      schemaOf({ properties: { n: { maximum: 100 } } }),
    ]);
    assert.deepEqual(
      effects.map(({ numbers }) => numbers),
      [{ events: 450, broken: 250 }],
    );
  });

  test('only events of the last 7 days count, and more than one page of them', async () => {
    const studio = await makeEffectStudio(server);
    await store(studio, 1_000_000, { count: 11_000, hours: 7 * 24 - 1 });
    await store(studio, 2_000_000, { count: 500, hours: 7 * 24 + 1 });
    const { effects } = await studio.planEffects([
      schemaOf({ properties: { n: { maximum: 10_000 } } }),
    ]);
    assert.deepEqual(
      effects.map(({ numbers, words }) => [numbers, words]),
      [
        [
          { events: 11_000, broken: 1_000 },
          '1,000 of 11,000 `buy` events received in production in the last 7 days (9.1%) break the schema, which is allowed there.',
        ],
      ],
    );
  });

  test('the sentence says what each environment does with such events', async () => {
    const studio = await makeEffectStudio(server);
    const wordsOf = async (next: object) =>
      (await studio.planEffects([schemaOf(next)])).effects.map(({ words }) => words);
    assert.deepEqual(await wordsOf({}), ['No `buy` events were received in the last 7 days.']);
    for (const environment of ENVIRONMENTS) {
      await send(studio, environment, { event_name: 'buy', properties: { item: 1 } });
    }
    await studio.call('PATCH', '', { event_validation: 'reject' });
    await studio.call('PATCH', '', { development_event_validation: 'warn' });
    const lately = 'of 1 `buy` events received in';
    assert.deepEqual(await wordsOf({ properties: { item: { type: 'string' } } }), [
      `1 ${lately} production in the last 7 days (100%) would be refused, each with its whole request.`,
      `1 ${lately} development in the last 7 days (100%) would be taken with a warning.`,
    ]);
    await studio.planAndApply([schemaOf({})]);
    assert.deepEqual((await studio.planEffects([], { prune: true })).effects, []);
  });
});
