import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAX_METRICS } from '@overworld/contract/metrics/metric-limits';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { waitForIngest } from '../../../test/inbox.ts';
import { sql } from '../../platform/database/sql.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const PAYERS = { name: 'Payers', kind: 'players', event_name: 'buy' };
const ACTIVE = { name: 'Active', kind: 'players' };
const CONVERSION = {
  name: 'Conversion',
  kind: 'ratio',
  numerator: 'payers',
  denominator: 'active',
  unit: 'percent',
};
const PRICE = { kind: 'sum', event_name: 'buy', property: 'price' };

async function makeStudio() {
  const game = await server.makeGame();
  const { game_id } = game;
  const { token } = await server.makeAccount({ game_id, role: 'developer' });
  const ask = (method: string, path: string, body?: unknown, as = token) =>
    server.request(method, `/v1/games/${game_id}${path}`, { token: as, body });
  return {
    ...game,
    ask,
    put: (key: string, metric: object) => ask('PUT', `/metrics/${encodeURIComponent(key)}`, metric),
    keys: async () =>
      (await ask('GET', '/metrics')).body.metrics.map(({ key }: { key: string }) => key),
  };
}

test('a metric is defined, replaced, listed and deleted, and the audit log has each change', async () => {
  const studio = await makeStudio();
  const filter = [{ property: 'price', operator: 'gt', value: 0 }];
  const { status, body } = await studio.put('payers', { ...PAYERS, filter });
  assert.equal(status, 200);
  const { updated_at, ...shown } = body;
  assert.ok(Math.abs(Date.parse(updated_at) - Date.now()) < 60_000);
  assert.deepEqual(shown, {
    key: 'payers',
    name: 'Payers',
    description: '',
    kind: 'players',
    event_name: 'buy',
    filter,
    property: null,
    percentile: null,
    per: null,
    numerator: null,
    denominator: null,
    unit: 'number',
    currency: null,
    currency_property: null,
    amount_unit: null,
  });
  const replaced = await studio.put('payers', { ...PAYERS, description: 'Who bought' });
  assert.deepEqual((await studio.ask('GET', '/metrics')).body, {
    metrics: [replaced.body],
    next_cursor: null,
  });
  assert.equal((await studio.ask('DELETE', '/metrics/payers')).status, 204);
  const again = await studio.ask('DELETE', '/metrics/payers');
  assert.deepEqual([again.status, again.body], [404, { error: 'Metric not found' }]);
  const { token } = await server.makeAccount({ game_id: studio.game_id, role: 'admin' });
  const log = await studio.ask('GET', '/audit-log', undefined, token);
  assert.deepEqual(
    log.body.audit_log
      .filter(({ target }: { target: string }) => target === 'payers')
      .map(({ action }: { action: string }) => action),
    ['delete_metric', 'put_metric', 'put_metric'],
  );
});

test('fields that do not go together are refused by name, and nothing changes', async () => {
  const studio = await makeStudio();
  await studio.put('payers', PAYERS);
  await studio.put('active', ACTIVE);
  await studio.put('ratio', CONVERSION);
  await studio.put('euros', { name: 'E', ...PRICE, unit: 'money', currency: 'EUR' });
  await studio.put('dollars', { name: 'D', ...PRICE, unit: 'money', currency: 'USD' });
  const before_all = await studio.keys();
  const wrong: [object, string][] = [
    [{ kind: 'sum', event_name: 'buy' }, 'property is required for sum'],
    [{ kind: 'sum', property: 'price' }, 'event_name is required for sum'],
    [{ kind: 'count', property: 'price' }, 'property must be left out for count'],
    [{ ...PRICE, kind: 'percentile' }, 'percentile is required for percentile'],
    [{ ...PRICE, percentile: 5 }, 'percentile must be left out for sum'],
    [{ ...PRICE, kind: 'average', per: 'day' }, 'per must not be day for average'],
    [{ kind: 'players', per: 'player' }, 'per must not be player for players'],
    [{ kind: 'count', unit: 'percent' }, 'unit must be number for count'],
    [{ ...PRICE, unit: 'money' }, 'currency is required for the unit money'],
    [
      { ...PRICE, unit: 'money', currency: 'XXX' },
      'currency must be an active currency of ISO 4217, such as EUR',
    ],
    [{ ...PRICE, currency: 'EUR' }, 'currency must be left out for the unit number'],
    [{ ...PRICE, amount_unit: 'minor' }, 'amount_unit must be left out for the unit number'],
    [
      { kind: 'count', filter: [{ property: 'a', operator: 'eq', value: 1 }] },
      'filter must be left out without an event_name',
    ],
    [{ ...PRICE, filter: [{ property: 'a', operator: 'eq' }] }, 'filter[0].value is required'],
    [{ ...CONVERSION, numerator: undefined }, 'numerator is required for ratio'],
    [{ ...CONVERSION, event_name: 'buy' }, 'event_name must be left out for ratio'],
    [{ ...CONVERSION, numerator: 'none' }, 'numerator: the game has no metric "none"'],
    [
      { ...CONVERSION, denominator: 'ratio' },
      'denominator must not be a ratio, and "ratio" is one',
    ],
    [{ ...CONVERSION, numerator: 'euros' }, 'unit must be money in EUR, as the numerator is'],
    [
      { ...CONVERSION, numerator: 'euros', denominator: 'dollars' },
      'denominator must be in EUR, as the numerator is',
    ],
    [
      { ...CONVERSION, unit: 'money', currency: 'EUR' },
      'unit must not be money, because only amounts divided by something else are amounts',
    ],
  ];
  for (const [metric, error] of wrong) {
    const answer = await studio.put('new', { name: 'New', ...metric });
    assert.deepEqual([answer.status, answer.body.error], [400, error]);
  }
  const circle = await studio.put('payers', { ...CONVERSION, numerator: 'active' });
  assert.deepEqual(
    [circle.status, circle.body.error],
    [400, 'The metric "ratio" uses it: its numerator must not be a ratio, and "payers" is one'],
  );
  const own = await studio.put('ratio', { ...CONVERSION, numerator: 'ratio' });
  assert.equal(own.body.error, 'numerator must not be a ratio, and "ratio" is one');
  assert.deepEqual(await studio.keys(), before_all);
});

test('a metric in use is not deleted, and the refusal names its users', async () => {
  const studio = await makeStudio();
  await studio.put('payers', PAYERS);
  await studio.put('active', ACTIVE);
  await studio.put('conversion', CONVERSION);
  const made = await studio.ask('POST', '/dashboards', {
    name: 'Main',
    cards: [{ title: 'Buyers', report: 'metric', chart: 'days', query: 'metric_key=payers' }],
  });
  assert.equal(made.status, 201, made.text);
  const refused = await studio.ask('DELETE', '/metrics/payers');
  const used_by = ['the card "Buyers" of the dashboard "Main"', 'the metric "conversion"'];
  assert.equal(refused.status, 409);
  assert.deepEqual(refused.body.used_by.toSorted(), used_by);
  await studio.ask('DELETE', `/dashboards/${made.body.id}`);
  assert.equal((await studio.ask('DELETE', '/metrics/conversion')).status, 204);
  assert.equal((await studio.ask('DELETE', '/metrics/payers')).status, 204);
});

test(`a game has at most ${MAX_METRICS} metrics, also after parallel requests`, async () => {
  const studio = await makeStudio();
  await server.database.execute(sql`
    INSERT INTO metrics (game_id, key, name, description, definition, updated_at)
    SELECT ${studio.game_id}, number::text, 'M', '', '{"kind":"count","unit":"number"}', now()
    FROM generate_series(1, ${MAX_METRICS - 1}::integer) AS number`);
  const answers = await Promise.all(['a', 'b', 'c'].map((key) => studio.put(key, ACTIVE)));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409]);
  assert.equal((await studio.put('1', ACTIVE)).status, 200);
});

test('a report shows a ratio by day with its base, of some players alone too, and as CSV', async () => {
  const studio = await makeStudio();
  await studio.put('payers', PAYERS);
  await studio.put('active', ACTIVE);
  await studio.put('conversion', CONVERSION);
  const key = studio.production_key;
  for (const player_id of ['a', 'b', 'c', 'd']) {
    const body = { player_id, properties: { country: player_id < 'c' ? 'de' : 'fr' } };
    await server.request('POST', '/v1/identify', { key, body });
    const event = { session_id: 's', player_id };
    const sent = [
      { ...event, event_name: 'open' },
      ...(player_id === 'a' ? [{ ...event, event_name: 'buy', properties: { price: 1 } }] : []),
    ];
    await server.request('POST', '/v1/track', { key, body: sent });
  }
  await waitForIngest(server.database, studio.game_id);
  const today = new Date().toISOString().slice(0, 10);
  const path = `/analytics/metric?metric_key=conversion&from=${today}`;
  const { body, status, text } = await studio.ask('GET', `${path}&split_by=property:country`);
  assert.equal(status, 200, text);
  const numbers = (number: number, base: number) => ({
    total: { number, base },
    days: [{ day: today, number, base }],
  });
  assert.deepEqual(body, {
    from: today,
    to: today,
    time_zone: 'UTC',
    metric: {
      key: 'conversion',
      name: 'Conversion',
      kind: 'ratio',
      per: null,
      unit: 'percent',
      currency: null,
    },
    ...numbers(0.25, 4),
    groups: [
      { kind: 'value', value: 'de', ...numbers(0.5, 2) },
      { kind: 'value', value: 'fr', ...numbers(0, 2) },
    ],
  });
  const csv = await studio.ask('GET', `${path}&format=csv`);
  assert.equal(csv.text.replaceAll('\r', ''), `day,number,base\n${today},0.25,4\n`);
  const unknown = await studio.ask('GET', '/analytics/metric?metric_key=none');
  assert.deepEqual(
    [unknown.status, unknown.body.error],
    [400, 'metric_key: the game has no metric "none"'],
  );
});

test('files make a ratio together with its metrics, and a wrong ratio or a used metric stops the plan', async () => {
  const studio = await makeStudio();
  const documents = (extra: object[] = []) => [
    { kind: 'metric', key: 'a ratio', definition: { ...CONVERSION, numerator: 'payers' } },
    { kind: 'metric', key: 'active', definition: ACTIVE },
    { kind: 'metric', key: 'payers', definition: PAYERS },
    ...extra,
  ];
  const plan = (definitions: object[], prune = false) =>
    studio.ask('POST', '/definitions/plan', { definitions, prune });
  const wrong = await plan(documents().slice(0, 2));
  assert.equal(wrong.status, 400, wrong.text);
  assert.match(wrong.text, /numerator: the game has no metric/);
  const planned = await plan(documents());
  assert.equal(planned.status, 200, planned.text);
  const applied = await studio.ask('POST', '/definitions/apply', {
    definitions: documents(),
    plan: planned.body.plan,
  });
  assert.equal(applied.status, 200, applied.text);
  assert.deepEqual(await studio.keys(), ['a ratio', 'active', 'payers']);
  const pulled = await studio.ask('GET', '/definitions');
  const ours = pulled.body.definitions.filter(({ kind }: { kind: string }) => kind === 'metric');
  assert.equal(ours.length, 3);
  const same = await plan(pulled.body.definitions, true);
  assert.deepEqual(same.body.changes ?? [], [], same.text);
});
