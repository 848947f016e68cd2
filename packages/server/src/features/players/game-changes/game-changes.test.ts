import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeMergeClient } from '../test/merge-client.ts';
import type { MergeClient } from '../test/merge-client.ts';
import { deleteOldChanges } from './retention.ts';

interface GameChange {
  at: string;
  properties: { name: string; before: string | null; after: string }[];
  has_more: boolean;
  added_tag: string | null;
  removed_tag: string | null;
}

let server: TestServer;
let client: MergeClient;
let token: string;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());
beforeEach(async () => {
  client = await makeMergeClient(server);
  ({ token } = await server.makeAccount({ game_id: client.game.game_id, role: 'viewer' }));
});

const list = async (player_id = 'p', query = ''): Promise<GameChange[]> => {
  const path = `/v1/games/${client.game.game_id}/players/${player_id}/story`;
  const { body, text } = await server.request('GET', `${path}?kind=game_change&limit=200${query}`, {
    token,
  });
  assert.ok(body.entries, text);
  return body.entries;
};
const untag = (tag: string) => client.call('DELETE', `/v1/players/p/tags/${tag}`);
const describe = ({ properties, has_more, added_tag, removed_tag }: GameChange) => {
  if (added_tag !== null) return `+${added_tag}`;
  if (removed_tag !== null) return `-${removed_tag}`;
  const words = properties.map((each) => `${each.name} ${each.before} ${each.after}`);
  return [...words, ...(has_more ? ['more'] : [])].join(', ');
};
const words = async () => (await list()).map(describe);

test('only properties and tags that the game changes are shown, with their earlier values', async () => {
  await client.identify('p', { level: 3, gone: null });
  assert.deepEqual(await words(), []);
  await client.identify('p', { level: 4, name: 'Ada', gone: null });
  await client.identify('p', { level: 4 });
  for (const tag of ['vip', 'vip', 'beta']) await client.tag('p', tag);
  await untag('vip');
  await untag('vip');
  await client.identify('p', { name: { first: 'Ada' }, id: 9_007_199_254_740_993n.toString() });
  assert.deepEqual(await words(), [
    'id null "9007199254740993", name "Ada" {"first": "Ada"}',
    '-vip',
    '+beta',
    '+vip',
    'name null "Ada", level 3 4',
  ]);
});

test('a change lists at most six properties, and cuts long names and values', async () => {
  await client.identify('p');
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`k${index}`, index]));
  await client.identify('p', many);
  await client.identify('p', { ['ä'.repeat(60)]: '😀'.repeat(500), [`quote"`]: '"'.repeat(200) });
  await client.identify('p', { large: 'x'.repeat(60_000) });
  const [large, long, first] = await list();
  assert.deepEqual([large!.properties, large!.has_more], [[], true]);
  assert.deepEqual([first!.properties.length, first!.has_more], [6, true]);
  assert.equal(long!.has_more, false);
  assert.deepEqual(
    long!.properties.map(({ name, after: value }) => [name, [...value].length]).toSorted(),
    [
      [`quote"`, 25],
      [`${'ä'.repeat(24)}…`, 25],
    ],
  );
  const { bytes } = (await server.database.queryOne<{ bytes: number }>(sql`
    SELECT max(octet_length(properties::text)) AS bytes FROM player_changes
    WHERE game_id = ${client.game.game_id}`))!;
  assert.ok(bytes < 2_000, `${bytes} bytes`);
});

test('the last hundred changes of a player stay on record', async () => {
  for (let level = 0; level <= 205; level++) await client.identify('p', { level });
  const changes = await list();
  assert.equal(changes.length, 100);
  assert.deepEqual(
    [changes[0], changes[99]].map((change) => describe(change!)),
    ['level 204 205', 'level 105 106'],
  );
  const moment = changes[49]!.at;
  const earlier = await list('p', `&before=${moment}`);
  assert.ok(earlier.length >= 45 && earlier.length <= 51, `${earlier.length}`);
});

test('properties and tags that change at the same time are all on record', async () => {
  await client.identify('p', { level: 0 });
  const path = '/v1/players/p/tags';
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => [
      client.identify('p', { [`k${index}`]: index }),
      client.call('POST', path, { tag: `t${index}` }),
    ]).flat(),
  );
  const changes = await list();
  assert.equal(changes.length, 40);
  assert.equal(new Set(changes.map(({ added_tag }) => added_tag)).size, 21);
});

test('the last hundred changes stay on record, those before and after a merge together', async () => {
  for (const player_id of ['p', 'guest']) {
    for (let level = 0; level <= 60; level++) await client.identify(player_id, { level });
  }
  const merged = await client.merge('p', { from_player_id: 'guest' });
  assert.equal(merged.status, 200, merged.text);
  assert.equal((await list()).length, 100);
  for (let level = 61; level <= 63; level++) await client.identify('p', { level });
  const shown = await words();
  assert.equal(shown.length, 100);
  assert.deepEqual(shown.slice(0, 4), ['level 62 63', 'level 61 62', 'level 60 61', 'level 59 60']);
  assert.equal(shown.filter((each) => each === 'level 59 60').length, 2);
});

test('an export contains the changes, and an erasure deletes them', async () => {
  const { game_id } = client.game;
  const owner = await server.makeAccount({ game_id });
  const send = (method: string, more = '') =>
    server.request(method, `/v1/games/${game_id}/players/p${more}`, { token: owner.token });
  for (const level of [1, 2]) await client.identify('p', { level });
  const [change] = (await send('GET', '/export')).body.changes_by_game;
  assert.deepEqual(change.changed_properties, [['level', '1', '2']]);
  assert.equal((await send('DELETE')).status, 204);
  await client.identify('p', { level: 7 });
  assert.deepEqual(await list(), []);
});

test('changes are deleted at the same age as events, even if the player no longer plays', async () => {
  for (const player_id of ['p', 'quiet']) {
    for (let level = 0; level < 4; level++) await client.identify(player_id, { level });
  }
  await server.database.execute(sql`
    UPDATE player_changes SET changed_at = now() - interval '40 days'
    WHERE game_id = ${client.game.game_id} AND (player_id = 'quiet' OR number = 1)`);
  await deleteOldChanges(server.database.ofGame(client.game.game_id), 30);
  assert.deepEqual(await words(), ['level 2 3', 'level 1 2']);
  assert.deepEqual(await list('quiet'), []);
});
