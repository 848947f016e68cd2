import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { waitForIngest } from '../inbox.ts';
import { countCases, isLongForm } from '../long-forms.ts';
import { daysAgo } from '../past-day.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { joinIngest } from '../../src/platform/ingest-lock.ts';
import { makeMergeClient } from '../../src/features/players/test/merge-client.ts';
import { openReports } from '../../src/features/reports/test/random-game.ts';
import { runSeals } from '../../src/features/reports/sealed/seal-run.ts';
import { insertPastEvents } from '../../src/features/reports/sealed/test/sealed-game.ts';
import type { PastEvent } from '../../src/features/reports/sealed/test/sealed-game.ts';
import { countNaively } from './naive-metric.ts';
import type { ExportedEvent, SentMetric } from './naive-metric.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const ZONE = 'Australia/Lord_Howe';
const someone = fc.option(
  fc.nat({ max: 7 }).map((player) => `p${player}`),
  { freq: 9 },
);
const properties = fc.record({
  price: fc.constantFrom('99', '499', '10.5', '-1', '0', '"1"', 'null', '1e3'),
  level: fc.option(fc.nat({ max: 9 }).map(String), { freq: 8 }),
  currency: fc.constantFrom('"EUR"', '"eur"', '"USD"', '7'),
});
const write = (members: Record<string, string | null>) =>
  `{${Object.entries(members)
    .filter(([, json]) => json !== null)
    .map(([name, json]) => `"${name}":${json}`)
    .join()}}`;
const past: fc.Arbitrary<PastEvent> = fc
  .record({
    event_name: fc.constantFrom('open', 'open', 'buy', 'end'),
    player_id: someone,
    session_id: fc.nat({ max: 5 }).map((session) => `s${session}`),
    properties,
  })
  .map((event) => ({ ...event, properties: write(event.properties) }));
/** An event that arrives today, long after it happened. */
const late = fc.record({ event: past, minutes_ago: fc.nat({ max: 12 * 1_440 }) });

const METRICS: Record<string, SentMetric> = {
  all: { kind: 'count' },
  opens: { kind: 'count', event_name: 'open', filter: [gte('level', 4)] },
  opens_per_player: { kind: 'count', event_name: 'open', per: 'player' },
  opens_per_day: { kind: 'count', event_name: 'open', per: 'day' },
  active: { kind: 'players' },
  payers: { kind: 'players', event_name: 'buy', filter: [gte('price', 1)] },
  payers_per_day: { kind: 'players', event_name: 'buy', per: 'day' },
  others: {
    kind: 'players',
    event_name: 'end',
    filter: [{ property: 'level', operator: 'ne', value: 3 }],
  },
  spent: { kind: 'sum', event_name: 'buy', property: 'price' },
  spent_per_player: { kind: 'sum', event_name: 'buy', property: 'price', per: 'player' },
  money: {
    kind: 'sum',
    event_name: 'buy',
    property: 'price',
    currency: 'EUR',
    currency_property: 'currency',
    amount_unit: 'minor',
  },
  average_level: { kind: 'average', event_name: 'open', property: 'level' },
  median_price: { kind: 'percentile', event_name: 'buy', property: 'price', percentile: 50 },
  high_level: { kind: 'percentile', event_name: 'open', property: 'level', percentile: 93 },
};
const RATIOS: Record<string, { numerator: string; denominator: string; unit: object }> = {
  conversion: { numerator: 'payers', denominator: 'active', unit: { unit: 'percent' } },
  nested_units: {
    numerator: 'money',
    denominator: 'active',
    unit: { unit: 'money', currency: 'EUR' },
  },
  daily: { numerator: 'payers_per_day', denominator: 'opens_per_day', unit: {} },
};

function gte(property: string, value: number) {
  return { property, operator: 'gte', value };
}

const near = (a: number | null, b: number | null): boolean =>
  a === null || b === null
    ? a === b
    : Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

const dayOf = (at: string): string =>
  new Intl.DateTimeFormat('sv', { timeZone: ZONE }).format(new Date(at));

test('metrics of random events equal a plain count of the exported events, also after merges and erasures', async () => {
  const days = fc.array(fc.array(past, { minLength: 60, maxLength: 150 }), {
    minLength: 3,
    maxLength: 3,
  });
  const run = fc.asyncProperty(days, fc.array(late, { maxLength: 60 }), async (sent, tardy) => {
    const client = await makeMergeClient(server);
    const { game } = client;
    const { game_id } = game;
    await server.database.execute(sql`UPDATE games SET time_zone = ${ZONE} WHERE id = ${game_id}`);
    for (let player = 0; player < 8; player++) {
      const of = player % 3 === 0 ? {} : { country: player % 2 === 0 ? 'de' : 'fr' };
      await client.identify(`p${player}`, of);
    }
    const { path } = await openReports(server, game);
    const { token } = await server.makeAccount({ game_id, role: 'admin' });
    const put = async (key: string, { unit = {}, ...body }: { kind: string; unit?: object }) => {
      const isMoney = 'currency' in body;
      const sent_body = { name: key, ...(isMoney && { unit: 'money' }), ...body, ...unit };
      const answer = await server.request('PUT', `${path}/metrics/${key}`, {
        token,
        body: sent_body,
      });
      assert.equal(answer.status, 200, answer.text);
    };
    for (const [key, metric] of Object.entries(METRICS)) await put(key, metric);
    for (const [key, ratio] of Object.entries(RATIOS)) await put(key, { kind: 'ratio', ...ratio });

    for (const [index, events] of sent.entries()) {
      await insertPastEvents(server, game_id, daysAgo([9, 5, 2][index]!), events);
    }
    for (const { event, minutes_ago } of tardy) {
      const { player_id, event_name, session_id, properties: json } = event;
      const player = player_id === null ? '' : `"player_id":"${player_id}",`;
      const at = new Date(Date.now() - minutes_ago * 60_000).toISOString();
      const body = `{${player}"event_name":"${event_name}","session_id":"${session_id}","properties":${json},"client_timestamp":"${at}"}`;
      const key = game.production_key;
      assert.equal((await server.request('POST', '/v1/track', { key, body })).status, 202);
    }
    await waitForIngest(server.database, game_id);

    let round = 0;
    const compare = async () => {
      const range = { from: daysAgo(11), to: daysAgo(1) };
      const wide = `from=${daysAgo(40)}&to=${daysAgo(-1)}`;
      const exported = await server.request('GET', `${path}/events/export?format=ndjson&${wide}`, {
        token,
      });
      const listed = await server.request('GET', `${path}/players?limit=100`, { token });
      const country = new Map<string, string | null>(
        listed.body.players.map((each: { player_id: string; properties: { country?: string } }) => [
          each.player_id,
          each.properties.country ?? null,
        ]),
      );
      const events: ExportedEvent[] = exported.text
        .split('\n')
        .filter((line: string) => line !== '')
        .map((line: string) => JSON.parse(line));
      const inRange = events.filter((event) => {
        const day = dayOf(event.occurred_at);
        return day >= range.from && day <= range.to;
      });
      /** The number of a metric for some of its days, as the contract defines it. */
      const count = (key: string, among: ExportedEvent[], days_of: string[]): number | null => {
        const ratio = RATIOS[key];
        if (ratio !== undefined) {
          const [a, b] = [ratio.numerator, ratio.denominator].map((part) =>
            count(part, among, days_of),
          );
          return a === null || !b ? null : a! / b;
        }
        const metric = METRICS[key]!;
        if (metric.per !== 'day') return countNaively(metric, among);
        const per_day = days_of.map((day) =>
          countNaively(
            metric,
            among.filter((event) => dayOf(event.occurred_at) === day),
          ),
        );
        return per_day.reduce<number>((sum, each) => sum + each!, 0) / days_of.length;
      };
      const keys = [...Object.keys(METRICS), ...Object.keys(RATIOS)];
      round++;
      // In the short form, each round looks at another third of the metrics.
      for (const key of keys.filter((_key, index) => isLongForm() || index % 3 === round % 3)) {
        const query = `from=${range.from}&to=${range.to}&metric_key=${key}`;
        const split = `${query}&split_by=property:country`;
        const { body, status, text } = await server.request(
          'GET',
          `${path}/analytics/metric?${split}`,
          { token },
        );
        assert.equal(status, 200, text);
        const check = (
          shown: {
            total: { number: number | null };
            days: { day: string; number: number | null }[];
          },
          among: ExportedEvent[],
          about: string,
        ) => {
          const all = shown.days.map(({ day }) => day);
          const expected = count(key, among, all);
          assert.ok(
            near(shown.total.number, expected),
            `${about}: ${shown.total.number} is not ${expected}`,
          );
          for (const { day, number } of shown.days) {
            const of_day = among.filter((event) => dayOf(event.occurred_at) === day);
            const wanted = count(key, of_day, [day]);
            assert.ok(near(number, wanted), `${about} on ${day}: ${number} is not ${wanted}`);
          }
        };
        assert.equal(body.days.length, 11);
        check(body, inRange, key);
        for (const group of body.groups) {
          const of_group = inRange.filter(
            ({ player_id }) =>
              player_id !== null &&
              country.has(player_id) &&
              country.get(player_id) === (group.kind === 'none' ? null : group.value),
          );
          check(group, of_group, `${key} of ${group.kind} ${group.value}`);
        }
      }
    };
    const seal = () =>
      runSeals(server.database, { joinIngest, retention_days: 0, min_events: 1, rest_times: 0 });

    await compare();
    await seal();
    await compare();
    await compare();
    assert.equal((await client.merge('p1', { from_player_id: 'p2' })).status, 200);
    await client.waitForEvents('p1');
    await compare();
    const erased = await server.request('DELETE', `${path}/players/p4`, { token });
    assert.equal(erased.status, 204, erased.text);
    await compare();
    await seal();
    await compare();
  });
  await fc.assert(run, { numRuns: countCases(2), endOnFailure: true });
});
