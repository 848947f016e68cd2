import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeTestPartition } from '../../../../test/past-day.ts';
import { insertEvents, reportPath } from '../test/event-table.ts';

let server: TestServer;
let game_id: string;
let token: string;

const PLAYERS = [
  { player_id: 'ann', tags: ['vip'], properties: { level: 7 }, buys: 3, plays: 1 },
  { player_id: 'bob', tags: ['vip', 'beta'], properties: { level: 2 }, buys: 1, plays: 1 },
  { player_id: 'cleo', tags: [], properties: { level: 9 }, buys: 0, plays: 1 },
  { player_id: 'dan', tags: ['beta'], properties: {}, buys: 2, plays: 0 },
  { player_id: '=eve', tags: [], properties: { ref: 1 }, buys: 0, plays: 0 },
];

before(async () => {
  server = await startTestServer();
  await makeTestPartition(server);
  ({ game_id } = await server.makeGame());
  ({ token } = await server.makeAccount({ game_id, role: 'viewer' }));
  await server.database.execute(sql`
    INSERT INTO players (game_id, environment, player_id, tags, properties, first_seen_at,
                         last_seen_at)
    SELECT ${game_id}, 'production', player_id, tags, properties, now(), now()
    FROM jsonb_to_recordset(${JSON.stringify(PLAYERS)}::jsonb)
      AS player (player_id text, tags text[], properties jsonb)`);
  await insertEvents(
    server,
    game_id,
    PLAYERS.flatMap(({ player_id, buys, plays }) => [
      ...Array.from({ length: buys }, (_, index) => ({
        event_name: 'buy',
        player_id,
        at_s: index,
        properties: { price: index },
      })),
      ...Array.from({ length: plays }, () => ({ event_name: 'play', player_id, at_s: 0 })),
      // This event is outside the range of days.
      { event_name: 'play', player_id, at_s: -10 },
    ]),
  );
});
after(() => server.close());

const get = (query: Record<string, unknown>, tags = '') =>
  server.request('GET', reportPath(game_id, 'analytics/segment', query) + tags, { token });

async function list(query: Record<string, unknown>, tags = ''): Promise<string[]> {
  const { status, body } = await get(query, tags);
  assert.equal(status, 200, JSON.stringify(body));
  const ids = body.players.map(({ player_id }: { player_id: string }) => player_id);
  assert.equal(body.count, ids.length);
  return ids;
}

test('GET …/analytics/segment finds players by tags, properties and events', async () => {
  assert.deepEqual(await list({}), ['=eve', 'ann', 'bob', 'cleo', 'dan']);
  assert.deepEqual(await list({}, '&tag=VIP'), ['ann', 'bob']);
  assert.deepEqual(await list({}, '&tag=vip&tag=beta'), ['bob']);
  const level = [{ property: 'level', operator: 'gte', value: 7 }];
  assert.deepEqual(await list({ filter: level }), ['ann', 'cleo']);
  const bought = { event_name: 'buy' };
  assert.deepEqual(await list({ events: [bought] }), ['ann', 'bob', 'dan']);
  assert.deepEqual(await list({ events: [{ ...bought, at_least: 2 }] }), ['ann', 'dan']);
  assert.deepEqual(await list({ events: [{ ...bought, did: false }] }), ['=eve', 'cleo']);
  const fewer = { ...bought, did: false, at_least: 2 };
  assert.deepEqual(await list({ events: [fewer] }), ['=eve', 'bob', 'cleo']);
  const dear = { ...bought, filter: [{ property: 'price', operator: 'gt', value: 0 }] };
  assert.deepEqual(await list({ events: [dear] }), ['ann', 'dan']);
  const both = [dear, { event_name: 'play' }];
  assert.deepEqual(await list({ events: both }), ['ann']);
  assert.deepEqual(await list({ events: both, filter: level }, '&tag=beta'), []);
  assert.deepEqual(await list({ environment: 'development' }), []);
});

test('pages continue at the cursor and repeat the count of the first page', async () => {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const { body }: TestAnswer = await get({ limit: 2, ...(cursor && { cursor }) });
    assert.equal(body.count, 5);
    seen.push(...body.players.map(({ player_id }: { player_id: string }) => player_id));
    cursor = body.next_cursor;
  } while (cursor !== null);
  assert.deepEqual(seen, ['=eve', 'ann', 'bob', 'cleo', 'dan']);
  const { status, body } = await get({ cursor: 'x' });
  assert.deepEqual([status, body], [400, { error: 'cursor is not valid' }]);
});

test('later pages list the players that the first page has found', async () => {
  const first = await get({ limit: 1 }, '&tag=vip');
  assert.deepEqual([first.body.count, first.body.players[0].player_id], [2, 'ann']);
  const setTags = (tags: string[]) =>
    server.database.execute(sql`
      UPDATE players SET tags = ${tags}::text[]
      WHERE game_id = ${game_id} AND player_id = 'bob'`);
  await setTags(['beta']);
  const second = await get({ limit: 1, cursor: first.body.next_cursor }, '&tag=vip');
  assert.deepEqual([second.body.count, second.body.players[0]?.player_id], [2, 'bob']);
  assert.deepEqual(await list({}, '&tag=vip'), ['ann']);
  await setTags(['vip', 'beta']);
});

test('the CSV of a segment is one file, whose texts cannot act as formulas', async () => {
  const { text, headers } = await get({ format: 'csv', limit: 1 });
  assert.equal(headers.get('content-disposition'), 'attachment; filename="segment.csv"');
  const lines = text.trimEnd().split('\r\n');
  assert.equal(lines[0], 'player_id,tags,first_seen_at,last_seen_at,properties');
  assert.equal(lines.length, 6);
  assert.match(lines[1]!, /^'=eve,\[\],\d{4}-/);
  assert.match(lines[3]!, /^bob,"\[""vip"",""beta""\]",.*"{""level"": 2}"$/);
});

test('a file with more players than a page lists each of them once, in the order of ids', async () => {
  const large = await server.makeGame();
  const viewer = await server.makeAccount({ game_id: large.game_id, role: 'viewer' });
  await server.database.execute(sql`
    INSERT INTO players (game_id, environment, player_id, tags, properties, first_seen_at,
                         last_seen_at)
    SELECT ${large.game_id}, 'production', 'p' || number, '{}',
           CASE WHEN number % 5 > 0 THEN '{"level": 1}' ELSE '{}' END::jsonb, now(), now()
    FROM generate_series(1000, 1400) AS number`);
  const filter = [{ property: 'level', operator: 'eq', value: 1 }];
  const path = reportPath(large.game_id, 'analytics/segment', { format: 'csv', filter });
  const { text } = await server.request('GET', path, { token: viewer.token });
  const ids = text.trimEnd().split('\r\n').slice(1);
  const expected = Array.from({ length: 401 }, (_, index) => 1_000 + index);
  assert.deepEqual(
    ids.map((line) => line.split(',')[0]),
    expected.filter((number) => number % 5 > 0).map((number) => `p${number}`),
  );
});

for (const [events, error] of [
  ['{', 'events is not valid JSON'],
  [[{}], 'events[0].event_name is required'],
  [[{ event_name: 'a', at_least: 0 }], 'events[0].at_least must be at least 1'],
  [Array.from({ length: 6 }, () => ({ event_name: 'a' })), 'events must have at most 5 entries'],
] as const) {
  test(`GET …/analytics/segment refuses events: ${error}`, async () => {
    const { status, body } = await get({ events });
    assert.deepEqual([status, body], [400, { error }]);
  });
}
