import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import fc from 'fast-check';
import { countCases } from '../../../../test/long-forms.ts';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';
import { countLifetimeValue } from '../test/naive-lifetime-value.ts';
import type { ExportedPurchase, NaiveValues } from '../test/naive-lifetime-value.ts';
import { addDays } from '../test/naive-revenue.ts';
import { buy, day, dayIn, makeRevenueGame, play, SETTINGS } from '../test/revenue-game.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const HOUR_MS = 3_600_000;

test('GET …/analytics/lifetime-value adds up the revenue of cohorts by the days since their first day', async () => {
  const game = await makeRevenueGame(server);
  await game.send([
    play('ann', 20),
    buy('ann', 20, 5),
    buy('ann', 17, 3),
    buy('ann', 1, -2),
    play('bob', 20),
    play('cat', 18),
    buy('cat', 18, 10),
    buy(null, 18, 99),
    buy('old', 60, 7),
    buy('old', 19, 7),
  ]);
  const { status, body, text } = await game.ask(
    'GET',
    `analytics/lifetime-value?from=${day(20)}&to=${day(18)}&cohort=day`,
  );
  assert.equal(status, 200, text);
  const { cohorts, per_player, forecast, currency, payers, revenue } = body;
  assert.deepEqual([forecast, currency, payers, revenue], [null, 'EUR', 2, 16]);
  const told = cohorts.map((each: { player_count: number; per_player: unknown[] }) => [
    each.player_count,
    ...each.per_player,
  ]);
  assert.deepEqual(told, [
    [2, 2.5, 2.5, 4, 4, 4, null, null, null],
    [0, null, null, null, null, null, null, null, null],
    [1, 10, 10, 10, 10, 10, null, null, null],
  ]);
  assert.deepEqual(
    per_player.map(({ value }: { value: number | null }) => value),
    [5, 5, 6, 6, 6, null, null, null],
  );
  const other = await makeRevenueGame(server, null);
  const refused = await other.ask('GET', 'analytics/lifetime-value');
  assert.equal(refused.status, 404);
});

test('values of random purchases equal a count of the exported events, also after erasures and merges', async () => {
  const PLAYERS = Array.from({ length: 10 }, (_, index) => `p${index}`);
  const anyEvent = fc.record({
    player_id: fc.constantFrom(...PLAYERS, null),
    hours_ago: fc.integer({ min: 0, max: 80 * 24 }),
    is_purchase: fc.boolean(),
    amount: fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: -900, max: 9_999 }).map((cents) => cents / 100) },
      fc.constantFrom('4.99', null, 0, 100_000_001),
    ),
    currency: fc.constantFrom('EUR', 'usd', 'USD', 'SEK', 'XYZ', null),
  });
  const anyCase = fc.record({
    time_zone: fc.constantFrom('UTC', 'Pacific/Chatham', 'America/New_York'),
    cohort: fc.constantFrom('day' as const, 'week' as const),
    currency: fc.constantFrom(null, 'USD'),
    first: fc.integer({ min: 0, max: 40 }),
    length: fc.integer({ min: 1, max: 45 }),
    events: fc.array(anyEvent, { minLength: 60, maxLength: 140, size: 'max' }),
  });
  const run = fc.asyncProperty(anyCase, async (given) => {
    const { time_zone, cohort, currency } = given;
    const settings: RevenueSettings = {
      ...SETTINGS,
      filter: [],
      amount_unit: 'major',
      currency: null,
      report_currency: 'EUR',
      rates: [{ currency: 'USD', valid_from: addDays(dayIn('UTC', Date.now()), -20), rate: 0.9 }],
    };
    const game = await makeRevenueGame(server, settings, time_zone);
    const now = Date.now();
    const place = (player_id: string | null) => PLAYERS.indexOf(player_id ?? 'p0');
    await game.send(
      given.events.map(({ hours_ago, ...event }) => ({
        ...event,
        // Players come first on different days.
        at_ms: now - (hours_ago % (24 * (5 + 8 * place(event.player_id)))) * HOUR_MS - 1_000,
      })),
    );
    for (const player_id of ['p1', 'p4', 'p7']) {
      const body = { player_id, properties: { team: 'red' } };
      await server.request('POST', '/v1/identify', { key: game.production_key, body });
    }
    const compare = async (moment: string) => {
      const today = dayIn(time_zone, Date.now());
      const to = addDays(today, -given.first);
      const from = addDays(to, 1 - given.length);
      const asked = `from=${from}&to=${to}&cohort=${cohort}${currency === null ? '' : `&currency=${currency}`}`;
      const answer = await game.ask(
        'GET',
        `analytics/lifetime-value?${asked}&split_by=property:team`,
      );
      assert.equal(answer.status, 200, answer.text);
      const file = await game.ask(
        'GET',
        `events/export?from=${addDays(today, -90)}&to=${addDays(today, 1)}`,
      );
      const exported = file.text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as ExportedPurchase);
      const question = { from, to, today, time_zone, cohort, currency, rate: 0.9 };
      const { groups, ...report } = answer.body;
      requireSame(report, countLifetimeValue(exported, question), moment);
      for (const group of groups) {
        const isOfGroup = ({ player_id }: ExportedPurchase) =>
          player_id !== null && ['p1', 'p4', 'p7'].includes(player_id) === (group.value === 'red');
        const own = countLifetimeValue(exported.filter(isOfGroup), question);
        requireSame(group, own, `${group.kind} ${moment}`);
      }
    };
    await compare('at first');
    const known = new Set(given.events.map(({ player_id }) => player_id));
    if (known.has('p8') && known.has('p9')) {
      await game.ask('POST', 'players/p8/merge?environment=production', { from_player_id: 'p9' });
      await waitUntil('the events have moved', async () => {
        const left = await server.database.queryOne<{ count: number }>(sql`
          SELECT count(*) AS count FROM events
          WHERE game_id = ${game.game_id} AND player_id = 'p9'`);
        return left!.count === 0;
      });
      await compare('after a merge');
    }
    if (known.has('p3')) {
      await game.ask('DELETE', 'players/p3?environment=production');
      await compare('after an erasure');
    }
  });
  await fc.assert(run, { numRuns: countCases(10), endOnFailure: true });
});

function requireSame(reported: NaiveValues, expected: NaiveValues, moment: string): void {
  const rounded = (value: unknown): unknown =>
    typeof value === 'number' ? Math.round(value * 1e4) / 1e4 : value;
  const { player_count, payers, revenue, per_player, cohorts } = reported;
  const told = { player_count, payers, revenue, per_player, cohorts };
  const plain = (of: unknown) => JSON.parse(JSON.stringify(of), (_key, value) => rounded(value));
  assert.deepEqual(plain(told), plain(expected), moment);
}
