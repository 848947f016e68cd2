import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { daysAgo } from '../past-day.ts';
import { waitForIngest } from '../inbox.ts';
import { countCases } from '../long-forms.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { joinIngest } from '../../src/platform/ingest-lock.ts';
import { makeMergeClient } from '../../src/features/players/test/merge-client.ts';
import { openReports } from '../../src/features/reports/test/random-game.ts';
import { createSealedEvents } from '../../src/features/reports/sealed/reader.ts';
import { runSeals } from '../../src/features/reports/sealed/seal-run.ts';
import {
  insertPastEvents,
  listSealed,
} from '../../src/features/reports/sealed/test/sealed-game.ts';
import type { PastEvent } from '../../src/features/reports/sealed/test/sealed-game.ts';
import { unsealGame } from '../../src/features/reports/sealed/unseal.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const NUMBERS = ['1', '1.0', '2.50', '3', '-4e0', '9007199254740993', '9007199254740992', '0.1'];
const TEXTS = ['"1"', '"a"', '"a\\nb"', '"é😀"', `"${'x'.repeat(300)}"`];
const OTHERS = ['null', 'true', '[1.0,"a",null]', '{"a":[1.50]}'];
const value = fc.constantFrom(...NUMBERS, ...TEXTS, ...OTHERS);
const event: fc.Arbitrary<PastEvent> = fc
  .record({
    event_name: fc.constantFrom('open', 'open', 'buy', 'end', 'rare'),
    player_id: fc.option(
      fc.nat({ max: 7 }).map((player) => `p${player}`),
      { freq: 9 },
    ),
    session_id: fc.nat({ max: 5 }).map((session) => `s${session}`),
    properties: fc.record({
      v: fc.option(value, { freq: 8 }),
      price: fc.oneof(fc.constantFrom('0.99', '4.99', '10', '-1', '0', '1e300', '"1"')),
      // All of them, or none, are numbers that a double holds.
      level: fc.option(fc.nat({ max: 9 }).map(String), { freq: 8 }),
      currency: fc.constantFrom('"EUR"', '"usd"', '"eur"', '"nope"', '7', 'null'),
    }),
  })
  .map(({ properties, ...sent }) => {
    const members = Object.entries(properties).filter(([, json]) => json !== null);
    return {
      ...sent,
      properties: `{${members.map(([name, json]) => `"${name}":${json}`).join()}}`,
    };
  });

const filterOf = (operator: string, of?: unknown, property = 'v') => [
  { property, operator, ...(of !== undefined && { value: of }) },
];
const SOME = { players: { values: [{ property: 'country', value: 'de' }] } };
const BY_COUNTRY = { split_by: 'property:country' };
const STEPS = [
  { event_name: 'open', filter: filterOf('ne', 3) },
  { event_name: 'open', filter: filterOf('gte', 4, 'level') },
  { event_name: 'buy' },
];
const FUNNEL = { steps: STEPS, window_minutes: 4_000 };
const BOUGHT = { event_name: 'buy', filter: filterOf('gt', 1, 'price'), at_least: 2 };

const QUESTIONS: [report: string, query: Record<string, unknown>][] = [
  ...['v', 'price', 'level', 'missing'].map((group_by): [string, Record<string, unknown>] => [
    'breakdown',
    { event_name: 'open', group_by, property: 'level', limit: 3 },
  ]),
  ['breakdown', { event_name: 'buy', group_by: 'v', property: 'price', limit: 20 }],
  ['breakdown', { event_name: 'buy', group_by: 'currency', property: 'price' }],
  ['breakdown', { event_name: 'buy', property: 'price', currency: 'EUR' }],
  ['breakdown', { event_name: 'end', property: 'v', ...BY_COUNTRY, ...SOME }],
  ...(
    [
      ['eq', 1],
      ['eq', 'a'],
      ['eq', null],
      ['ne', true],
      ['contains', 'a'],
      ['contains', null],
      ['gt', 'a'],
      ['lte', 2.5],
      ['exists', undefined],
      ['not_exists', undefined],
    ] as const
  ).map(([operator, of]): [string, Record<string, unknown>] => [
    'breakdown',
    { event_name: 'open', filter: filterOf(operator, of), group_by: 'level' },
  ]),
  ['funnel', FUNNEL],
  ['funnel', { ...FUNNEL, breakdown: 'v' }],
  ['funnel', { ...FUNNEL, ...BY_COUNTRY, ...SOME }],
  ['path', { event_name: 'open', filter: filterOf('exists') }],
  ['path', { event_name: 'buy', direction: 'previous', window_hours: 24, hide: ['rare'] }],
  ['path', { event_name: 'open', repeats: 'keep', ...BY_COUNTRY }],
  ['path', { event_name: 'open', window_hours: 2, ...SOME }],
  ['revenue', {}],
  ['revenue', { currency: 'USD', ...BY_COUNTRY }],
  ['events', { ...SOME, by: 'day' }],
  ['events', { ...BY_COUNTRY, event_name: 'open' }],
  ['segment', { events: [BOUGHT, { event_name: 'rare', did: false }] }],
  ['segment', { cell: { report: 'funnel', ...FUNNEL, step: 2, outcome: 'reached' } }],
  ['segment', { cell: { report: 'events', event_name: 'open', property: 'v', value: '1' } }],
  ['segment', { cell: { report: 'revenue' } }],
];

test('reports from sealed days are those from rows, also after merges and erasures', async () => {
  const day = fc.array(event, { minLength: 100, maxLength: 300 });
  const days = fc.array(day, { minLength: 4, maxLength: 4 });
  const run = fc.asyncProperty(days, fc.array(event, { maxLength: 30 }), async (past, today) => {
    const client = await makeMergeClient(server);
    const { game } = client;
    const { game_id } = game;
    const tenant = { game_id, environment: 'production' as const };
    const database = server.database.ofGame(game_id);
    for (let player = 0; player < 8; player++) {
      const properties = player % 3 === 0 ? {} : { country: player % 2 === 0 ? 'de' : 'fr' };
      await client.identify(`p${player}`, properties);
    }
    const { path, get } = await openReports(server, game);
    const { token } = await server.makeAccount({ game_id, role: 'admin' });
    const settings = { event_name: 'buy', amount_property: 'price', currency_property: 'currency' };
    const put = await server.request('PUT', `${path}/revenue-settings`, { token, body: settings });
    assert.equal(put.status, 200, put.text);
    // The third day has no events, and the last one is too young to be sealed.
    const at = [9, 6, 4, 1];
    for (const [index, events] of past.entries()) {
      await insertPastEvents(server, game_id, daysAgo(at[index]!), events);
    }
    for (const { event_name, player_id, session_id, properties } of today) {
      const player = player_id === null ? '' : `"player_id":"${player_id}",`;
      const body = `{${player}"event_name":"${event_name}","session_id":"${session_id}","properties":${properties}}`;
      const key = game.production_key;
      assert.equal((await server.request('POST', '/v1/track', { key, body })).status, 202);
    }
    await waitForIngest(server.database, game_id);

    const range = { from: daysAgo(20), to: daysAgo(1) };
    const askAll = async () => {
      const answers: unknown[] = [];
      for (const [report, query] of QUESTIONS) {
        const cell = query.cell === undefined ? {} : { cell: { ...query.cell, ...range } };
        const answer = await get(report, { ...query, ...cell });
        // Players are seen for the last time, as far as the server has stored it, meanwhile.
        const isMoving = (name: string) => name === 'last_seen_at';
        const text = JSON.stringify(answer, (name, json) => (isMoving(name) ? null : json));
        answers.push(JSON.parse(text));
      }
      return answers;
    };
    const listDays = async () => {
      const { days: sealed } = await listSealed(createSealedEvents(), database, tenant);
      return sealed;
    };
    const sealAll = () =>
      runSeals(server.database, { joinIngest, retention_days: 0, min_events: 1, rest_times: 0 });
    const requireSame = async (changeSealed = async () => {}) => {
      await sealAll();
      assert.deepEqual(await listDays(), [daysAgo(9), daysAgo(6), daysAgo(4)]);
      await changeSealed();
      const from_columns = await askAll();
      await database.transaction((tx) => unsealGame(tx, game_id));
      assert.deepEqual(await listDays(), []);
      const from_rows = await askAll();
      for (const [index, [report, query]] of QUESTIONS.entries()) {
        const about = `${report} ${JSON.stringify(query)}`;
        assert.deepEqual(from_columns[index], from_rows[index], about);
      }
    };

    await requireSame();
    await requireSame(async () => {
      // Bytes that were not written so are refused, and then rows are read.
      await database.execute(sql`
        UPDATE sealed_days SET sessions = set_byte(sessions, 9, 255 - get_byte(sessions, 9))
        WHERE game_id = ${game_id} AND day = ${daysAgo(6)}::date`);
      await database.execute(sql`
        UPDATE sealed_events SET data = set_byte(data, 9, 255 - get_byte(data, 9))
        WHERE game_id = ${game_id} AND day = ${daysAgo(4)}::date AND event_name = 'open'`);
    });
    await sealAll();
    assert.equal((await client.merge('p1', { from_player_id: 'p2' })).status, 200);
    await client.waitForEvents('p1');
    await requireSame();
    await sealAll();
    const erased = await server.request('DELETE', `${path}/players/p3`, { token });
    assert.equal(erased.status, 204, erased.text);
    await requireSame();
  });
  await fc.assert(run, { numRuns: countCases(3), endOnFailure: true });
});
