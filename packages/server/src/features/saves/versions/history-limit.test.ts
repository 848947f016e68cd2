import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import { countRows, readCounters } from '../../../../test/limits/limit-counts.ts';
import { useTwoServers } from '../../../../test/two-servers.ts';
import { makeGate } from '../../../../test/gate.ts';
import { waitForLocks } from '../../../../test/wait-for-lock.ts';
import { sql } from '../../../platform/database/sql.ts';

/**
 * Tests the limit on the size of a player's history. The history has the old versions of all slots, but not
 * the last ten versions of each slot. To let time pass, the tests make rows older.
 */

const nodes = useTwoServers({ env: { SAVE_HISTORY_KB: '3' } });
const DATA = { text: 'x'.repeat(1_000) };
/** The number of versions that fit into 3 KB. */
const ROOM = 3;

let server: TestServer;
let game: TestGame;
before(async () => {
  [server] = nodes;
  game = await server.makeGame();
});

interface Player {
  player_id: string;
}

const newPlayer = (): Player => ({ player_id: randomUUID() });
const isOfPlayer = ({ player_id }: Player) =>
  sql`game_id = ${game.game_id} AND environment = 'production' AND player_id = ${player_id}`;

async function passHours(player: Player, hours: number): Promise<void> {
  for (const table of [sql`saves`, sql`save_versions`, sql`older_save_versions`]) {
    await server.database.execute(sql`
      UPDATE ${table}
      SET saved_at = (saved_at AT TIME ZONE 'UTC' - ${hours}::integer * interval '1 hour') AT TIME ZONE 'UTC'
      WHERE ${isOfPlayer(player)}`);
  }
}

async function save(
  { player_id }: Player,
  slot: string,
  node = server,
  data: object = DATA,
): Promise<void> {
  const { status, text } = await node.request('PUT', '/v1/saves', {
    key: game.production_key,
    body: { player_id, slot, data },
  });
  assert.equal(status, 200, text);
}

/** Gives each slot ten versions, one per hour. The next save to a slot moves a version into the history. */
async function fillSlots(player: Player, slots: readonly string[]): Promise<void> {
  for (let version = 1; version <= 10; version++) {
    for (const slot of slots) await save(player, slot);
    await passHours(player, 1);
  }
}

const listOlder = (player: Player) =>
  server.database.query<{ slot: string; version: number }>(sql`
    SELECT slot, version FROM older_save_versions
    WHERE ${isOfPlayer(player)} ORDER BY slot, version`);

test('the limit counts the history of all slots, but not the last ten versions of each slot', async () => {
  const player = newPlayer();
  await fillSlots(player, ['a', 'b']);
  for (let hour = 0; hour < 4; hour++) {
    for (const slot of ['a', 'b']) await save(player, slot);
    await passHours(player, 1);
  }
  const older = await listOlder(player);
  assert.equal(older.length, ROOM);
  for (const slot of ['a', 'b']) {
    const newest = older.findLast((version) => version.slot === slot);
    assert.equal(newest?.version, 4, 'the newest one of each slot is kept');
  }
  const recent = await server.database.query<{ slot: string; count: number }>(sql`
    SELECT slot, count(*) FROM save_versions WHERE ${isOfPlayer(player)}
    GROUP BY slot ORDER BY slot`);
  assert.deepEqual(recent, [
    { slot: 'a', count: 10 },
    { slot: 'b', count: 10 },
  ]);
  const { game_id } = game;
  assert.deepEqual(
    await readCounters(server.database, game_id),
    await countRows(server.database, game_id),
  );
});

test('concurrent saves to many slots, on two servers, keep the history within its limit', async () => {
  const player = newPlayer();
  const slots = ['a', 'b', 'c', 'd', 'e', 'f'];
  await fillSlots(player, slots);
  for (let round = 0; round < 4; round++) {
    await Promise.all(slots.map((slot, index) => save(player, slot, nodes[index % 2])));
    assert.equal((await listOlder(player)).length, ROOM);
    await passHours(player, 1);
  }
});

test('a save to one slot also counts the version that a concurrent save to another slot adds to the history', async () => {
  const player = newPlayer();
  await fillSlots(player, ['a', 'b']);
  for (let hour = 0; hour < 3; hour++) {
    await save(player, 'a');
    await passHours(player, 1);
  }
  // Both saves have moved a version into the history before either of them limits it.
  const gate = await makeGate(server.database, sql`older_save_versions`);
  const saved = await gate.close(async () => {
    const both = [save(player, 'a', nodes[0]), save(player, 'b', nodes[1])];
    await waitForLocks(server.database, 2);
    return both;
  });
  await Promise.all(saved);
  assert.equal((await listOlder(player)).length, ROOM);
});

test('within the limit, versions of the newest hours and of days before them are kept', async () => {
  const player = newPlayer();
  // Seven versions fit into 3 KB.
  const data = { text: 'x'.repeat(400) };
  for (let version = 1; version <= 32; version++) {
    await passHours(player, version <= 20 ? 24 : 1);
    await save(player, 'a', server, data);
  }
  const older = (await listOlder(player)).map(({ version }) => version);
  assert.equal(older.length, 7);
  assert.equal(older.at(-1), 22, 'the newest hour');
  assert.ok(older[0]! < 20, `a day is kept besides hours: ${older}`);
});

test('versions that are too old to be kept are deleted before other versions', async () => {
  const player = newPlayer();
  await fillSlots(player, ['a', 'b']);
  for (let hour = 0; hour < 3; hour++) {
    await save(player, 'a');
    await passHours(player, 1);
  }
  assert.equal((await listOlder(player)).length, ROOM);
  await server.database.execute(sql`
    UPDATE older_save_versions SET saved_at = (saved_at AT TIME ZONE 'UTC' - interval '40 days') AT TIME ZONE 'UTC'
    WHERE ${isOfPlayer(player)}`);
  await save(player, 'b');
  const older = await listOlder(player);
  assert.deepEqual([older.length, older.at(-1)], [ROOM, { slot: 'b', version: 1 }]);
});

test('the newest version in the history of a slot stays even if another slot has newer ones', async () => {
  const player = newPlayer();
  await fillSlots(player, ['a', 'b']);
  await save(player, 'b');
  for (let hour = 0; hour < 4; hour++) {
    await save(player, 'a');
    await passHours(player, 1);
  }
  const older = await listOlder(player);
  assert.equal(older.length, ROOM);
  assert.deepEqual(older.slice(-2), [
    { slot: 'a', version: 4 },
    { slot: 'b', version: 1 },
  ]);
});

test('a restore keeps the history of the player within the limit too', async () => {
  const player = newPlayer();
  const { token } = await server.makeAccount({ game_id: game.game_id });
  await fillSlots(player, ['a']);
  const path = `/v1/games/${game.game_id}/players/${player.player_id}/saves`;
  for (let version = 1; version <= 5; version++) {
    const restored = await server.request('POST', `${path}/${version + 8}/restore?slot=a`, {
      token,
    });
    assert.equal(restored.status, 201, restored.text);
    await passHours(player, 1);
  }
  assert.equal((await listOlder(player)).length, ROOM);
});
