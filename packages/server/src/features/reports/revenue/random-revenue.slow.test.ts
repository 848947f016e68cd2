import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import fc from 'fast-check';
import { countCases } from '../../../../test/long-forms.ts';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';
import { addDays, countRevenue } from '../test/naive-revenue.ts';
import type { Bought } from '../test/naive-revenue.ts';
import { dayIn, makeRevenueGame, SETTINGS } from '../test/revenue-game.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const HOUR_MS = 3_600_000;
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
  // The first visits of players are on different days, some shortly before today.
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
    const game = await makeRevenueGame(server, settings, time_zone);
    const now = Date.now();
    const firstHourOf = (player_id: string | null) =>
      player_id === null ? 85 * 24 : given.first_hours[PLAYERS.indexOf(player_id)]!;
    let events: Bought[] = given.events.map(({ hours_ago, amount, ...event }) => ({
      ...event,
      at_ms: now - (hours_ago % firstHourOf(event.player_id)) * HOUR_MS - 1_000,
      // Amounts in cents are whole numbers.
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
    /** Compares the report with alerts, which count the payers of yesterday with a statement of their own. */
    const compareAlerts = async (today: string, moment: string) => {
      const yesterday = addDays(today, -1);
      const { body } = await game.report(`from=${yesterday}&to=${yesterday}`);
      const definition = { metric: 'payers', comparison: 'above', threshold: 1 };
      const document = { kind: 'alert', key: 'production/Payers', definition };
      const tried = await game.ask('POST', 'definitions/try?environment=production', document);
      const { value = 0 } = tried.body.trials[0].numbers;
      assert.equal(value, body.period.payers, `${moment}: ${tried.text}`);
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
  await fc.assert(run, { numRuns: countCases(10), endOnFailure: true });
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
