import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { DAY_MINUTES, makeGame, openReports, RANGE } from '../test/random-game.ts';
import { ALL, FUNNEL, SLICED_REPORTS } from '../test/sliced-reports.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

test('sessions of some players are counted from the first day of the report to the last', async () => {
  const players = [{ player_id: 'p0', country: 'de', tag: null }];
  // The range of the reports is the 20 days before this one.
  const events = Array.from({ length: 23 * 4 }, (_, index) => ({
    player: 0,
    session: index,
    event_name: 'open',
    minutes_ago: (index * DAY_MINUTES) / 4,
    price: 1,
    id: 'p0',
  }));
  const { get } = await openReports(server, await makeGame(server, players, events));
  const all = await get('sessions');
  assert.ok(all.days.every(({ session_count }: { session_count: number }) => session_count > 0));
  assert.deepEqual(await get('sessions', { players: ALL }), all);
});

test('report groups are the largest values, all other values, and players without a value', async () => {
  const players = ['de', 'de', 'de', 'fr', 'fr', 7, 'x', null].map((country, index) => ({
    player_id: `p${index}`,
    country,
    tag: index === 0 ? 'vip' : null,
  }));
  const events = players.map(({ player_id }) => ({
    player: 0,
    session: 0,
    event_name: 'open',
    minutes_ago: 3 * DAY_MINUTES,
    price: 1,
    id: player_id,
  }));
  const { get, token, path } = await openReports(server, await makeGame(server, players, events));
  const sizes = async (query: object) => {
    const { groups } = await get('events', query as Record<string, unknown>);
    return groups.map((group: { kind: string; value: string; event_count: number }) => [
      group.kind,
      group.value,
      group.event_count,
    ]);
  };
  assert.deepEqual(await sizes({ split_by: 'property:country', split_limit: 2 }), [
    ['value', 'de', 3],
    ['value', 'fr', 2],
    ['other', null, 2],
    ['none', null, 1],
  ]);
  assert.deepEqual(await sizes({ split_by: 'tag:VIP' }), [
    ['value', 'vip', 1],
    ['none', null, 7],
  ]);
  const vip = { properties: [{ property: 'country', operator: 'eq', value: 'de' }] };
  assert.deepEqual(await sizes({ split_by: 'property:country', players: vip }), [
    ['value', 'de', 3],
  ]);

  const query = 'events=%5B%7B%22event_name%22%3A%22open%22%7D%5D&tag=vip';
  const body = { query };
  await server.request('PUT', `${path}/saved-reports/segment/Whales`, { token, body });
  assert.deepEqual(await sizes({ split_by: 'segment:Whales' }), [
    ['value', 'Whales', 1],
    ['none', null, 7],
  ]);
  const whales = await get('events', { players: { segment: 'Whales' } });
  assert.equal(whales.event_count, 1);
  const csv = await server.request(
    'GET',
    `${path}/analytics/active-players?${RANGE}&format=csv&split_by=tag:vip`,
    { token },
  );
  const lines = csv.text.trimEnd().split('\r\n');
  assert.equal(lines[0], 'group,value,day,daily,weekly,monthly,stickiness,new_players');
  assert.equal(lines.length, 1 + 3 * 20);
  assert.match(lines[21]!, /^value,vip,/);
});

const condition = { property: 'country', operator: 'eq', value: 'de' };
for (const [query, error] of [
  [{ players: '{' }, 'players is not valid JSON'],
  [{ players: '[]' }, 'players must be a JSON object'],
  [{ players: 'null' }, 'players must be a JSON object'],
  [{ players: '{"tag":["x"]}' }, 'players.tag is not allowed'],
  [{ players: '{"__proto__":{"tags":["x"]}}' }, 'players.__proto__ is not allowed'],
  [{ players: { tags: [''] } }, 'players.tags[0] must not be empty'],
  [{ players: { tags: ['a\u0000'] } }, 'players.tags[0] must not contain \\u0000'],
  [{ players: { properties: [{ ...condition, operator: 'is' }] } }, null],
  [{ players: { properties: [{ ...condition, operator: 'gt', value: null }] } }, null],
  [
    { players: '{"properties":[{"property":"a","operator":"eq","value":1e999}]}' },
    'players.properties[0].value is too large',
  ],
  [{ players: { segment: 'none' } }, 'players.segment names no saved segment'],
  [{ split_by: 'country' }, 'split_by must begin with property:, tag: or segment:'],
  [{ split_by: 'property:' }, 'split_by must have a name of 1 to 255 characters'],
  [{ split_by: 'segment:none' }, 'split_by names no saved segment'],
  [{ split_by: 'property:a', split_limit: 51 }, 'split_limit must be at most 50'],
] as [Record<string, unknown>, string | null][]) {
  test(`reports refuse ${JSON.stringify(query)}`, async () => {
    const { ask } = await openReports(server, await server.makeGame());
    for (const report of ['active-players', 'retention', 'sessions', 'events']) {
      const { status, body } = await ask(report, query);
      assert.equal(status, 400, JSON.stringify(body));
      if (error === null) assert.match(body.error, /^players\.properties\[0\]/);
      else assert.equal(body.error, error);
    }
  });
}

test('a funnel and a breakdown refuse two kinds of groups at the same time', async () => {
  const { ask } = await openReports(server, await server.makeGame());
  const funnel = await ask(`${FUNNEL}&breakdown=a`, { split_by: 'tag:a' });
  assert.deepEqual(
    [funnel.status, funnel.body.error],
    [400, 'split_by is not allowed with breakdown'],
  );
  const breakdown = await ask('breakdown?event_name=a&group_by=a', { split_by: 'tag:a' });
  assert.equal(breakdown.body.error, 'split_by is not allowed with group_by');
});

test('a report can be sent as lines that show its progress; the last line is the usual report', async () => {
  const players = ['a', 'b'].map((player_id) => ({ player_id, country: 'de', tag: null }));
  const event = {
    player: 0,
    session: 0,
    event_name: 'open',
    price: 1,
    minutes_ago: 3 * DAY_MINUTES,
  };
  const events = players.map(({ player_id }) => ({ ...event, id: player_id }));
  const { ask, get } = await openReports(server, await makeGame(server, players, events));
  for (const report of [...SLICED_REPORTS, 'segment', 'path?event_name=open']) {
    const chosen = report === 'segment' ? {} : { players: ALL };
    const answer = await ask(report, { ...chosen, format: 'progress' });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers.get('content-type'), 'application/x-ndjson');
    const lines = answer.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(lines[0].progress.state, 'reading');
    assert.deepEqual(lines.at(-1), { report: await get(report, chosen) });
  }
  const refused = await ask('retention', { split_by: 'x', format: 'progress' });
  assert.equal(refused.status, 400);
});
