import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAX_RATES } from '@overworld/contract/analytics/currencies';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { waitForIngest } from '../../../test/inbox.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const SETTINGS = {
  event_name: 'purchase',
  filter: [{ property: 'is_test', operator: 'ne', value: true }],
  amount_property: 'price',
  amount_unit: 'minor',
  currency_property: 'currency',
  currency: null,
  report_currency: 'EUR',
  rates: [
    { currency: 'USD', valid_from: '2026-02-01', rate: 0.92 },
    { currency: 'USD', valid_from: '2026-01-01', rate: 0.9 },
    { currency: 'JPY', valid_from: '2026-01-01', rate: 0.0061 },
  ],
};

async function makeGame(role: 'developer' | 'viewer' = 'developer') {
  const game = await server.makeGame();
  const { token } = await server.makeAccount({ game_id: game.game_id, role });
  const path = `/v1/games/${game.game_id}/revenue-settings`;
  return {
    ...game,
    put: (body: unknown) => server.request('PUT', path, { token, body }),
    get: (below = '') => server.request('GET', `${path}${below}`, { token }),
  };
}

test('PUT …/revenue-settings stores the settings, with the rates sorted by currency and day', async () => {
  const { put, get } = await makeGame();
  assert.deepEqual((await get()).body, { settings: null });
  const expected = { ...SETTINGS, rates: SETTINGS.rates.toReversed() };
  const answer = await put(SETTINGS);
  assert.deepEqual([answer.status, answer.body], [200, expected]);
  assert.deepEqual((await get()).body, { settings: expected });

  const brief = { event_name: 'iap', amount_property: 'value', currency: 'KWD' };
  const replaced = {
    ...brief,
    filter: [],
    amount_unit: 'major',
    currency_property: null,
    report_currency: null,
    rates: [],
  };
  assert.deepEqual((await put(brief)).body, replaced);
  assert.deepEqual((await get()).body, { settings: replaced });
});

test('a viewer may read the settings, but not change them', async () => {
  const { put, get } = await makeGame('viewer');
  assert.equal((await put(SETTINGS)).status, 403);
  assert.deepEqual((await get()).body, { settings: null });
});

const rate = { currency: 'USD', valid_from: '2026-01-01', rate: 1 };
const BAD: [name: string, changes: object, error: RegExp][] = [
  ['no event', { event_name: undefined }, /^event_name is required/],
  ['NUL in the event', { event_name: 'a\0' }, /event_name/],
  ['no amount', { amount_property: '' }, /^amount_property must not be empty/],
  ['an unknown unit', { amount_unit: 'cents' }, /^amount_unit must be one of/],
  ['no currency at all', { currency_property: null }, /^currency is required/],
  ['two currencies', { currency: 'EUR' }, /^currency must be null with a currency_property/],
  ['a currency that is none', { currency_property: null, currency: 'EUX' }, /^currency must be/],
  ['lower case', { report_currency: 'eur' }, /^report_currency must be an active currency/],
  ['a member of all objects', { report_currency: '__proto__' }, /^report_currency must have/],
  ['a rate of zero', { rates: [{ ...rate, rate: 0 }] }, /^rates\[0\]\.rate must be more than 0/],
  ['a text as rate', { rates: [{ ...rate, rate: '1' }] }, /^rates\[0\]\.rate must be a number/],
  ['a huge rate', { rates: [{ ...rate, rate: 1e300 }] }, /^rates\[0\]\.rate must be at most/],
  ['no such day', { rates: [{ ...rate, valid_from: '2026-02-30' }] }, /^rates\[0\]\.valid_from/],
  ['a rate of the report currency', { rates: [{ ...rate, currency: 'EUR' }] }, /^rates\[0\]\.curr/],
  ['the same day twice', { rates: [rate, rate] }, /^rates\[1\] repeats the rate of USD/],
  ['rates without a target', { report_currency: null }, /^report_currency is required with rates/],
  ['too many rates', { rates: Array.from({ length: MAX_RATES + 1 }, () => rate) }, /^rates must/],
  [
    'a comparison without a value',
    { filter: [{ property: 'a', operator: 'gt' }] },
    /^filter\[0\]\.value is required/,
  ],
  [
    'a number that a double would change',
    { filter: [{ property: 'a', operator: 'eq', value: 2 ** 53 }] },
    /^filter\[0\]\.value must be from -9007199254740991 to 9007199254740991$/,
  ],
];

for (const [name, changes, error] of BAD) {
  test(`${name} is answered 400, the error names the field, and nothing changes`, async () => {
    const { put, get } = await makeGame();
    const { status, body } = await put({ ...SETTINGS, ...changes });
    assert.equal(status, 400);
    assert.match(body.error, error);
    assert.deepEqual((await get()).body, { settings: null });
  });
}

test('suggestions list the events that look like purchases, with their amounts and currencies', async () => {
  const { production_key: key, development_key, game_id, get } = await makeGame();
  const event = (event_name: string, properties: object) => ({
    event_name,
    session_id: 's',
    properties,
  });
  const body = [
    event('purchase', { item: 'gems', level: 7, price_cents: 499, currency: 'eur' }),
    event('purchase', { item: 'gems', level: 8, price_cents: 99, currency: 'USD' }),
    event('purchase', { item: 'gems', price_cents: 'broken' }),
    event('order_pizza', { size: 'EUR' }),
    event('level_complete', { price: 1 }),
  ];
  await server.request('POST', '/v1/track', { key, body });
  const elsewhere = event('purchase_elsewhere', { price: 1 });
  await server.request('POST', '/v1/track', { key: development_key, body: elsewhere });
  await waitForIngest(server.database, game_id);
  const { status, body: found } = await get('/suggestions');
  assert.equal(status, 200);
  assert.deepEqual(found.events, [
    {
      event_name: 'purchase',
      event_count: 3,
      amounts: [
        { property: 'price_cents', share: 2 / 3, example: '499' },
        { property: 'level', share: 2 / 3, example: '7' },
      ],
      currencies: [{ property: 'currency', share: 2 / 3, example: 'USD' }],
      amount_unit: 'minor',
    },
    {
      event_name: 'order_pizza',
      event_count: 1,
      amounts: [],
      currencies: [{ property: 'size', share: 1, example: 'EUR' }],
      amount_unit: 'major',
    },
  ]);
  const named = await get('/suggestions?event_name=level_complete');
  assert.deepEqual(
    named.body.events.map(({ event_name }: { event_name: string }) => event_name),
    ['level_complete'],
  );
});
