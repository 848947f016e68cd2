import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Trial } from '@overworld/contract/definitions/trials';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { makeEffectStudio } from './effect-studio.ts';

suite('rules that are tried on the past', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  async function makeStudio() {
    const studio = await makeEffectStudio(server);
    const attempt = (document: object, environment = 'production') =>
      studio.call('POST', `/definitions/try?environment=${environment}`, document);
    return {
      ...studio,
      attempt,
      async tryRule(document: object, environment?: string): Promise<Trial[]> {
        const { status, body, text } = await attempt(document, environment);
        assert.equal(status, 200, text);
        return body.trials;
      },
      trySchema: (schema: object, environment?: string) =>
        attempt({ kind: 'event_schema', key: 'purchase/1', definition: { schema } }, environment),
      send: (path: string, body: unknown, key = studio.production_key) =>
        server.request('POST', path, { key, body }),
    };
  }

  const schema = { required: ['price'], properties: { price: { type: 'number', minimum: 0 } } };
  const purchase = (properties: object | undefined, player_id?: string) => ({
    event_name: 'purchase/1',
    session_id: 's',
    player_id,
    properties,
  });
  const shown = ({ examples }: Trial) =>
    examples.map(({ player_id, words }) => `${player_id}: ${words}`);

  test('a schema names the events that it would have refused, with their players', async () => {
    const studio = await makeStudio();
    await studio.send('/v1/track', [
      purchase({ price: 5 }, 'a'),
      purchase({ price: '5' }, 'b'),
      purchase({ price: '6' }, 'b'),
      purchase({ price: -1, more: 2 }),
      purchase(undefined, 'd'),
      { event_name: 'other', session_id: 's' },
    ]);
    const { status, body, text } = await studio.trySchema(schema);
    assert.equal(status, 200, text);
    const [trial, ...rest] = body.trials as Trial[];
    assert.deepEqual(rest, []);
    assert.deepEqual(trial!.numbers, { events: 5, broken: 4 });
    assert.deepEqual(trial!.players, { count: 2, of: 3 });
    assert.deepEqual(shown(trial!), [
      'd: properties.price is required',
      'null: properties.price must be at least 0',
      'b: properties.price must be a number',
      'b: properties.price must be a number',
    ]);
    assert.match(trial!.words, /^4 of 5 `purchase\/1` events received in production/);
    assert.ok(trial!.examples.every(({ at }) => Date.now() - Date.parse(at!) < 60_000));
  });

  test('a trial reads one environment, stores nothing, and shows at most 20 examples', async () => {
    const studio = await makeStudio();
    const batch = Array.from({ length: 25 }, () => purchase({ price: 'x' }, 'a'));
    await studio.send('/v1/track', batch, studio.development_key);
    const definitions = await studio.read();
    const [none] = (await studio.trySchema(schema)).body.trials as Trial[];
    assert.deepEqual([none!.numbers, none!.examples], [{ events: 0, broken: 0 }, []]);
    const [all] = (await studio.trySchema(schema, 'development')).body.trials as Trial[];
    assert.deepEqual([all!.numbers, all!.examples.length], [{ events: 25, broken: 25 }, 20]);
    assert.deepEqual(await studio.read(), definitions);
    assert.equal((await studio.send('/v1/track', batch)).status, 202);
  });

  test('the rules of a board name the submits that they would have stopped, with their players', async () => {
    const studio = await makeStudio();
    const board = (definition: object) => ({
      kind: 'leaderboard' as const,
      key: 'races',
      definition: { keeps_ledger: true, ...definition },
    });
    assert.deepEqual(await studio.tryRule(board({ max_gain: 5 })), []);
    await studio.planAndApply([board({})]);
    const submits: [string, number][] = [
      ['ann', 10],
      ['ann', 90],
      ['ben', 12],
      ['ben', 14],
      ['cora', 50],
      ['cora', 9_000],
    ];
    for (const [player_id, score] of submits) {
      const answer = await studio.send('/v1/leaderboards', {
        board_name: 'races',
        player_id,
        score,
      });
      assert.ok(answer.status < 300, answer.text);
    }
    const rules = { max_gain: 50, on_violation: 'quarantine', max_score: 1_000 };
    const [bounds, gain, ...rest] = await studio.tryRule(board(rules));
    assert.deepEqual(rest, []);
    assert.deepEqual([bounds!.part, bounds!.numbers], ['bounds', { submits: 6, stopped: 1 }]);
    assert.deepEqual(shown(bounds!), ['cora: Score 9,000, after 50']);
    assert.deepEqual([gain!.part, gain!.players], ['max_gain', { count: 1, of: 3 }]);
    assert.deepEqual(shown(gain!), ['ann: Score 90, after 10']);
    assert.match(gain!.words, /^rule `max_gain` would have quarantined 1 of 6 submits/);
    // A plan counts the same.
    const { effects } = await studio.planEffects([board(rules)]);
    assert.deepEqual(
      effects.map(({ part, numbers, words }) => ({ part, numbers, words })),
      [bounds!, gain!].map(({ part, numbers, words }) => ({ part, numbers, words })),
    );
    assert.ok(effects.every((effect) => !('examples' in effect)));
    const [nobody] = await studio.tryRule(board({ max_score: 9_999 }));
    assert.deepEqual([nobody!.players, nobody!.examples], [{ count: 0, of: 3 }, []]);
    assert.deepEqual(await studio.tryRule(board({ reset_schedule: 'daily' })), []);
  });

  test('a mistake is answered with 400 that names the field', async () => {
    const studio = await makeStudio();
    const cases: [object, RegExp][] = [
      [{ kind: 'leaderboard', key: 'a', definition: { max_gain: -1 } }, /^max_gain must be more/],
      [
        { kind: 'leaderboard', key: 'a', definition: { min_score: 2, max_score: 1 } },
        /^max_score must not be less than min_score/,
      ],
      [{ kind: 'leaderboard', key: ' ', definition: {} }, /^key /],
      [{ kind: 'leaderboard', definition: {} }, /^key is required/],
      [{ kind: 'webhook', key: 'a', definition: {} }, /^kind must be one of /],
      [
        { kind: 'event_schema', key: 'a', definition: { schema: { pattern: 'x' } } },
        /^schema\.pattern is not supported/,
      ],
      [{ kind: 'alert', key: 'a', definition: {} }, /^metric is required/],
    ];
    for (const [document, error] of cases) {
      const { status, body } = await studio.attempt(document);
      assert.equal(status, 400, JSON.stringify(document));
      assert.match(body.error, error);
    }
  });

  test('a schema reads a key with an escape as it was sent', async () => {
    const studio = await makeStudio();
    // `JSON.parse` mistakes the key of one of these events for that of the other.
    const events = ['\\', '"', '\\', '"', '\\'].map((key) => purchase({ '!': 0, [key]: 1 }));
    await studio.send('/v1/track', events);
    const { body } = await studio.trySchema({ required: ['"'] });
    assert.deepEqual(body.trials[0].numbers, { events: 5, broken: 3 });
  });
});
