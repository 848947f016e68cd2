import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const schema = { required: ['price'], properties: { price: { type: 'number', minimum: 0 } } };

async function makeGame() {
  const game = await server.makeGame({ event_validation: 'reject' });
  const { token } = await server.makeAccount({ game_id: game.game_id, role: 'developer' });
  const path = `/v1/games/${game.game_id}/event-schemas`;
  return {
    token,
    path,
    track: (events: object[], key = game.production_key) =>
      server.request('POST', '/v1/track', { key, body: events }),
    development_key: game.development_key,
    attempt: (event_name: string, body: unknown, query = 'environment=production') =>
      server.request('POST', `${path}/${encodeURIComponent(event_name)}/test?${query}`, {
        token,
        body,
      }),
  };
}

const purchase = (properties: object | undefined, player_id?: string) => ({
  event_name: 'purchase/1',
  session_id: 's',
  player_id,
  properties,
});

test('a trial checks all events with the name, and lists the events that violate the schema', async () => {
  const game = await makeGame();
  await game.track([
    purchase({ price: 5 }, 'a'),
    purchase({ price: '5' }, 'b'),
    purchase({ price: -1, more: 2 }),
    purchase(undefined, 'd'),
    { event_name: 'other', session_id: 's' },
  ]);
  const { status, body, text } = await game.attempt('purchase/1', { schema });
  assert.equal(status, 200, text);
  assert.deepEqual([body.tested, body.passed], [4, 1]);
  const failures = body.failures as { player_id: string | null; path: string; message: string }[];
  assert.deepEqual(
    failures.map(({ player_id, path, message }) => [player_id, path, message]),
    [
      ['d', 'properties.price', 'properties.price is required'],
      [null, 'properties.price', 'properties.price must be at least 0'],
      ['b', 'properties.price', 'properties.price must be a number'],
    ],
  );
});

test('a trial checks the newest 500 events and shows 20 failures', async () => {
  const game = await makeGame();
  const batch = Array.from({ length: 100 }, () => purchase({ price: 'x' }));
  await game.track([purchase({ price: 1 })]);
  for (let index = 0; index < 5; index++) await game.track(batch);
  const { body } = await game.attempt('purchase/1', { schema });
  assert.deepEqual([body.tested, body.passed, body.failures.length], [500, 0, 20]);
});

test('a trial reads one environment, and stores nothing', async () => {
  const game = await makeGame();
  await game.track([purchase({ price: 'x' })], game.development_key);
  const production = await game.attempt('purchase/1', { schema });
  assert.deepEqual(production.body, { tested: 0, passed: 0, failures: [] });
  const development = await game.attempt('purchase/1', { schema }, 'environment=development');
  assert.equal(development.body.tested, 1);
  const list = await server.request('GET', game.path, { token: game.token });
  assert.deepEqual(list.body.event_schemas, []);
  assert.equal((await game.track([purchase({ price: 'x' })])).status, 202);
});

test('a schema outside the schema language is refused, and the error names the place', async () => {
  const game = await makeGame();
  const answer = await game.attempt('purchase/1', { schema: { pattern: 'x' } });
  assert.equal(answer.status, 400);
  assert.equal(answer.body.error, 'schema.pattern is not supported');
});

test('a trial reads a key with an escape as it was sent', async () => {
  const game = await makeGame();
  // `JSON.parse` mistakes the key of one of these events for that of the other.
  await game.track(
    ['\\', '"', '\\', '"', '\\'].map((key) => ({
      event_name: 'escaped',
      session_id: 's',
      properties: { '!': 0, [key]: 1 },
    })),
  );
  const { body } = await game.attempt('escaped', { schema: { required: ['"'] } });
  assert.deepEqual([body.tested, body.passed], [5, 2]);
});
