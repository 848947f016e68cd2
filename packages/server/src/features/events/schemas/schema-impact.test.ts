import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAX_CHECKED_EVENTS } from '@overworld/contract/events/schema-impact';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { daysAgo, makeTestPartition } from '../../../../test/past-day.ts';
import { sql } from '../../../platform/database/sql.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
  await makeTestPartition(server, daysAgo(8));
});
after(() => server.close());

async function makeStudio() {
  const game = await server.makeGame();
  const { token } = await server.makeAccount({ game_id: game.game_id, role: 'developer' });
  const path = `/v1/games/${game.game_id}`;
  return {
    ...game,
    track: (key: string, events: object[]) =>
      server.request('POST', '/v1/track', {
        key,
        body: events.map((event) => ({ session_id: 's', ...event })),
      }),
    put: (event_name: string, schema: object) =>
      server.request('PUT', `${path}/event-schemas/${event_name}`, { token, body: { schema } }),
    impact: async (query = '') =>
      (await server.request('GET', `${path}/event-schema-impact${query}`, { token })).body,
    /** Adds events. Their property `n` is 1, 2…, and each event is a second earlier than the previous one. */
    store: (event_name: string, count: number, age: string) =>
      server.database.execute(sql`
        INSERT INTO events (id, received_at, occurred_at, environment, game_id, key_id, event_name,
                            session_id, properties)
        SELECT 1000000 + n, now() - ${age}::interval - n * interval '1 s', now(), 'production',
               ${game.game_id}, gen_random_uuid(), ${event_name}, 's', jsonb_build_object('n', n)
        FROM generate_series(1, ${count}::integer) AS n`),
  };
}

test('the events that break their schema are counted by environment and name', async () => {
  const studio = await makeStudio();
  assert.deepEqual(await studio.impact(), {
    checked: 0,
    broken: 0,
    is_complete: true,
    events: [],
  });
  await studio.put('purchase', { required: ['price'] });
  await studio.put('level', { properties: { n: { type: 'integer' } } });
  await studio.put('quiet', { required: ['x'] });
  await studio.track(studio.production_key, [
    { event_name: 'purchase', properties: { price: 1 } },
    { event_name: 'purchase' },
    { event_name: 'purchase', properties: { prize: 1 } },
    { event_name: 'level', properties: { n: 'x' } },
    { event_name: 'free' },
  ]);
  await studio.track(studio.development_key, [{ event_name: 'level', properties: { n: 1 } }]);
  assert.deepEqual(await studio.impact(), {
    checked: 4,
    broken: 3,
    is_complete: true,
    events: [
      { event_name: 'purchase', checked: 3, broken: 2 },
      { event_name: 'level', checked: 1, broken: 1 },
    ],
  });
  const development = await studio.impact('?environment=development');
  assert.deepEqual([development.checked, development.broken], [1, 0]);
});

test('events older than seven days do not count, and if there are many, the newest are checked', async () => {
  const studio = await makeStudio();
  await studio.put('old', { required: ['x'] });
  await studio.store('old', 10, '7 days');
  assert.deepEqual((await studio.impact()).checked, 0);
  await studio.put('many', { properties: { n: { maximum: 9_000 } } });
  await studio.store('many', MAX_CHECKED_EVENTS / 2, '0 days');
  const all = await studio.impact();
  assert.deepEqual([all.checked, all.broken, all.is_complete], [10_000, 1_000, true]);
  await studio.put('third', {});
  const part = await studio.impact();
  assert.deepEqual([part.checked, part.broken, part.is_complete], [6_666, 0, false]);
});
