import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { earlier } from '../earlier.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { makeTestPartition, TEST_DAY } from '../past-day.ts';
import { insertEvents } from '../../src/features/reports/test/event-table.ts';
import type { TestEvent } from '../../src/features/reports/test/event-table.ts';
import { exposePlayers, readResults } from './experiment-players.ts';
import { HALVES, makeStudio } from '../../src/features/experiments/test/studio.ts';
import type { Studio } from '../../src/features/experiments/test/studio.ts';

/**
 * In these tests, players are exposed at the start of yesterday (UTC), so each player's first day is over.
 */

let server: TestServer;
before(async () => {
  server = await startTestServer();
  await makeTestPartition(server);
});
after(() => server.close());

const METRICS = [
  { kind: 'event_share', event_name: 'buy', days: 1 },
  { kind: 'event_count', event_name: 'buy', days: 1 },
  { kind: 'event_sum', event_name: 'buy', property: 'price', days: 1 },
  { kind: 'event_sum', event_name: 'buy', property: 'price', days: 1, cap: 10 },
  { kind: 'retention', days: 1 },
  { kind: 'event_count', event_name: 'crash', days: 1, good: 'lower', guardrail: true },
];

const playersOf = (variant: string, count: number) =>
  Array.from({ length: count }, (_, number) => `${variant}${number}`);

const expose = (
  studio: Studio,
  experiment_id: string,
  variant: number,
  players: readonly string[],
  at_s = 0,
) => exposePlayers(server, studio, { experiment_id, variant, at_s }, players);

async function startYesterday(studio: Studio, metrics: object[], weights = [1, 1]) {
  const variants = HALVES.variants.map((variant, index) => ({
    ...variant,
    weight: weights[index],
  }));
  const id = await studio.start({ ...HALVES, variants, metrics });
  await server.database.execute(sql`
    UPDATE experiments SET started_at = ${TEST_DAY}::timestamptz - interval '1 day'
    WHERE game_id = ${studio.game_id}`);
  return id;
}

const buy = (player_id: string, at_s: number, price: unknown): TestEvent => ({
  event_name: 'buy',
  player_id,
  at_s,
  properties: { price },
});

test('a metric adds up only events in its days, and only for players for whom all these days are over', async () => {
  const studio = await makeStudio(server);
  const id = await startYesterday(studio, METRICS);
  const [control, generous] = [playersOf('a', 4), playersOf('b', 3)];
  await expose(studio, id, 0, control, 10);
  await expose(studio, id, 1, generous, 10);
  // The first day of this player is not over.
  await server.database.execute(sql`
    INSERT INTO experiment_exposures
      (game_id, environment, player_id, experiment_id, variant, exposed_at)
    VALUES (${studio.game_id}, 'production', 'new', ${id}, 1, now())`);
  await insertEvents(server, studio.game_id, [
    buy('a0', 9, 1_000), // before the exposure
    buy('a0', 10, 2),
    buy('a0', 100, 3.5),
    buy('a1', 200, 'free'),
    buy('a2', 86_410, 1_000), // after the days of the metric
    buy('b0', 300, 40),
    buy('b1', 300, 1e300),
    buy('b1', 301, -1e300),
    buy('new', 300, 1),
    buy('nobody', 300, 1),
    { event_name: 'other', player_id: 'b2', at_s: 300, properties: { price: 1 } },
  ]);
  // `a1` was active on the day of the exposure, and `a0` only on days before and after it.
  await server.database.execute(sql`
    INSERT INTO player_activity (game_id, environment, player_id, first_day, active_days)
    SELECT ${studio.game_id}, 'production', player_id, ${TEST_DAY}::date - 2, days::bit varying
    FROM (VALUES ('a0', '10011'), ('a1', '101'), ('new', '1111')) AS active (player_id, days)`);

  const results = await readResults(studio, id);
  assert.deepEqual(
    results.variants.map(({ exposed_players }) => exposed_players),
    [4, 4],
  );
  const found = results.metrics.map(({ variants }) =>
    variants.map(({ players, mean }) => [players, mean]),
  );
  const day_is_over = found[4]!;
  assert.deepEqual(found, [
    [
      [4, 0.5],
      [3, 2 / 3],
    ],
    [
      [4, 0.75],
      [3, 1],
    ],
    [
      [4, 5.5 / 4],
      [3, 40 / 3],
    ],
    [
      [4, 5.5 / 4],
      [3, 10 / 3],
    ],
    day_is_over,
    [
      [4, 0],
      [3, 0],
    ],
  ]);
  // This metric also counts the day after the exposure. That day is today and not over, so the metric counts
  // no player yet.
  assert.deepEqual(day_is_over, [
    [0, null],
    [0, null],
  ]);
  assert.ok(results.metrics.every(({ variants }) => variants[1]!.verdict === 'too_early'));

  await server.database.execute(sql`
    UPDATE experiment_exposures SET exposed_at = ${earlier(sql`exposed_at`, sql`interval '1 day'`)}
    WHERE game_id = ${studio.game_id}`);
  const later = await readResults(studio, id);
  assert.deepEqual(
    later.metrics[4]!.variants.map(({ players, mean }) => [players, mean]),
    [
      [4, 0.25],
      [3, 0],
    ],
  );
});

test('a clear difference gets a verdict with intervals, and a guardrail metric that gets worse gives a warning', async () => {
  const studio = await makeStudio(server);
  const id = await startYesterday(studio, METRICS);
  const [control, generous] = [playersOf('a', 2_000), playersOf('b', 2_000)];
  await expose(studio, id, 0, control);
  await expose(studio, id, 1, generous);
  const some = (players: readonly string[], count: number, event_name: string) =>
    players
      .slice(0, count)
      .map((player_id) => ({ event_name, player_id, at_s: 5, properties: { price: 5 } }));
  await insertEvents(server, studio.game_id, [
    ...some(control, 400, 'buy'),
    ...some(generous, 600, 'buy'),
    ...some(control, 20, 'crash'),
    ...some(generous, 200, 'crash'),
  ]);
  const { metrics, ...results } = await readResults(studio, id);
  assert.equal(results.is_split_suspicious, false);
  assert.equal(results.split_chance, 1);
  const [share, , sum, , , crashes] = metrics;
  const { interval, relative_interval, difference } = share!.variants[1]!;
  assert.ok(Math.abs(difference! - 0.1) < 1e-12);
  assert.ok(interval!.low > 0.04 && interval!.low < 0.1 && interval!.high < 0.16);
  assert.ok(relative_interval!.low > 0.2 && relative_interval!.high < 0.95);
  assert.deepEqual(
    [share, sum, crashes].map((metric) => [metric!.variants[1]!.verdict, metric!.warns]),
    [
      ['better', false],
      ['better', false],
      ['worse', true],
    ],
  );
  assert.equal(share!.variants[0]!.verdict, null);

  await studio.steer('POST', `/experiments/${id}/stop`);
  await insertEvents(server, studio.game_id, some(control, 2_000, 'buy'));
  const stopped = await readResults(studio, id);
  assert.equal(stopped.state, 'stopped');
  assert.ok(Math.abs(Date.parse(stopped.as_of!) - Date.now()) < 60_000);
});

test('a metric never counts a player whose days for the metric were not over when the experiment stopped', async () => {
  const studio = await makeStudio(server);
  const id = await startYesterday(studio, METRICS.slice(0, 1));
  await expose(studio, id, 0, ['early'], 0);
  await expose(studio, id, 0, ['late'], 3_600);
  await studio.steer('POST', `/experiments/${id}/stop`);
  await server.database.execute(sql`
    UPDATE experiments SET stopped_at = ${TEST_DAY}::timestamptz + interval '24.5 hours'
    WHERE game_id = ${studio.game_id}`);
  const { metrics, variants } = await readResults(studio, id);
  assert.equal(variants[0]!.exposed_players, 2);
  assert.equal(metrics[0]!.variants[0]!.players, 1);
});

test('a split of the players that is far from the weights of the variants is suspicious', async () => {
  const studio = await makeStudio(server);
  const id = await startYesterday(studio, METRICS.slice(0, 1), [9, 1]);
  await expose(studio, id, 0, playersOf('a', 1_800));
  await expose(studio, id, 1, playersOf('b', 200));
  assert.equal((await readResults(studio, id)).is_split_suspicious, false);
  await expose(studio, id, 1, playersOf('c', 100));
  const { split_chance, is_split_suspicious } = await readResults(studio, id);
  assert.ok(is_split_suspicious && split_chance! < 1e-6);
});

test('a draft has no results yet', async () => {
  const studio = await makeStudio(server);
  const { body } = await studio.steer('POST', '/experiments', HALVES);
  const results = await readResults(studio, body.id);
  assert.deepEqual([results.state, results.as_of, results.split_chance], ['draft', null, null]);
});

test('when values vary neither within the variant nor within the control, the verdict is no_variance', async () => {
  const studio = await makeStudio(server);
  const id = await startYesterday(studio, METRICS.slice(0, 1));
  const generous = playersOf('b', 100);
  await expose(studio, id, 0, playersOf('a', 100));
  await expose(studio, id, 1, generous);
  const events = generous.map((player_id) => buy(player_id, 5, 1));
  await insertEvents(server, studio.game_id, events);
  const { metrics } = await readResults(studio, id);
  const { verdict, difference, interval } = metrics[0]!.variants[1]!;
  assert.deepEqual([verdict, difference, interval], ['no_variance', 1, null]);
});
