import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { backdateStart, exposePlayers, readResults } from './experiment-players.ts';
import { HALVES, makeStudio } from '../../src/features/experiments/test/studio.ts';
import { makeTestPartition, TEST_DAY } from '../past-day.ts';
import { insertEvents } from '../../src/features/reports/test/event-table.ts';
import type { TestEvent } from '../../src/features/reports/test/event-table.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
  await makeTestPartition(server);
});
after(() => server.close());

test('the revenue metric of an experiment counts the same purchases as the revenue report, in the same currency', async () => {
  const studio = await makeStudio(server);
  const metrics = [{ kind: 'revenue', days: 1 }];
  const { id } = (await studio.steer('POST', '/experiments', { ...HALVES, metrics })).body;
  const start = async () => {
    const { status, body } = await studio.steer('POST', `/experiments/${id}/start`);
    return [status, body.error];
  };
  const settings = {
    event_name: 'buy',
    filter: [{ property: 'test', operator: 'ne', value: true }],
    amount_property: 'cents',
    amount_unit: 'minor',
    currency_property: 'currency',
  };
  const choose = async (rates: object) => {
    const answer = await studio.steer('PUT', '/revenue-settings', { ...settings, ...rates });
    assert.equal(answer.status, 200, answer.text);
  };
  assert.deepEqual(await start(), [
    409,
    'A metric of revenue needs the purchase event of the game: choose it in the revenue report first',
  ]);
  await choose({});
  assert.deepEqual(await start(), [
    409,
    'A metric of revenue needs one currency, and the purchases have several: choose one in the revenue report first',
  ]);
  const rate = (valid_from: string, of_day: number) => ({
    currency: 'EUR',
    valid_from,
    rate: of_day,
  });
  const next_day = new Date(Date.parse(TEST_DAY) + 86_400_000).toISOString().slice(0, 10);
  const rates = [rate('2020-01-01', 2), rate(TEST_DAY, 1.5), rate(next_day, 9)];
  await choose({ report_currency: 'USD', rates });
  assert.deepEqual(await start(), [200, undefined]);

  await backdateStart(server, studio, 1);
  const exposure = { experiment_id: id, variant: 0, at_s: 10 };
  await exposePlayers(server, studio, exposure, ['a0', 'a1']);
  const pay = (player_id: string, cents: unknown, currency: string, more = {}): TestEvent => ({
    event_name: 'buy',
    player_id,
    at_s: 20,
    properties: { cents, currency, ...more },
  });
  await insertEvents(server, studio.game_id, [
    pay('a0', 1_000, 'eur'),
    pay('a0', -250, 'USD'),
    pay('a1', 300, 'USD'),
    pay('a1', 10_000, 'USD', { test: true }),
    pay('a1', 500, 'JPY'), // a currency without a rate
    pay('a1', 'free', 'USD'),
  ]);
  const [result] = (await readResults(studio, id)).metrics;
  assert.equal(result!.currency, 'USD');
  const { players, mean } = result!.variants[0]!;
  assert.deepEqual([players, mean], [2, (15 - 2.5 + 3) / 2]);
  const query = `?from=${TEST_DAY}&to=${TEST_DAY}`;
  const { body: report } = await studio.steer('GET', `/analytics/revenue${query}`);
  assert.equal(report.period.revenue, players * mean!);

  await choose({ report_currency: 'USD', rates: rates.slice(0, 1) });
  const [later] = (await readResults(studio, id)).metrics;
  assert.equal(later!.variants[0]!.mean, (20 - 2.5 + 3) / 2);
});
