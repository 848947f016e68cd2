import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { buy, day, makeRevenueGame, play, SETTINGS } from '../test/revenue-game.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const makeGame = (settings?: object | null, time_zone?: string) =>
  makeRevenueGame(server, settings, time_zone);

test('GET …/analytics/revenue counts revenue, payers and conversion by day', async () => {
  const { send, report } = await makeGame();
  await send([
    play('ann', 5),
    play('bob', 5),
    play('cleo', 5),
    play('cleo', 3),
    buy('ann', 5, 4.99),
    buy('ann', 5, 0.1),
    buy('ann', 5, 0.2),
    buy('bob', 4, 10),
    buy('bob', 3, -10),
    buy(null, 3, 7),
    buy('old', 9, 100),
    buy('ann', 4, '4.99'),
    buy('ann', 4, 1e308),
    buy('ann', 4, -1e308),
    buy('ann', 4, 0),
    buy('ann', 4, 3, 'gems'),
    buy('ann', 4, 3, null),
  ]);
  const { status, body } = await report(`from=${day(5)}&to=${day(3)}`);
  assert.equal(status, 200);
  assert.deepEqual([body.currency, body.is_converted], ['EUR', false]);
  assert.deepEqual(body.days[0], {
    day: day(5),
    revenue: 5.29,
    refunded: 0,
    purchase_count: 3,
    refund_count: 0,
    payers: 1,
    active_players: 3,
    arpdau: 5.29 / 3,
    arppu: 5.29,
    paying_share: 1 / 3,
  });
  const { from, to, revenue, refunded, payers, paying_share } = body.period;
  assert.deepEqual([from, to, revenue, refunded, payers], [day(5), day(3), 12.29, 10, 2]);
  assert.equal(paying_share, 2 / 7);
  assert.deepEqual([body.previous.from, body.previous.to], [day(8), day(6)]);
  assert.equal(body.previous.revenue, 0);
  assert.equal(body.anonymous_count, 1);
  assert.deepEqual(body.left_out, {
    not_a_number: 1,
    too_large: 2,
    zero: 1,
    no_currency: 2,
    no_rate: 0,
  });
  assert.deepEqual(body.conversion.slice(0, 3), [
    { day: 0, players: 3, payers: 1, share: 1 / 3 },
    { day: 1, players: 3, payers: 2, share: 2 / 3 },
    { day: 3, players: 3, payers: 2, share: 2 / 3 },
  ]);
  assert.equal(body.conversion.length, 3, 'day 7 is over for nobody');

  const csv = await report(`from=${day(5)}&to=${day(3)}&format=csv`);
  const lines = csv.text.split('\r\n');
  assert.equal(lines.length, 5);
  assert.match(lines[1]!, new RegExp(`^${day(5)},EUR,5.29,0,3,0,1,3,`));
});

test('currencies are shown apart, or converted by the rates of the day', async () => {
  const { send, report, ask } = await makeGame();
  await send([
    buy('ann', 5, 10, 'eur'),
    buy('ann', 4, 10, 'EUR'),
    buy('bob', 5, 20, 'USD'),
    buy('bob', 3, 20, 'USD'),
    buy('bob', 2, 20, 'USD'),
    buy('cleo', 4, 1_000, 'JPY'),
  ]);
  const range = `from=${day(5)}&to=${day(2)}`;
  const apart = (await report(range)).body;
  assert.deepEqual([apart.currency, apart.period.revenue, apart.period.payers], ['USD', 60, 1]);
  assert.deepEqual(
    apart.currencies.map((each: Record<string, unknown>) => [each.currency, each.revenue]),
    [
      ['USD', 60],
      ['EUR', 20],
      ['JPY', 1_000],
    ],
  );
  assert.equal((await report(`${range}&currency=EUR`)).body.period.revenue, 20);

  const rates = [
    { currency: 'USD', valid_from: day(3), rate: 0.9 },
    { currency: 'USD', valid_from: day(4), rate: 0.5 },
  ];
  await ask('PUT', 'revenue-settings', { ...SETTINGS, report_currency: 'EUR', rates });
  const together = (await report(range)).body;
  assert.deepEqual([together.currency, together.is_converted], ['EUR', true]);
  // A day uses the latest rate that is valid from this day or earlier. A day before all rates uses the
  // earliest rate.
  assert.deepEqual(
    together.days.map(({ revenue }: { revenue: number }) => revenue),
    [20, 10, 18, 18],
  );
  assert.deepEqual([together.period.payers, together.left_out.no_rate], [2, 1]);
  const yen = (await report(`${range}&currency=JPY`)).body;
  assert.deepEqual([yen.is_converted, yen.period.revenue, yen.left_out.no_rate], [false, 1_000, 0]);
});

test('the currencies are counted over the same days as the headline, without today', async () => {
  const { send, report } = await makeGame();
  await send([buy('ann', 2, 10, 'EUR'), buy('bob', 1, 20, 'USD')]);
  await send([{ ...buy('ann', 1, 5, 'EUR'), at_ms: Date.now() }]);
  const { period, currencies, currency } = (await report(`from=${day(2)}&to=${day(0)}`)).body;
  assert.equal(currency, 'EUR');
  const revenue = (code: string) =>
    currencies.find((each: { currency: string }) => each.currency === code).revenue;
  assert.deepEqual(
    [period.to, period.revenue, revenue('EUR'), revenue('USD')],
    [day(1), 10, 10, 20],
  );
});

test('a breakdown of amounts is about one currency, and never adds up two', async () => {
  const { send, ask } = await makeGame();
  await send([buy('ann', 2, 10, 'EUR'), buy('ann', 2, 1, 'eur'), buy('bob', 2, 20, 'USD')]);
  const path = `analytics/breakdown?event_name=buy&property=price&from=${day(3)}&to=${day(1)}`;
  const told = async (more: string) => {
    const { body } = await ask('GET', `${path}${more}`);
    return [body.currency, body.total.events, body.total.sum];
  };
  assert.deepEqual(await told(''), ['EUR', 2, 11]);
  assert.deepEqual(await told('&currency=USD'), ['USD', 1, 20]);
  assert.deepEqual(await told('&group_by=currency'), [null, 3, null]);
  assert.equal((await ask('GET', `${path}&currency=XX1`)).status, 400);
});

test('amounts in cents and in millionths become units of their currency', async () => {
  const { send, report, ask } = await makeGame({ ...SETTINGS, amount_unit: 'minor' });
  await send([buy('ann', 2, 499, 'EUR'), buy('ann', 2, 499, 'JPY'), buy('ann', 2, 1_500, 'KWD')]);
  const revenueIn = async (currency: string) =>
    (await report(`from=${day(2)}&to=${day(2)}&currency=${currency}`)).body.period.revenue;
  assert.deepEqual(
    [await revenueIn('EUR'), await revenueIn('JPY'), await revenueIn('KWD')],
    [4.99, 499, 1.5],
  );
  await ask('PUT', 'revenue-settings', { ...SETTINGS, amount_unit: 'micro' });
  assert.equal(await revenueIn('EUR'), 0.000499);
});

test('only events that meet the conditions of the settings are counted, and a fixed currency needs no property', async () => {
  const { send, report } = await makeGame({
    event_name: 'buy',
    amount_property: 'price',
    currency: 'SEK',
    filter: [{ property: 'currency', operator: 'ne', value: 'test' }],
  });
  await send([buy('ann', 2, 5, 'x'), buy('ann', 2, 7, 'test')]);
  const { body } = await report(`from=${day(2)}&to=${day(2)}`);
  assert.deepEqual([body.currency, body.period.revenue], ['SEK', 5]);
});

test('without settings the report answers 404 and names the missing settings', async () => {
  const { report, ask } = await makeGame(null);
  const { status, body } = await report('');
  assert.deepEqual(
    [status, body.error],
    [404, 'Revenue settings not found: choose the event that is a purchase'],
  );
  assert.deepEqual((await ask('GET', 'revenue-settings')).body, { settings: null });
});

test('a group that paid only in the days before the range is shown with zero in the range', async () => {
  const { production_key: key, send, report } = await makeGame();
  await send([buy('ann', 4, 5), buy('bob', 2, 7)]);
  for (const [player_id, team] of [
    ['ann', 'red'],
    ['bob', 'blue'],
  ]) {
    const body = { player_id, properties: { team } };
    assert.equal((await server.request('POST', '/v1/identify', { key, body })).status, 200);
  }
  const { body } = await report(`from=${day(3)}&to=${day(2)}&split_by=property:team`);
  const groups = body.groups.map(
    ({ value, period, previous }: { value: string; period: Revenue; previous: Revenue }) => [
      value,
      period.revenue,
      previous.revenue,
    ],
  );
  assert.deepEqual(groups.toSorted(), [
    ['blue', 7, 0],
    ['red', 0, 5],
  ]);
});

test('a currency that does not exist answers 400', async () => {
  const { report } = await makeGame();
  for (const currency of ['EUX', 'eur', 'E%00R', '%ED%A0%80', 'EURO']) {
    const { status, body } = await report(`currency=${currency}`);
    assert.equal(status, 400, currency);
    assert.match(body.error, /currency|UTF-8|path|query/);
  }
});

type Revenue = { revenue: number };
