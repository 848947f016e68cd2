import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { waitForLock } from '../../../../test/wait-for-lock.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { getLimitUses } from '../../../platform/limits/use-store.ts';
import { sql } from '../../../platform/database/sql.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

async function makeGame() {
  const { game_id, production_key: key } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id, role: 'admin' });
  const of = (path: string) => `/v1/games/${game_id}/${path}`;
  const send = (method: string, path: string, body?: unknown, by = server) =>
    by.request(method, of(path), { token, body });
  const submit = (player_id: string) =>
    server.request('POST', '/v1/leaderboards', {
      key,
      body: { board_name: 'all', player_id, score: player_id.length },
    });
  return {
    game_id,
    key,
    send,
    submit,
    insertPlayers: (count: number) =>
      server.database.ofGame(game_id).execute(sql`
        INSERT INTO players (game_id, environment, player_id)
        SELECT ${game_id}, 'production', 'invented ' || number
        FROM generate_series(1, ${count}::integer) AS number`),
    ids: async () => {
      const { body } = await send('GET', 'players?sort=player_id&limit=200');
      return body.players.map(({ player_id }: { player_id: string }) => player_id);
    },
    waitForEnd: (by = server) =>
      waitUntil('the deletion has ended', async () => {
        const { body } = await send('GET', 'player-deletion', undefined, by);
        return body.deletion.state === 'ended';
      }),
  };
}

test('all players of a search are deleted with their data, in one entry of the audit log', async () => {
  const { game_id, key, send, submit, ids, waitForEnd } = await makeGame();
  const invented = Array.from({ length: 12 }, (_, index) => `x-${index}`);
  for (const id of [...invented, 'honest']) assert.equal((await submit(id)).status, 201);
  const save = { player_id: 'x-3', data: { gold: 1 } };
  await server.request('PUT', '/v1/saves', { key, body: save });
  assert.deepEqual((await send('GET', 'player-deletion')).body, { deletion: null });

  const counted = await send('GET', 'player-count?prefix=x-&without=login');
  assert.equal(counted.body.player_count, 12);
  const { first_seen_before } = counted.body;
  const query = new URLSearchParams({ prefix: 'x-', without: 'login', first_seen_before });
  await submit('x-new');
  const begun = await send('POST', `player-deletion?${query}`, { player_count: 12 });
  assert.equal(begun.status, 201);
  assert.deepEqual([begun.body.state, begun.body.player_count], ['running', 12]);
  await waitForEnd();

  const { deletion } = (await send('GET', 'player-deletion')).body;
  assert.equal(deletion.deleted_count, 12);
  assert.deepEqual(await ids(), ['honest', 'x-new']);
  const board = await server.request('GET', '/v1/leaderboards/all', { key });
  assert.deepEqual(
    board.body.entries.map(({ player_id, rank }: { player_id: string; rank: number }) => [
      rank,
      player_id,
    ]),
    [
      [1, 'honest'],
      [2, 'x-new'],
    ],
  );
  const saves = await server.request('GET', '/v1/saves?player_id=x-3', { key });
  assert.equal(saves.status, 404);
  const { audit_log } = (await send('GET', 'audit-log')).body;
  const [entry] = audit_log;
  assert.equal(entry.action, 'delete_players');
  assert.deepEqual(entry.details, {
    environment: 'production',
    prefix: 'x-',
    without: ['login'],
    first_seen_before,
    player_count: 12,
  });
  assert.equal(
    audit_log.filter(({ action }: { action: string }) => action === 'delete_player').length,
    0,
  );
  await waitUntil('the limit has room again', async () => {
    const { players } = await getLimitUses(server.database.ofGame(game_id), game_id);
    return players.used === 2;
  });
});

test('nothing is deleted when more players match than were confirmed, and a condition is checked first', async () => {
  const { send, ids, insertPlayers } = await makeGame();
  await insertPlayers(3);
  const refused = await send('POST', 'player-deletion?prefix=invented', { player_count: 2 });
  assert.equal(refused.status, 409);
  assert.deepEqual(refused.body, {
    error: '3 players meet the conditions, more than 2',
    player_count: 3,
  });
  const wrong = await send('POST', 'player-deletion?filter=1', { player_count: 3 });
  assert.equal(wrong.status, 400);
  assert.deepEqual((await send('GET', 'player-deletion')).body, { deletion: null });
  assert.equal((await ids()).length, 3);
  assert.equal((await send('DELETE', 'player-deletion')).status, 404);
});

test('a deletion can be stopped, and only one runs in an environment', async () => {
  const { send, ids, insertPlayers, waitForEnd } = await makeGame();
  await insertPlayers(150);
  const path = 'player-deletion?prefix=invented';
  assert.equal((await send('POST', path, { player_count: 150 })).status, 201);
  const second = await send('POST', path, { player_count: 150 });
  assert.equal(second.status, 409);
  assert.match(second.body.error, /^A deletion of players runs/);
  await waitUntil('some are deleted', async () => (await ids()).length < 150);
  assert.equal((await send('DELETE', 'player-deletion')).status, 204);
  const { deletion } = (await send('GET', 'player-deletion')).body;
  assert.equal(deletion.state, 'ended');
  const left = await ids();
  assert.equal(left.length, 150 - deletion.deleted_count);
  assert.ok(left.length > 0);

  const again = await send('POST', path, { player_count: left.length });
  assert.equal(again.body.deleted_count, 0);
  await send('DELETE', 'player-deletion');
  await waitForEnd();
});

test('after the server ends, another goes on with the deletion and counts no player twice', async () => {
  const { game_id, send, ids, insertPlayers, waitForEnd } = await makeGame();
  await insertPlayers(20);
  {
    await using first = await startTestServer({ database_url: server.database_url });
    await send('POST', 'player-deletion?prefix=invented', { player_count: 20 }, first);
    await waitUntil('some are deleted', async () => (await ids()).length < 20);
  }
  // The next step is due at once, as if the time of the first server were over.
  await server.database.execute(sql`
    UPDATE player_deletions SET next_step_at = now() WHERE game_id = ${game_id}`);
  await waitForEnd();
  assert.deepEqual(await ids(), []);
  assert.equal((await send('GET', 'player-deletion')).body.deletion.deleted_count, 20);
});

test('a player who meets the conditions no longer stays, also if chosen already', async () => {
  const { game_id, key, send, submit, ids, waitForEnd } = await makeGame();
  for (const id of ['first', 'second']) await submit(id);
  await server.database.ofGame(game_id).transaction(async (tx) => {
    await tx.execute(sql`
      SELECT FROM players WHERE game_id = ${game_id} AND player_id = 'first' FOR UPDATE`);
    await send('POST', 'player-deletion?without=login', { player_count: 2 });
    await waitForLock(server.database);
    const body = {
      provider: 'device',
      device_id: randomUUID(),
      secret: randomUUID(),
      player_id: 'second',
    };
    assert.equal((await server.request('POST', '/v1/players/login', { key, body })).status, 201);
  });
  await waitForEnd();
  assert.deepEqual(await ids(), ['second']);
});
