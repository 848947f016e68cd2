import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import fc from 'fast-check';
import { startTestServer } from '../../../../../test/harness.ts';
import type { TestServer } from '../../../../../test/harness.ts';
import { waitForIngest } from '../../../../../test/inbox.ts';
import { waitUntil } from '../../../../../test/wait-until.ts';
import { sql } from '../../../../platform/database/sql.ts';
import { addDays, countRevenue } from '../../test/naive-revenue.ts';
import type { Bought } from '../../test/naive-revenue.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const dayIn = (time_zone: string, at_ms: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone }).format(at_ms);
const SETTINGS = { event_name: 'buy', amount_property: 'price', currency_property: 'currency' };

async function makeGame(settings: object | null = SETTINGS, time_zone = 'UTC') {
  const game = await server.makeGame({ tier: 'studio' });
  const { game_id } = game;
  await server.database.execute(
    sql`UPDATE games SET time_zone = ${time_zone} WHERE id = ${game_id}`,
  );
  const { token } = await server.makeAccount({ game_id });
  const ask = (method: string, path: string, body?: unknown) =>
    server.request(method, `/v1/games/${game_id}/${path}`, { token, body });
  if (settings !== null) {
    const { status, text } = await ask('PUT', 'revenue-settings', settings);
    assert.equal(status, 200, text);
  }
  const send = async (events: readonly Bought[]) => {
    for (let from = 0; from < events.length; from += 100) {
      const body = events
        .slice(from, from + 100)
        .map(({ player_id, at_ms, is_purchase, amount, currency }) => ({
          event_name: is_purchase ? 'buy' : 'play',
          session_id: `${player_id} ${at_ms}`,
          ...(player_id !== null && { player_id }),
          client_timestamp: new Date(at_ms).toISOString(),
          properties: is_purchase ? { price: amount, currency } : {},
        }));
      const answer = await server.request('POST', '/v1/track', { key: game.production_key, body });
      assert.equal(answer.status, 202, answer.text);
    }
    await waitForIngest(server.database, game_id);
  };
  const report = (query: string) => ask('GET', `analytics/revenue?${query}`);
  return { ...game, ask, send, report };
}

const NOON = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS / 2;
/** A purchase at noon (UTC) of a day before today. */
const buy = (
  player_id: string | null,
  days_ago: number,
  amount: unknown,
  currency: unknown = 'EUR',
): Bought => ({
  player_id,
  at_ms: NOON - (days_ago - 1) * DAY_MS,
  is_purchase: true,
  amount,
  currency,
});
const play = (player_id: string, days_ago: number): Bought => ({
  ...buy(player_id, days_ago, null),
  is_purchase: false,
});
const day = (days_ago: number) => dayIn('UTC', NOON - (days_ago - 1) * DAY_MS);

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
  // The earliest rate holds before its day, and a day takes the latest one.
  assert.deepEqual(
    together.days.map(({ revenue }: { revenue: number }) => revenue),
    [20, 10, 18, 18],
  );
  assert.deepEqual([together.period.payers, together.left_out.no_rate], [2, 1]);
  const yen = (await report(`${range}&currency=JPY`)).body;
  assert.deepEqual([yen.is_converted, yen.period.revenue, yen.left_out.no_rate], [false, 1_000, 0]);
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

test('conditions of the settings choose among the events, and a fixed currency needs no property', async () => {
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

test('without settings the report is 404 and names the missing settings', async () => {
  const { report, ask } = await makeGame(null);
  const { status, body } = await report('');
  assert.deepEqual(
    [status, body.error],
    [404, 'Revenue settings not found: choose the event that is a purchase'],
  );
  assert.deepEqual((await ask('GET', 'revenue-settings')).body, { settings: null });
});

test('a currency that does not exist is 400', async () => {
  const { report } = await makeGame();
  for (const currency of ['EUX', 'eur', 'E%00R', '%ED%A0%80', 'EURO']) {
    const { status, body } = await report(`currency=${currency}`);
    assert.equal(status, 400, currency);
    assert.match(body.error, /currency|UTF-8|path|query/);
  }
});

const PLAYERS = Array.from({ length: 12 }, (_, index) => `p${index + 1}`);
const RATES: RevenueSettings['rates'] = [
  { currency: 'JPY', valid_from: addDays(dayIn('UTC', Date.now()), -10), rate: 0.0061 },
  { currency: 'USD', valid_from: addDays(dayIn('UTC', Date.now()), -40), rate: 0.91 },
  { currency: 'USD', valid_from: addDays(dayIn('UTC', Date.now()), -20), rate: 0.93 },
];

test('reports of random purchases equal a plain count, also after erasures and merges', async () => {
  const anyEvent = fc.record({
    player_id: fc.constantFrom(...PLAYERS, null),
    hours_ago: fc.integer({ min: 0, max: 85 * 24 }),
    is_purchase: fc.boolean(),
    amount: fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: -2_000, max: 9_999 }).map((cents) => cents / 100) },
      fc.constantFrom('4.99', null, true, 0, 1e308, -1e308, 1e-9, 100_000_001, { a: 1 }),
    ),
    currency: fc.constantFrom('EUR', 'usd', 'USD', 'JPY', 'SEK', 'XYZ', '', 7, null),
  });
  // Players come first on different days, also shortly before today.
  const firstHours = fc.tuple(...PLAYERS.map(() => fc.integer({ min: 1, max: 60 * 24 })));
  const anyCase = fc.record({
    first_hours: firstHours,
    time_zone: fc.constantFrom('UTC', 'Pacific/Chatham', 'America/New_York'),
    amount_unit: fc.constantFrom('major' as const, 'minor' as const),
    currency: fc.constantFrom(null, 'USD', 'JPY'),
    is_limited: fc.boolean(),
    first: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 50 })),
    length: fc.integer({ min: 1, max: 45 }),
    events: fc.array(anyEvent, { minLength: 100, maxLength: 200, size: 'max' }),
  });
  const run = fc.asyncProperty(anyCase, async (given) => {
    const { time_zone, amount_unit, currency } = given;
    const settings: RevenueSettings = {
      ...SETTINGS,
      filter: [],
      amount_unit,
      currency: null,
      report_currency: 'EUR',
      rates: RATES,
    };
    const game = await makeGame(settings, time_zone);
    const now = Date.now();
    const firstHourOf = (player_id: string | null) =>
      player_id === null ? 85 * 24 : given.first_hours[PLAYERS.indexOf(player_id)]!;
    let events: Bought[] = given.events.map(({ hours_ago, amount, ...event }) => ({
      ...event,
      at_ms: now - (hours_ago % firstHourOf(event.player_id)) * HOUR_MS - 1_000,
      // Cents are whole numbers.
      amount: amount_unit === 'minor' && typeof amount === 'number' ? Math.trunc(amount) : amount,
    }));
    await game.send(events);
    const team = ['p1', 'p4', 'p5'];
    for (const player_id of team) {
      const body = { player_id, properties: { team: 'red' } };
      const answer = await server.request('POST', '/v1/identify', {
        key: game.production_key,
        body,
      });
      assert.equal(answer.status, 200);
    }
    const players = [{ property: 'team', operator: 'eq', value: 'red' }];
    const limit = encodeURIComponent(JSON.stringify({ properties: players }));
    const isTold = ({ player_id }: Bought) =>
      !given.is_limited || (player_id !== null && team.includes(player_id));
    const compare = async (moment: string) => {
      const today = dayIn(time_zone, Date.now());
      const to = addDays(today, -given.first);
      const from = addDays(to, 1 - given.length);
      const asked = `${currency === null ? '' : `&currency=${currency}`}${given.is_limited ? `&players=${limit}` : ''}`;
      const split = `${asked}&split_by=property:team`;
      const { status, body, text } = await game.report(`from=${from}&to=${to}${split}`);
      assert.equal(status, 200, text);
      const question = { from, to, today, time_zone, settings, currency };
      const told = events.filter(isTold);
      const naive = countRevenue(told, question);
      for (const group of body.groups) {
        const isOfGroup = ({ player_id }: Bought) =>
          player_id !== null && team.includes(player_id) === (group.value === 'red');
        const of_group = countRevenue(told.filter(isOfGroup), question);
        requireSame(group.period, of_group.period, `${group.kind} ${moment}`);
        requireSame(group.previous, of_group.previous, `${group.kind} before, ${moment}`);
        const conversion = group.conversion.map(withoutShare);
        const expected = of_group.conversion;
        assert.deepEqual(conversion, expected, `${group.kind} ${moment}`);
      }
      const grouped = body.groups.reduce(
        (sum: number, { period }: Grouped) => sum + period.payers,
        0,
      );
      assert.equal(grouped, naive.period.payers, `payers of the groups ${moment}`);
      const lines: [Numbers, Naive][] = [
        [body.period, naive.period],
        [body.previous, naive.previous],
        ...body.days.map((each: Numbers, index: number) => [each, naive.days[index]!]),
      ];
      for (const [reported, expected] of lines) requireSame(reported, expected, moment);
      assert.equal(body.days.length, naive.days.length);
      assert.deepEqual(body.conversion.map(withoutShare), naive.conversion, moment);
      assert.deepEqual(body.left_out, naive.left_out, moment);
      const cell = { report: 'revenue', from: body.period.from, to: body.period.to };
      const counted = JSON.stringify(currency === null ? cell : { ...cell, currency });
      const limits = given.is_limited ? `&players=${limit}` : '';
      const behind = await game.ask(
        'GET',
        `analytics/segment?cell=${encodeURIComponent(counted)}${limits}`,
      );
      assert.equal(behind.body.count, body.period.payers, `${moment}: ${behind.text}`);
      if (currency === null && !given.is_limited) await compareAlerts(today, moment);
      assert.equal(body.anonymous_count, naive.anonymous_count, moment);
    };
    /** Alerts count the payers of yesterday by a statement of their own. */
    const compareAlerts = async (today: string, moment: string) => {
      const yesterday = addDays(today, -1);
      const { body } = await game.report(`from=${yesterday}&to=${yesterday}`);
      const rule = { name: 'Payers', metric: 'payers', comparison: 'above', threshold: 1 };
      const preview = await game.ask('POST', 'alerts/preview', {
        ...rule,
        environment: 'production',
      });
      assert.equal(preview.body.value ?? 0, body.period.payers, `${moment}: ${preview.text}`);
    };
    await compare('at first');
    const known = new Set(events.flatMap(({ player_id }) => player_id ?? []));
    if (known.has('p1') && known.has('p2')) {
      await game.ask('POST', 'players/p1/merge?environment=production', { from_player_id: 'p2' });
      await waitUntil('the events have moved', async () => {
        const left = await server.database.queryOne<{ count: number }>(sql`
          SELECT count(*) AS count FROM events
          WHERE game_id = ${game.game_id} AND player_id = 'p2'`);
        return left!.count === 0;
      });
      events = events.map((event) =>
        event.player_id === 'p2' ? { ...event, player_id: 'p1' } : event,
      );
      await compare('after a merge');
    }
    if (known.has('p3')) {
      const { status } = await game.ask('DELETE', 'players/p3?environment=production');
      assert.equal(status, 204);
      events = events.filter(({ player_id }) => player_id !== 'p3');
      await compare('after an erasure');
    }
  });
  await fc.assert(run, { numRuns: 10, endOnFailure: true });
});

const withoutShare = ({ share: _share, ...rest }: { share: unknown }) => rest;
type Grouped = { period: Naive };
type Naive = ReturnType<typeof countRevenue>['period'];
type Numbers = Naive & Record<'arpdau' | 'arppu' | 'paying_share', number | null>;

function requireSame(reported: Numbers, expected: Naive, moment: string): void {
  const { daily_payers, revenue, refunded, ...counts } = expected;
  for (const [name, count] of Object.entries(counts)) {
    assert.equal(reported[name as keyof Naive], count, `${name} ${moment}`);
  }
  const isNear = (a: number | null, b: number) =>
    a !== null && Math.abs(a - b) <= 1e-6 + 1e-9 * Math.abs(b);
  assert.ok(isNear(reported.revenue, revenue), `${reported.revenue} is not ${revenue}, ${moment}`);
  assert.ok(isNear(reported.refunded, refunded), `${reported.refunded} is not ${refunded}`);
  const { active_players, payers } = counts;
  if (active_players === 0) assert.equal(reported.arpdau, null);
  else {
    assert.ok(isNear(reported.arpdau, revenue / active_players));
    assert.ok(isNear(reported.paying_share, daily_payers / active_players));
  }
  if (payers === 0) assert.equal(reported.arppu, null);
  else assert.ok(isNear(reported.arppu, revenue / payers));
}
