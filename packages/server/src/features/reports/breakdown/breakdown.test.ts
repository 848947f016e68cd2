import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { makeTestPartition } from '../../../../test/past-day.ts';
import { insertEvents, reportPath } from '../test/event-table.ts';
import type { TestEvent } from '../test/event-table.ts';
import { countCases } from '../../../../test/long-forms.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
  await makeTestPartition(server);
});
after(() => server.close());

async function makeGame(events: readonly TestEvent[]) {
  const { game_id } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id, role: 'viewer' });
  await insertEvents(server, game_id, events);
  const get = (query: Record<string, unknown>) =>
    server.request('GET', reportPath(game_id, 'analytics/breakdown', query), { token });
  return { get };
}

const buy = (player_id: string | null, properties: Record<string, unknown>): TestEvent => ({
  event_name: 'buy',
  player_id,
  at_s: 1,
  properties,
});

test('GET …/analytics/breakdown counts events and sums numbers by the values of a property', async () => {
  const { get } = await makeGame([
    buy('ann', { product: 'gems', price: 1 }),
    buy('ann', { product: 'gems', price: 2 }),
    buy('bob', { product: 'gems', price: 4 }),
    buy(null, { product: 'gems', price: 'a text' }),
    buy('ann', { product: 7, price: 10 }),
    buy('bob', { product: '7', price: 20 }),
    buy('cleo', { product: { nested: true } }),
    buy('cleo', {}),
    buy('cleo', { product: null }),
    { ...buy('ann', { product: 'gems', price: 100 }), event_name: 'other' },
    { ...buy('ann', { product: 'gems', price: 100 }), at_s: 86_400 },
    { ...buy('ann', { product: 'gems', price: 100 }), at_s: -1 },
  ]);
  const query = { event_name: 'buy', group_by: 'product', property: 'price', limit: 2 };
  const { status, body } = await get(query);
  assert.equal(status, 200);
  assert.deepEqual(body.groups[0], {
    kind: 'value',
    value: 'gems',
    events: 4,
    players: 2,
    numbers: 3,
    sum: 7,
    average: 7 / 3,
    minimum: 1,
    p25: 1.5,
    median: 2,
    p75: 3,
    p90: body.groups[0].p90,
    p99: body.groups[0].p99,
    maximum: 4,
  });
  assert.ok(Math.abs(body.groups[0].p90 - 3.6) < 1e-9);
  const brief = body.groups.map((group: Record<string, unknown>) => [
    group.kind,
    group.value,
    group.events,
    group.players,
    group.sum,
  ]);
  assert.deepEqual(brief, [
    ['value', 'gems', 4, 2, 7],
    ['value', '7', 2, 2, 30],
    ['other', null, 1, 1, null],
    ['none', null, 2, 1, null],
  ]);
  assert.deepEqual([body.total.events, body.total.players, body.total.sum], [9, 3, 37]);

  const filter = [{ property: 'price', operator: 'gt', value: 1 }];
  const filtered = await get({ ...query, filter });
  assert.deepEqual(
    filtered.body.groups.map(({ value, sum }: { value: string; sum: number }) => [value, sum]),
    [
      ['7', 30],
      ['gems', 6],
    ],
  );
  assert.equal(filtered.body.total.events, 4);

  const counted = await get({ event_name: 'buy' });
  assert.deepEqual(counted.body.groups, []);
  assert.deepEqual([counted.body.total.events, counted.body.total.sum], [9, null]);

  const csv = await get({ ...query, format: 'csv' });
  const lines = csv.text.split('\r\n');
  assert.match(lines[0]!, /^group,value,events,players,numbers,sum,/);
  assert.match(lines[1]!, /^all,,9,3,5,37,/);
  assert.match(lines[2]!, /^value,gems,4,2,3,7,/);
});

test('the smallest and the largest numbers of JSON are counted without an error', async () => {
  const { game_id, production_key } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  const numbers = ['1e308', '1e308', '1e-400', `0.${'0'.repeat(400)}1`, '-0', '1e-320'];
  const events = numbers.map(
    (price) => `{"event_name":"buy","session_id":"s","properties":{"price":${price}}}`,
  );
  const body = `[${events.join(',')}]`;
  await server.request('POST', '/v1/track', { key: production_key, body });
  const path = `/v1/games/${game_id}/analytics/breakdown?event_name=buy&property=price`;
  const report = await server.request('GET', path, { token });
  assert.equal(report.status, 200, report.text);
  const { total } = report.body;
  // The sum is too large for a double.
  assert.deepEqual([total.numbers, total.maximum, total.sum], [6, 1e308, null]);
});

test('breakdowns of random events equal a plain count', async () => {
  const anyEvent = fc.record({
    event_name: fc.constantFrom('buy', 'buy', 'other'),
    player_id: fc.constantFrom('p', 'q', 'r', null),
    at_s: fc.integer({ min: 0, max: 86_399 }),
    properties: fc.record(
      { group: fc.constantFrom('x', 'y', 'z', 1, null), value: fc.double({ noNaN: true }) },
      { requiredKeys: [] },
    ),
  });
  const run = fc.asyncProperty(fc.array(anyEvent, { maxLength: 80 }), async (events) => {
    const finite = events.map((event) => {
      const { value = 0 } = event.properties;
      return Number.isFinite(value) && Math.abs(value) < 1e100 && Math.abs(value) > 1e-100
        ? event
        : { ...event, properties: { ...event.properties, value: 1 } };
    });
    const { get } = await makeGame(finite);
    const { body } = await get({ event_name: 'buy', group_by: 'group', property: 'value' });
    const bought = finite.filter(({ event_name }) => event_name === 'buy');
    const groups = new Map<string | null, TestEvent[]>();
    for (const event of bought) {
      const { group } = event.properties;
      const value = group === undefined || group === null ? null : String(group);
      groups.set(value, [...(groups.get(value) ?? []), event]);
    }
    assert.equal(body.total.events, bought.length);
    assert.equal(body.groups.length, groups.size);
    for (const group of body.groups) {
      const members = groups.get(group.value)!;
      const named = members.flatMap(({ player_id }) => player_id ?? []);
      const values = members.flatMap(({ properties }) =>
        typeof properties?.value === 'number' ? [properties.value] : [],
      );
      assert.equal(group.events, members.length);
      assert.equal(group.players, new Set(named).size);
      assert.equal(group.numbers, values.length);
      assert.equal(group.minimum, values.length === 0 ? null : Math.min(...values));
      assert.equal(group.maximum, values.length === 0 ? null : Math.max(...values));
      const sorted = values.toSorted((a, b) => a - b);
      if (sorted.length % 2 === 1) assert.equal(group.median, sorted[(sorted.length - 1) / 2]);
    }
  });
  await fc.assert(run, { numRuns: countCases(25) });
});
