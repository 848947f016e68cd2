import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';
import { makeStatStudio } from './test/stat-studio.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

test('a statistic is made, listed with the number of its players, changed and deleted', async () => {
  const studio = await makeStatStudio(server);
  const made = await studio.steer('POST', '/stats', {
    key: 'coins',
    name: 'Coins',
    description: 'To spend',
    minimum: 0,
    max_change: 0.5,
    writes_from: 'server',
  });
  assert.equal(made.status, 201, made.text);
  const { created_at, updated_at, ...fields } = made.body;
  assert.match(created_at, /^\d{4}-/);
  assert.equal(created_at, updated_at);
  assert.deepEqual(fields, {
    key: 'coins',
    name: 'Coins',
    description: 'To spend',
    aggregation: 'sum',
    minimum: 0,
    maximum: null,
    max_change: 0.5,
    writes_from: 'server',
    source: null,
    archived: false,
    is_counting: false,
  });
  const changed = await studio.steer('PATCH', '/stats/coins', {
    max_change: null,
    maximum: 9,
    writes_from: 'anyone',
  });
  assert.deepEqual(
    [changed.body.minimum, changed.body.maximum, changed.body.max_change],
    [0, 9, null],
  );
  await studio.change('p1', { coins: 1 });
  await studio.change('p2', { coins: 1 });
  await studio.change('p2', { coins: 1 }, { key: studio.development_key });
  const { body } = await studio.steer('GET', '/stats');
  assert.deepEqual(
    body.stats.map(({ key, player_count }: Record<string, unknown>) => [key, player_count]),
    [['coins', 2]],
  );
  const actions = await server.database.query<{ action: string }>(sql`
    SELECT action FROM audit_log WHERE game_id = ${studio.game_id} AND target = 'coins' ORDER BY id`);
  assert.deepEqual(
    actions.map(({ action }) => action),
    ['create_stat', 'update_stat'],
  );
});

test('a statistic of which players have values is archived instead of being deleted', async () => {
  const studio = await makeStatStudio(server, { used: 'sum', unused: 'sum' });
  await studio.change('p', { used: 1 }, { key: studio.development_key });
  const remove = (key: string) => studio.steer('DELETE', `/stats/${key}`);
  assert.deepEqual((await remove('used')).body, { key: 'used', result: 'archived' });
  assert.deepEqual((await remove('unused')).body, { key: 'unused', result: 'deleted' });
  assert.equal((await remove('unused')).status, 404);
  assert.equal((await studio.steer('POST', '/stats', { key: 'used', name: 'U' })).status, 409);
  const { body } = await studio.steer('GET', '/stats');
  assert.deepEqual(
    body.stats.map(({ key, archived }: Record<string, unknown>) => [key, archived]),
    [['used', true]],
  );
});

test('the aggregation changes only while no player has a value', async () => {
  const studio = await makeStatStudio(server, { best: 'sum' });
  const change = (body: object) => studio.steer('PATCH', '/stats/best', body);
  assert.equal((await change({ aggregation: 'max' })).body.aggregation, 'max');
  await studio.change('p', { best: 5 });
  const refused = await change({ aggregation: 'min', name: 'Other' });
  assert.equal(refused.status, 409);
  assert.match(refused.body.error, /aggregation cannot change from max to min, because players/);
  assert.equal((await change({ aggregation: 'max', name: 'Other' })).body.name, 'Other');
});

test('fields that contradict each other are refused by name, also across two calls', async () => {
  const studio = await makeStatStudio(server, { coins: { minimum: 5 } });
  for (const [body, error] of [
    [{ minimum: 2, maximum: 1 }, /minimum must not be more than maximum/],
    [{ max_change: 0 }, /max_change must be more than 0/],
    [{ max_change: -1 }, /max_change must be more than 0/],
    [{ max_change: 1, aggregation: 'max' }, /max_change needs the aggregation sum/],
    [{ maximum: 0.000_000_1 }, /maximum must have at most 6 decimals/],
    [{ maximum: 2 ** 53 }, /maximum must be at most/],
    [{ minimum: '1' }, /minimum/],
    [{ aggregation: 'avg' }, /aggregation must be one of sum, max, min, latest/],
    [{ name: ' ' }, /name/],
  ] as const) {
    const answer = await studio.steer('POST', '/stats', { key: 'x', name: 'X', ...body });
    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.body.error, error);
  }
  assert.equal((await studio.steer('PATCH', '/stats/coins', { maximum: 4 })).status, 400);
  assert.equal((await studio.steer('PATCH', '/stats/coins', { maximum: 5 })).status, 200);
});

test('a game has as many statistics as its limit allows', async () => {
  const studio = await makeStatStudio(server);
  await server.database.execute(sql`
    UPDATE games SET limit_overrides = '{"stats": 2}' WHERE id = ${studio.game_id}`);
  const make = (key: string) => studio.steer('POST', '/stats', { key, name: key });
  assert.equal((await make('a')).status, 201);
  assert.equal((await make('b')).status, 201);
  const refused = await make('c');
  assert.equal(refused.status, 403);
  assert.deepEqual([refused.body.resource, refused.body.limit], ['stats', 2]);
});

test('statistics are kept as files', async () => {
  const studio = await makeStatStudio(server, { best: 'max', used: 'sum', unused: 'min' });
  await studio.change('p', { used: 1 });
  const stat = (key: string, definition: object) => ({ kind: 'stat', key, definition });
  const definitions = [
    stat('best', { name: 'Best', aggregation: 'latest', maximum: 0.5 }),
    stat('new', { name: 'New', minimum: -1, max_change: 3 }),
    stat('of events', { name: 'Wins', source: { event_name: 'win' } }),
  ];
  const call = (path: string, body: object) => studio.steer('POST', `/definitions/${path}`, body);
  const planned = await call('plan', { definitions, prune: true });
  assert.equal(planned.status, 200, planned.text);
  const applied = await call('apply', { definitions, prune: true, plan: planned.body.plan });
  assert.equal(applied.status, 200, applied.text);
  const { body } = await studio.steer('GET', '/stats');
  assert.deepEqual(
    body.stats.map(({ key, aggregation, maximum, minimum, archived }: Record<string, unknown>) => [
      key,
      aggregation,
      maximum,
      minimum,
      archived,
    ]),
    [
      ['best', 'latest', 0.5, null, false],
      ['new', 'sum', null, -1, false],
      ['of events', 'sum', null, null, false],
      ['used', 'sum', null, null, true],
    ],
  );
  const again = await call('plan', { definitions });
  assert.deepEqual(again.body.changes, [], 'what was applied is what the files say');
  const broken = [stat('new', { name: 'New', aggregation: 'max', max_change: 3 })];
  const refused = await call('plan', { definitions: broken });
  assert.equal(refused.status, 400);
  assert.match(refused.body.error, /stat "new": max_change needs the aggregation sum/);
  const other = [stat('used', { name: 'Used', aggregation: 'max' })];
  const plan = (await call('plan', { definitions: other })).body.plan as string;
  const conflict = await call('apply', { definitions: other, plan });
  assert.equal(conflict.status, 409);
  assert.match(conflict.body.error, /aggregation cannot change from sum to max/);
});
