import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { readGameRows } from '../../../../test/whole-database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeMergeClient } from '../test/merge-client.ts';
import type { MergeClient } from '../test/merge-client.ts';

let server: TestServer;
let client: MergeClient;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());
beforeEach(async () => {
  client = await makeMergeClient(server);
});

/** Gives two players data of every kind. */
async function play(): Promise<void> {
  await client.defineAchievements('first', 'second');
  await client.identify('a', { level: 3, country: 'de' });
  await client.identify('b', { level: 9 });
  await client.tag('a', 'beta');
  await client.tag('a', 'vip');
  await client.tag('b', 'vip');
  await client.unlock('a', 'first');
  await client.unlock('a', 'second');
  await client.unlock('b', 'second');
  for (const [player_id, score] of [
    ['a', 10],
    ['b', 7],
  ] as const) {
    await client.call('POST', '/v1/leaderboards', { player_id, board_name: 'board', score });
    await client.call('PUT', '/v1/saves', { player_id, data: { of: player_id } });
    await client.track(player_id, `session of ${player_id}`);
    await client.track(player_id, 'shared');
  }
}

test('a merge gives one player the data of both players, and deletes the other player', async () => {
  await play();
  const first_seen = (await client.show('a')).first_seen_at;
  const { status, body } = await client.merge('b', { from_player_id: 'a' });
  assert.equal(status, 200);
  assert.deepEqual(body.changes, {
    saves: [{ slot: 'main', kept: 'target', version: 3 }],
    scores: [{ board_name: 'board', season: 1, score: 10, kept: 'source' }],
    bans: [],
    achievements: ['first'],
    tags: ['beta'],
    properties: ['country'],
    logins: [],
    sessions: 2,
  });
  assert.equal(body.event_count, 2);
  const merged = await client.show('b');
  assert.deepEqual(merged.properties, { level: 9, country: 'de' });
  assert.deepEqual(merged.tags, ['vip', 'beta']);
  assert.equal(merged.first_seen_at, first_seen);
  assert.deepEqual(
    merged.session_history
      .map((session: { session_id: string; event_count: number }) => [
        session.session_id,
        session.event_count,
      ])
      .toSorted(),
    [
      ['session of a', 1],
      ['session of b', 1],
      ['shared', 2],
    ],
  );
  assert.equal((await client.call('GET', '/v1/players/a')).status, 404);

  const [listed] = await client.waitForEvents('b');
  assert.deepEqual([listed!.moved_event_count, listed!.from_player_id], [2, 'a']);
  const { body: timeline } = await client.call('GET', '/v1/players/b/timeline');
  assert.equal(timeline.events.length, 4);
  const rows = await readGameRows(server.database, client.game.game_id);
  const naming = rows.filter((row) => row.includes('"player_id": "a"'));
  assert.deepEqual(naming, []);
});

test('a preview has the same answer as the merge, and changes nothing', async () => {
  await play();
  await client.show('a');
  const before_rows = await readGameRows(server.database, client.game.game_id);
  const preview = await client.merge('b', { from_player_id: 'a', preview: true });
  assert.deepEqual([preview.body.state, preview.body.merged_at], ['preview', null]);
  assert.deepEqual(await readGameRows(server.database, client.game.game_id), before_rows);
  const { body } = await client.merge('b', { from_player_id: 'a' });
  assert.deepEqual(preview.body.changes, body.changes);
  assert.equal(preview.body.event_count, body.event_count);
});

test('a repeated merge has the same answer as the first one', async () => {
  await play();
  const first = await client.merge('b', { from_player_id: 'a' });
  await client.waitForEvents('b');
  const again = await client.merge('b', { from_player_id: 'a' });
  assert.equal(again.status, 200);
  assert.deepEqual(again.body.changes, first.body.changes);
  assert.equal(again.body.merged_at, first.body.merged_at);
});

test('a refused merge answers the reason, and changes nothing', async () => {
  await client.identify('a');
  await client.identify('b');
  const refusals: [string, object, number, string][] = [
    ['a', { from_player_id: 'a' }, 400, 'from_player_id must name another player'],
    ['a', {}, 400, 'from_player_id is required'],
    ['a', { from_player_id: 7 }, 400, 'from_player_id must be a string'],
    [
      'a',
      { from_player_id: 'b', saves: 'best' },
      400,
      'saves must be one of newest, target, source',
    ],
    ['a', { from_player_id: 'b', preview: 'yes' }, 400, 'preview must be true or false'],
    ['nobody', { from_player_id: 'b' }, 404, 'Player not found'],
    ['a', { from_player_id: 'nobody' }, 404, 'The player of from_player_id was not found'],
  ];
  for (const [player_id, body, status, error] of refusals) {
    const answer = await client.merge(player_id, body);
    assert.deepEqual([answer.status, answer.body.error], [status, error]);
  }
  const by_client = await server.request('POST', '/v1/players/a/merge', {
    key: client.game.production_key,
    body: { from_player_id: 'b' },
  });
  assert.deepEqual(
    [by_client.status, by_client.body.error],
    [403, 'Only a server key may make this call'],
  );
  assert.deepEqual(
    [(await client.show('a')).player_id, (await client.show('b')).player_id],
    ['a', 'b'],
  );
});

test('players of other games and environments are not found', async () => {
  await client.identify('a');
  const other = await makeMergeClient(server);
  await other.call('POST', '/v1/identify', { player_id: 'b', properties: {} });
  const development_key = await server.makeKey(client.game.game_id, 'development', 'server');
  for (const key of [other.server_key, development_key]) {
    await server.request('POST', '/v1/identify', { key, body: { player_id: 'c', properties: {} } });
    const body = { from_player_id: 'a' };
    const { status } = await server.request('POST', '/v1/players/c/merge', { key, body });
    assert.equal(status, 404);
  }
});

test('a merge whose tags or properties would pass a limit answers 409 with the limit', async () => {
  const tags = Array.from({ length: 60 }, (_, n) => n);
  await client.identify('a', { of_a: 'x'.repeat(40_000) });
  await client.identify('b', { of_b: 'x'.repeat(40_000) });
  const too_large = await client.merge('b', { from_player_id: 'a' });
  assert.equal(too_large.status, 409);
  assert.match(too_large.body.error, /properties of the players have 80\d\d\d bytes/);
  await client.identify('a', { of_a: null });
  for (const id of ['a', 'b']) {
    await server.database.execute(sql`
      UPDATE players SET tags = ${tags.map((n) => `${id}${n}`)}::text[]
      WHERE game_id = ${client.game.game_id} AND player_id = ${id}`);
  }
  const too_many = await client.merge('b', { from_player_id: 'a' });
  assert.deepEqual(
    [too_many.status, too_many.body.error],
    [
      409,
      'Together the players have 120 tags, and a player can have at most 100: remove some first',
    ],
  );
  assert.equal((await client.show('a')).tags.length, 60);
});

test('later events of a merged player belong to the target, until the merged player is made again', async () => {
  await play();
  await client.merge('b', { from_player_id: 'a' });
  await client.waitForEvents('b');
  await client.track('a', 'late');
  const followed = await client.show('b');
  assert.ok(
    followed.session_history.some(
      ({ session_id }: { session_id: string }) => session_id === 'late',
    ),
  );
  assert.equal((await client.call('GET', '/v1/players/a')).status, 404);

  await client.identify('a', { is: 'new' });
  await client.track('a', 'own');
  assert.deepEqual(
    (await client.show('a')).session_history.map(
      ({ session_id }: { session_id: string }) => session_id,
    ),
    ['own'],
  );
});

test('after two merges in a row no data is lost, and the player can be merged back', async () => {
  await play();
  await client.identify('c');
  await client.merge('b', { from_player_id: 'a' });
  await client.merge('c', { from_player_id: 'b' });
  await client.waitForEvents('c');
  const { body } = await client.call('GET', '/v1/players/c/timeline');
  assert.equal(body.events.length, 4);
  await client.track('a', 'late');
  assert.equal((await client.show('c')).session_history.length, 4);

  await client.identify('a');
  assert.equal((await client.merge('a', { from_player_id: 'c' })).status, 200);
  const merges = await client.waitForEvents('a');
  assert.deepEqual(merges.map(({ from_player_id }) => from_player_id).toSorted(), ['b', 'c']);
  assert.equal((await client.call('GET', '/v1/players/a/timeline')).body.events.length, 5);
});

test('the audit log names both players of a merge, the API key, and the rule for saves', async () => {
  await client.identify('a');
  await client.identify('b');
  await client.merge('b', { from_player_id: 'a', saves: 'source' });
  const entries = await server.database.query<{ target: string; details: object }>(sql`
    SELECT target, details - 'key_id' AS details FROM audit_log
    WHERE game_id = ${client.game.game_id} AND action = 'merge_player'
      AND details ? 'key_id' ORDER BY id`);
  assert.deepEqual(entries, [
    {
      target: 'b',
      details: { environment: 'production', from_player_id: 'a', saves: 'source' },
    },
    { target: 'a', details: { environment: 'production', player_id: 'b' } },
  ]);
});
