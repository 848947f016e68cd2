import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { makeFilesStudio } from './test/studio.ts';

/** Settings of a game as documents. */

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const document = (kind: string, key: string, definition: object) => ({ kind, key, definition });

const zone = (time_zone: string) => document('game_settings', 'game', { time_zone });

test('settings of production and a time zone need an admin, and the plan says so', async () => {
  const studio = await makeFilesStudio(server);
  const { token } = await server.makeAccount({ game_id: studio.game_id, role: 'admin' });
  for (const [kind, [dev, prod]] of [
    ['player_verification', ['development', 'production']],
    ['shares', ['development', 'production']],
  ] as const) {
    const settings =
      kind === 'shares' ? { network_requests_per_minute: 60 } : { allows_claims: false };
    const own = await studio.planAndApply([document(kind, dev, settings)]);
    assert.deepEqual([own.status, own.body.role], [200, 'developer']);
    const refused = await studio.planAndApply([document(kind, prod, settings)]);
    assert.equal(refused.status, 403);
    assert.equal(refused.body.error, `${kind} "${prod}": Changing it needs the role admin`);
  }
  const refused = await studio.planAndApply([zone('Asia/Tokyo')]);
  assert.equal(refused.status, 403);
  const definitions = [
    zone('Asia/Tokyo'),
    document('shares', 'production', { monthly_events_percent: 5 }),
  ];
  const { body } = await studio.send('plan', { definitions }, token);
  assert.equal(body.role, 'admin');
  const applied = await studio.send('apply', { definitions, plan: body.plan }, token);
  assert.equal(applied.status, 200, applied.text);
  const { body: shares } = await studio.call('GET', '/shares?environment=production');
  assert.equal(shares.monthly_events_percent, 5);
});

test('a plan is empty while the time zone of an apply is being counted', async () => {
  const studio = await makeFilesStudio(server);
  const { token } = await server.makeAccount({ game_id: studio.game_id, role: 'admin' });
  const send = async (time_zone: string) => {
    const { body } = await studio.send('plan', { definitions: [zone(time_zone)] }, token);
    return studio.send('apply', { definitions: [zone(time_zone)], plan: body.plan }, token);
  };
  assert.equal((await send('Europe/Berlin')).status, 200);
  assert.deepEqual((await studio.plan([zone('Europe/Berlin')])).body.changes, []);
  const { status, body } = await send('europe/berlin');
  assert.equal(status, 400);
  assert.equal(body.error, 'game_settings "game": time_zone must be spelled Europe/Berlin');
});

test('settings take effect at once: a required token, a limit, and a schema that refuses', async () => {
  const studio = await makeFilesStudio(server);
  const key = studio.development_key;
  const identify = () =>
    server.request('POST', '/v1/identify', { key, body: { player_id: 'ann', properties: {} } });
  assert.equal((await identify()).status, 200);
  const verified = document('player_verification', 'development', { verification: 'required' });
  assert.equal((await studio.planAndApply([verified])).status, 200);
  assert.equal((await identify()).status, 401);

  const track = () =>
    server.request('POST', '/v1/track', {
      key,
      body: { event_name: 'buy', session_id: 's', properties: { cents: 'many' } },
    });
  assert.equal((await track()).status, 202);
  const schema = { schema: { properties: { cents: { type: 'number' } } } };
  const strict = { time_zone: 'UTC', development_event_validation: 'reject' };
  const documents = [
    document('event_schema', 'buy', schema),
    document('game_settings', 'game', strict),
  ];
  assert.equal((await studio.planAndApply(documents)).status, 200);
  assert.equal((await track()).status, 400);
});

test('settings that no file has stay, also with a prune', async () => {
  const studio = await makeFilesStudio(server);
  const settings = { event_name: 'buy', amount_property: 'cents', currency: 'EUR' };
  await studio.planAndApply([
    document('revenue_settings', 'game', settings),
    document('shares', 'development', { player_events_per_minute: 500 }),
  ]);
  const { body } = await studio.plan([], { prune: true });
  assert.deepEqual(body.changes, []);
  const mistaken = await studio.plan([
    document('revenue_settings', 'game', { ...settings, currency: 'EUX' }),
  ]);
  assert.equal(mistaken.status, 400);
  assert.match(mistaken.body.problems[0].error, /^currency must be an active currency/);
});

test('the players of a game get their names from the property that a file names', async () => {
  const studio = await makeFilesStudio(server);
  const named = { time_zone: 'UTC', player_name_property: 'nick' };
  assert.equal((await studio.planAndApply([document('game_settings', 'game', named)])).status, 200);
  const { body } = await studio.call('GET', '');
  assert.equal(body.player_name_property, 'nick');
});
