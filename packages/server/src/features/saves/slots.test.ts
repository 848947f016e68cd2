import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { useTwoServers } from '../../../test/two-servers.ts';
import type { TestGame } from '../../../test/harness.ts';
import { refuseOnce } from '../../../test/refusal.ts';
import { sql } from '../../platform/database/sql.ts';
import { makeSaveBatches } from './test/saved-batch.ts';

/** Tests of saves in several slots of a player, with two nodes on one database. */

const nodes = useTwoServers();
let game: TestGame;
let key: string;
let token: string;

before(async () => {
  game = await nodes[0].makeGame();
  key = game.production_key;
  ({ token } = await nodes[0].makeAccount({ game_id: game.game_id }));
});

let players = 0;
const makePlayer = () => `player-${++players}`;

const put = (player_id: string, slot: unknown, data: object, version?: number, node = 0) =>
  nodes[node]!.request('PUT', '/v1/saves', { key, body: { player_id, slot, data, version } });
const pathOf = (player_id: string, slot?: string) =>
  `/v1/saves?player_id=${player_id}${slot === undefined ? '' : `&slot=${encodeURIComponent(slot)}`}`;
const get = (player_id: string, slot?: string) =>
  nodes[1].request('GET', pathOf(player_id, slot), { key });
const remove = (player_id: string, slot?: string) =>
  nodes[0].request('DELETE', pathOf(player_id, slot), { key });
const list = async (player_id: string) =>
  (await nodes[1].request('GET', `/v1/saves/slots?player_id=${player_id}`, { key })).body.slots;
const dashboard = (method: string, player_id: string, path: string) =>
  nodes[0].request(method, `/v1/games/${game.game_id}/players/${player_id}${path}`, { token });

test('a request without a slot is about the slot `main`', async () => {
  const player_id = makePlayer();
  await put(player_id, undefined, { n: 1 });
  assert.deepEqual((await get(player_id, 'main')).body.data, { n: 1 });
  assert.equal((await put(player_id, 'main', { n: 2 }, 1)).body.version, 2);
  assert.deepEqual((await get(player_id)).body.data, { n: 2 });
  assert.equal((await remove(player_id, 'main')).status, 204);
  assert.equal((await get(player_id)).status, 404);
});

test('each slot has versions, conflicts and deletions of its own', async () => {
  const player_id = makePlayer();
  for (const slot of ['a', 'b']) await put(player_id, slot, { in: slot });
  assert.equal((await put(player_id, 'a', { in: 'a again' }, 1)).body.version, 2);
  assert.equal((await get(player_id)).status, 404);
  const conflict = await put(player_id, 'b', {}, 2);
  assert.deepEqual(
    [conflict.status, conflict.body.server_version, conflict.body.server_data],
    [409, 1, { in: 'b' }],
  );
  assert.equal((await remove(player_id, 'a')).status, 204);
  assert.equal((await remove(player_id, 'a')).status, 404);
  assert.deepEqual((await get(player_id, 'b')).body.data, { in: 'b' });
  assert.equal((await put(player_id, 'a', {})).body.version, 3);
});

test('a batch with saves to many slots stores each save in its own slot', async () => {
  const player_id = makePlayer();
  const slots = Array.from({ length: 40 }, (_, index) => `slot ${index % 20}`);
  const answers = await Promise.all(slots.map((slot, index) => put(player_id, slot, { index })));
  for (const slot of new Set(slots)) {
    const { body } = await get(player_id, slot);
    assert.equal(body.version, 2);
    assert.equal(slots[body.data.index], slot);
  }
  assert.ok(answers.every(({ status }) => status === 200));
});

test('slots are listed with version, time and size, `main` first, without deleted slots', async () => {
  const player_id = makePlayer();
  assert.deepEqual(await list(player_id), []);
  for (const slot of ['b', 'main', 'ä', 'gone']) await put(player_id, slot, { in: slot });
  const { body } = await put(player_id, 'b', { in: 'bb' });
  await remove(player_id, 'gone');
  const slots = await list(player_id);
  assert.deepEqual(
    slots.map(({ slot }: { slot: string }) => slot),
    ['main', 'b', 'ä'],
  );
  const { updated_at } = body;
  assert.deepEqual(slots[1], { slot: 'b', version: 2, updated_at, size_bytes: 11 });
});

test('a name of 1 to 64 characters is a slot; other names are refused', async () => {
  const player_id = makePlayer();
  for (const slot of ['x'.repeat(64), '😀'.repeat(64), '%2F/..?&#', ' ', '0']) {
    assert.equal((await put(player_id, slot, { slot })).status, 200, slot);
    assert.deepEqual((await get(player_id, slot)).body.data, { slot });
  }
  const refused: [unknown, string][] = [
    ['', 'slot must not be empty'],
    ['x'.repeat(65), 'slot must have at most 64 characters'],
    ['a\0b', 'slot must not contain \\u0000'],
    [7, 'slot must be a string'],
    [null, 'slot must be a string'],
  ];
  for (const [slot, error] of refused) {
    const answer = await put(player_id, slot, {});
    assert.deepEqual([answer.status, answer.body], [400, { error }]);
  }
  const twice = await nodes[0].request('GET', `${pathOf(player_id, 'a')}&slot=b`, { key });
  assert.deepEqual([twice.status, twice.body], [400, { error: 'slot must be given once' }]);
});

test('a player has at most 50 slots besides `main`, even after many concurrent requests', async () => {
  const player_id = makePlayer();
  const answers = await Promise.all(
    Array.from({ length: 70 }, (_, index) =>
      put(player_id, `slot-${index}`, {}, undefined, index % 2),
    ),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  assert.equal(refused.length, 20);
  for (const { status, body } of refused) {
    assert.equal(status, 403);
    assert.deepEqual(
      [body.code, body.resource, body.limit, body.used],
      ['LIMIT_REACHED', 'save_slots', 50, 50],
    );
    assert.match(body.error, /^The player has 50 save slots besides main/);
  }
  assert.equal((await list(player_id)).length, 50);
  const used = `slot-${answers.findIndex(({ status }) => status === 200)}`;
  assert.equal((await put(player_id, 'main', {})).status, 200);
  assert.equal((await put(player_id, used, {})).body.version, 2);

  await remove(player_id, used);
  assert.equal((await put(player_id, 'new', {})).status, 403, 'a deleted slot counts');
  await nodes[0].database.ofGame(game.game_id).execute(sql`
    UPDATE saves SET deleted_at = now() - interval '31 days'
    WHERE player_id = ${player_id} AND slot = ${used}`);
  assert.equal((await put(player_id, 'new', {})).status, 200, 'it gives way after 30 days');
  assert.equal((await put(player_id, 'newer', {})).status, 403);
  const { body } = await dashboard('GET', player_id, '/save-slots');
  const names = body.slots.map(({ slot }: { slot: string }) => slot);
  assert.deepEqual([names.length, names.includes(used)], [51, false]);
});

test('the dashboard lists slots, even deleted ones, and restores their versions', async () => {
  const player_id = makePlayer();
  await put(player_id, 'a b', { n: 1 });
  await put(player_id, 'a b', { n: 2 });
  await remove(player_id, 'a b');
  const slots = await dashboard('GET', player_id, '/save-slots');
  assert.equal(slots.body.slots.length, 1);
  assert.ok(slots.body.slots[0].deleted_at);
  assert.deepEqual((await dashboard('GET', player_id, '/saves')).body.saves, []);
  const kept = await dashboard('GET', player_id, '/saves?slot=a%20b');
  assert.equal(kept.body.saves.length, 2);
  assert.equal((await dashboard('GET', player_id, '/saves/1')).status, 404);
  assert.deepEqual((await dashboard('GET', player_id, '/saves/1?slot=a%20b')).body.data, { n: 1 });
  const restored = await dashboard('POST', player_id, '/saves/1/restore?slot=a%20b');
  assert.deepEqual([restored.status, restored.body.version], [201, 3]);
  assert.deepEqual((await get(player_id, 'a b')).body.data, { n: 1 });
  const unknown = await dashboard('GET', 'nobody', '/save-slots');
  assert.deepEqual([unknown.status, unknown.body], [404, { error: 'Player not found' }]);
});

test('the export of a player has the saves of all slots, and the erasure leaves none', async () => {
  const player_id = makePlayer();
  for (const slot of ['main', 'a']) await put(player_id, slot, { in: slot });
  const { body } = await dashboard('GET', player_id, '/export');
  assert.deepEqual(
    body.saves.map(({ slot, data }: { slot: string; data: { in: string } }) => [slot, data.in]),
    [
      ['a', 'a'],
      ['main', 'main'],
    ],
  );
  assert.equal((await dashboard('DELETE', player_id, '')).status, 204);
  assert.deepEqual(await list(player_id), []);
  const left = await nodes[0].database.ofGame(game.game_id).query(sql`
    SELECT FROM saves WHERE player_id = ${player_id}
    UNION ALL SELECT FROM save_versions WHERE player_id = ${player_id}`);
  assert.equal(left.length, 0);
});

test('when PostgreSQL refuses a new slot, the slot is stored later, and the rest of its batch once', async () => {
  await refuseOnce(nodes[0].database.ofGame(game.game_id), sql`saves`, sql`NEW.slot = 'refused'`);
  const inOneBatch = await makeSaveBatches(nodes[0], game);
  const player_id = makePlayer();
  for (const slot of ['main', 'b']) await put(player_id, slot, {});
  const answers = await inOneBatch(() => [
    remove(player_id, 'main'),
    put(player_id, 'b', {}),
    put(player_id, 'refused', {}),
  ]);
  const [deleted, b, added] = await Promise.all(answers);
  assert.deepEqual([deleted!.status, b!.body.version, added!.body.version], [204, 2, 1]);
  assert.equal((await get(player_id, 'b')).body.version, 2);
  assert.equal((await get(player_id, 'refused')).body.version, 1);
});
