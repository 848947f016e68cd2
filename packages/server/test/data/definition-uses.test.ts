import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { HALVES, makeStudio } from '../../src/features/experiments/test/studio.ts';
import type { Studio } from '../../src/features/experiments/test/studio.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const segment = (studio: Studio, method: string, name: string, body?: object) =>
  studio.steer(method, `/saved-reports/segment/${name}`, body);

const write = (query: Record<string, unknown>) =>
  Object.entries(query)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return `${name}=${encodeURIComponent(text)}`;
    })
    .join('&');

async function makeDashboard(studio: Studio, cards: object[]) {
  const answer = await studio.steer('POST', '/dashboards', { name: 'Main', cards });
  assert.equal(answer.status, 201, answer.text);
  return `/dashboards/${answer.body.id}`;
}

const card = (title: string, report: string, chart: string, query: Record<string, unknown>) => ({
  title,
  report,
  chart,
  query: write(query),
});

test('a segment that cards and saved reports use is not deleted, and the refusal names them', async () => {
  const studio = await makeStudio(server);
  await segment(studio, 'PUT', 'Whales', { query: 'tag=whale' });
  const dashboard = await makeDashboard(studio, [
    card('Back', 'retention', 'curve', { players: { segment: 'Whales' } }),
    card('Active', 'active-players', 'daily', { split_by: 'segment:Whales' }),
    card('Others', 'active-players', 'daily', { players: { segment: 'Small whales' } }),
  ]);
  const steps = [{ event_name: 'a' }, { event_name: 'b' }];
  const funnel = { query: write({ steps, players: { segment: 'Whales' } }) };
  await studio.steer('PUT', '/saved-reports/funnel/Shop', funnel);
  await segment(studio, 'PUT', 'Rich', { query: write({ players: { segment: 'Whales' } }) });
  const used_by = [
    'the card "Back" of the dashboard "Main"',
    'the card "Active" of the dashboard "Main"',
    'the saved funnel "Shop"',
    'the saved segment "Rich"',
  ];
  const refused = await segment(studio, 'DELETE', 'Whales');
  assert.equal(refused.status, 409);
  assert.deepEqual(refused.body, {
    error: `The segment "Whales" is used by ${used_by.slice(0, 3).join(', ')} and 1 other: take it out of them first`,
    used_by,
  });
  const { body } = await studio.steer('GET', '/saved-reports?kind=segment');
  assert.deepEqual(
    body.saved_reports.map(({ name }: { name: string }) => name),
    ['Rich', 'Whales'],
  );

  assert.equal((await segment(studio, 'DELETE', 'Rich')).status, 204);
  await studio.steer('DELETE', '/saved-reports/funnel/Shop');
  assert.equal(
    (await segment(studio, 'DELETE', 'Whales')).body.error,
    `The segment "Whales" is used by ${used_by[0]} and ${used_by[1]}: take it out of them first`,
  );
  await studio.steer('DELETE', dashboard);
  assert.equal((await segment(studio, 'DELETE', 'Whales')).status, 204);
});

test('a segment in use is replaced only on confirmation', async () => {
  const studio = await makeStudio(server);
  await segment(studio, 'PUT', 'Whales', { query: 'tag=whale' });
  await makeDashboard(studio, [
    card('Back', 'retention', 'curve', { players: { segment: 'Whales' } }),
  ]);
  const refused = await segment(studio, 'PUT', 'Whales', { query: 'tag=vip' });
  assert.equal(refused.status, 409);
  assert.equal(
    refused.body.error,
    'The segment "Whales" is used by the card "Back" of the dashboard "Main": save it under another name, or confirm that their numbers change',
  );
  assert.equal((await segment(studio, 'PUT', 'Whales', { query: 'tag=whale' })).status, 200);
  const confirmed = { query: 'tag=vip', replace_used: true };
  assert.equal((await segment(studio, 'PUT', 'Whales', confirmed)).body.query, 'tag=vip');
});

test('an experiment whose results a dashboard shows is not deleted', async () => {
  const studio = await makeStudio(server);
  const id = await studio.start(HALVES);
  await studio.steer('POST', `/experiments/${id}/stop`);
  const results = card('Won', 'results', 'difference', { experiment_id: id, metric: '1' });
  const dashboard = await makeDashboard(studio, [results]);
  const remove = () => studio.steer('DELETE', `/experiments/${id}`);
  const refused = await remove();
  assert.deepEqual(refused.body, {
    error:
      'The experiment "Reward" is used by the card "Won" of the dashboard "Main": remove it from there first',
    used_by: ['the card "Won" of the dashboard "Main"'],
  });
  await studio.steer('DELETE', dashboard);
  assert.equal((await remove()).status, 204);
});

test('a saved report with a query that no report takes stops no change of a definition', async () => {
  const studio = await makeStudio(server);
  const { body } = await studio.steer('POST', '/experiments', HALVES);
  const put = (properties: object) =>
    studio.steer('PUT', '/event-schemas/buy', { schema: { type: 'object', properties } });
  await put({ item: { type: 'string' } });
  for (const [name, query] of [
    ['odd', 'experiment_id={"toString":1}'],
    ['odd list', 'experiment_id=[{"toString":1}]'],
    ['deep', `steps=${'['.repeat(8_000)}${']'.repeat(8_000)}`],
  ] as const) {
    const saved = await studio.steer('PUT', `/saved-reports/funnel/${name}`, { query });
    assert.equal(saved.status, 200, name);
  }
  assert.equal((await put({})).status, 200);
  assert.equal((await studio.steer('DELETE', `/experiments/${body.id}`)).status, 204);
});

test('a property in use is neither renamed in the schema of its event nor left out', async () => {
  const studio = await makeStudio(server);
  const put = (...names: string[]) => {
    const properties = Object.fromEntries(names.map((name) => [name, {}]));
    return studio.steer('PUT', '/event-schemas/buy', { schema: { properties } });
  };
  await put('cents', 'coins', 'item', 'level', 'shop', 'unused');
  await studio.steer('PUT', '/revenue-settings', {
    event_name: 'buy',
    amount_property: 'cents',
    currency: 'EUR',
  });
  const metrics = [{ kind: 'event_sum', days: 1, event_name: 'buy', property: 'coins' }];
  await studio.steer('POST', '/experiments', { ...HALVES, metrics });
  await makeDashboard(studio, [
    card('Items', 'breakdown', 'events', { event_name: 'buy', group_by: 'item' }),
  ]);
  const filter = [{ property: 'level', operator: 'gt', value: 3 }];
  const events = [{ event_name: 'buy', filter }];
  await segment(studio, 'PUT', 'Good', { query: write({ events }) });
  const steps = [{ event_name: 'buy' }, { event_name: 'shop' }];
  const funnel = { query: write({ steps, breakdown: 'shop' }) };
  await studio.steer('PUT', '/saved-reports/funnel/Shop', funnel);

  const all = ['cents', 'coins', 'item', 'level', 'shop'];
  const users = {
    cents: 'the revenue settings',
    coins: 'the experiment "Reward"',
    item: 'the card "Items" of the dashboard "Main"',
    level: 'the saved segment "Good"',
    shop: 'the saved funnel "Shop"',
  };
  for (const [property, user] of Object.entries(users)) {
    const others = all.filter((name) => name !== property);
    const refused = await put(...others, `${property}_2`);
    assert.deepEqual(
      [refused.status, refused.body.error],
      [
        409,
        `A property of buy that the schema leaves out is used by ${user} (${property}): change them first, or keep it in the schema`,
      ],
    );
  }
  assert.equal((await put(...all, 'more')).status, 200);
});

test('the currency of revenue stays while an experiment measures it', async () => {
  const studio = await makeStudio(server);
  const settings = { event_name: 'buy', amount_property: 'cents', currency: 'EUR' };
  const choose = async (changes: object = {}) => {
    const answer = await studio.steer('PUT', '/revenue-settings', { ...settings, ...changes });
    return [answer.status, answer.body.error];
  };
  await choose();
  const id = await studio.start({ ...HALVES, metrics: [{ kind: 'revenue', days: 1, cap: 50 }] });
  const refused =
    'The running experiment "Reward" measures revenue in EUR: keep this currency, or stop or ship the experiment first';
  for (const changes of [
    { currency: 'USD' },
    { report_currency: 'USD' },
    { currency: null, currency_property: 'currency' },
  ]) {
    assert.deepEqual(await choose(changes), [409, refused]);
  }
  assert.deepEqual(await choose({ amount_unit: 'minor' }), [200, undefined]);
  await studio.steer('POST', `/experiments/${id}/stop`);
  assert.deepEqual(await choose({ currency: 'USD' }), [200, undefined]);
});
