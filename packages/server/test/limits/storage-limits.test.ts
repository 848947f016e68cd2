import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TIERS } from '@overworld/contract/tiers';
import { startTestServer } from '../harness.ts';
import type { TestGame, TestServer } from '../harness.ts';
import type { TestAnswer } from '../test-request.ts';
import { countRows, readCounters } from './limit-counts.ts';
import { assertReached, inParallel, makeLimitedGame, statuses, submit } from './limited-game.ts';
import { makeDevice } from '../../src/features/player-logins/test/login-game.ts';
import { waitUntil } from '../wait-until.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const identify = ({ production_key: key }: TestGame, player_id: string, on = server) =>
  on.request('POST', '/v1/identify', { key, body: { player_id, properties: { a: 1 } } });

const save = ({ production_key: key }: TestGame, player_id: string, bytes: number) =>
  server.request('PUT', '/v1/saves', {
    key,
    body: { player_id, data: { text: 'x'.repeat(bytes - '{"text":""}'.length) } },
  });

describe('a game at its limit of players', () => {
  test('refuses every write of a new player, and accepts all writes of known players', async () => {
    const game = await makeLimitedGame(server, { players: 1 });
    const { production_key: key, token, game_id } = game;
    await server.request('POST', `/v1/games/${game_id}/achievements`, {
      token,
      body: { key: 'first', name: 'First' },
    });
    const writes = (player_id: string) => [
      () => identify(game, player_id),
      () => server.request('POST', `/v1/players/${player_id}/tags`, { key, body: { tag: 't' } }),
      () => save(game, player_id, 20),
      () => submit(server, game, player_id),
      () =>
        server.request('POST', '/v1/achievements/unlock', {
          key,
          body: { player_id, achievement_key: 'first' },
        }),
    ];
    for (const write of writes('known')) {
      const { status, text } = await write();
      assert.ok(status < 300, text);
    }
    for (const write of writes('new')) assertReached(await write(), 'players', 1);
    for (const write of writes('known')) assert.ok((await write()).status < 300);
    assert.deepEqual(await countRows(server.database, game_id), {
      players: 1,
      save_bytes: 40,
      leaderboard_entries: 1,
      ledger_rows: 0,
    });
  });

  test('accepts events of new players, who count from the first other call that names them', async () => {
    const game = await makeLimitedGame(server, { players: 2 });
    const { production_key: key, token, game_id } = game;
    await identify(game, 'first');
    const body = ['second', 'third'].map((player_id) => ({
      event_name: 'e',
      session_id: 's',
      player_id,
    }));
    assert.equal((await server.request('POST', '/v1/track', { key, body })).status, 202);
    const used = async () =>
      (await server.request('GET', `/v1/games/${game_id}/usage`, { token })).body.limits.players;
    assert.deepEqual(await used(), { used: 1, limit: 2 });
    assert.equal((await identify(game, 'second')).status, 200);
    assert.deepEqual(await used(), { used: 2, limit: 2 });
    assertReached(await identify(game, 'third'), 'players', 2);
    assert.equal((await identify(game, 'second')).status, 200);
  });

  test('counts a player of events from any other call, and an erased one no longer', async () => {
    const game = await makeLimitedGame(server, {});
    const { production_key: key, token, game_id } = game;
    const path = `/v1/games/${game_id}`;
    await server.request('POST', `${path}/achievements`, {
      token,
      body: { key: 'first', name: 'First' },
    });
    const device = makeDevice();
    const calls: Record<string, (player_id: string) => Promise<TestAnswer>> = {
      identify: (player_id) => identify(game, player_id),
      tag: (player_id) =>
        server.request('POST', `/v1/players/${player_id}/tags`, { key, body: { tag: 't' } }),
      save: (player_id) => save(game, player_id, 20),
      submit: (player_id) => submit(server, game, player_id),
      unlock: (player_id) =>
        server.request('POST', '/v1/achievements/unlock', {
          key,
          body: { player_id, achievement_key: 'first' },
        }),
      log_in: (player_id) =>
        server.request('POST', '/v1/players/login', {
          key,
          body: { ...device, player_id },
        }),
    };
    const names = [...Object.keys(calls), 'nothing'];
    const body = names.map((player_id) => ({ event_name: 'e', session_id: 's', player_id }));
    await server.request('POST', '/v1/track', { key, body });
    const used = async () =>
      (await server.request('GET', `${path}/usage`, { token })).body.limits.players.used;
    assert.equal(await used(), 0);
    let count = 0;
    for (const [name, call] of Object.entries(calls)) {
      const { status, text } = await call(name);
      assert.ok(status < 300, text);
      assert.equal(await used(), ++count, name);
      await call(name);
      assert.equal(await used(), count, `${name} again`);
    }
    for (const name of ['nothing', 'save']) {
      const erased = await server.request('DELETE', `${path}/players/${name}`, { token });
      assert.equal(erased.status, 204);
    }
    assert.equal(await used(), count - 1);
  });

  test('has room again after an erasure', async () => {
    const game = await makeLimitedGame(server, { players: 1, save_bytes: 100 });
    await save(game, 'first', 100);
    assertReached(await identify(game, 'second'), 'players', 1);
    const path = `/v1/games/${game.game_id}/players/first`;
    assert.equal((await server.request('DELETE', path, { token: game.token })).status, 204);
    assert.equal((await save(game, 'second', 100)).status, 200);
  });

  test('never exceeds the limit under simultaneous requests', async () => {
    const game = await makeLimitedGame(server, { players: 20 });
    const answers = await inParallel(60, (index) => identify(game, `p${index}`));
    assert.ok(statuses(answers)[200]! <= 20);
    for (let index = 100; index < 130; index++) await identify(game, `p${index}`);
    assert.equal((await countRows(server.database, game.game_id)).players, 20);
    assertReached(await identify(game, 'one too many'), 'players', 20);
  });

  test('exceeds the limit at most by the writes that another server has accepted meanwhile', async () => {
    const game = await makeLimitedGame(server, { players: 20 });
    await using second = await startTestServer({ database_url: server.database_url });
    statuses(
      await inParallel(60, (index) => identify(game, `p${index}`, index % 2 ? server : second)),
    );
    for (const on of [server, second]) {
      for (let index = 100; index < 120; index++) await identify(game, `p${index}`, on);
      const { players } = await countRows(server.database, game.game_id);
      assert.ok(players >= 20 && players <= 40, String(players));
      assertReached(await identify(game, 'another', on), 'players', 20, players);
    }
  });
});

describe('a game at its limit for the total size of saves', () => {
  test('accepts a save that is no larger than the last save, but does not keep the last save as an old version', async () => {
    const game = await makeLimitedGame(server, { save_bytes: 250 });
    const { production_key: key, token, game_id } = game;
    for (const bytes of [60, 80, 100]) assert.equal((await save(game, 'p', bytes)).status, 200);
    const refused = await save(game, 'p', 101);
    assertReached(refused, 'save_bytes', 250, 240);
    assertReached(await save(game, 'another', 20), 'save_bytes', 250, 240);
    const stored = await save(game, 'p', 100);
    assert.deepEqual([stored.status, stored.body.version], [200, 4]);
    assert.equal((await save(game, 'p', 50)).body.version, 5);
    const path = `/v1/games/${game_id}/players/p/saves`;
    const { body } = await server.request('GET', path, { token });
    assert.deepEqual(
      body.saves.map(({ version }: { version: number }) => version),
      [5, 2, 1],
    );
    const read = await server.request('GET', '/v1/saves?player_id=p', { key });
    assert.equal(read.body.version, 5);
    const none = await server.request('GET', '/v1/saves?player_id=another', { key });
    assert.equal(none.status, 404);
    assert.equal((await countRows(server.database, game_id)).players, 1);
  });

  test('answers a version conflict before it checks the limit, and accepts a save after a deletion', async () => {
    const game = await makeLimitedGame(server, { save_bytes: 50 });
    const { production_key: key } = game;
    await save(game, 'p', 50);
    const body = { player_id: 'p', data: { text: 'x'.repeat(100) }, version: 7 };
    assert.equal((await server.request('PUT', '/v1/saves', { key, body })).status, 409);
    const path = '/v1/saves?player_id=p';
    assert.equal((await server.request('DELETE', path, { key })).status, 204);
    assertReached(await save(game, 'p', 51), 'save_bytes', 50);
    const again = await save(game, 'p', 50);
    assert.deepEqual([again.status, again.body.version], [200, 2]);
  });

  test('restores only a version that is no larger than the current save', async () => {
    const game = await makeLimitedGame(server, { save_bytes: 180 });
    for (const bytes of [100, 20, 50]) await save(game, 'p', bytes);
    const restore = (version: number) =>
      server.request('POST', `/v1/games/${game.game_id}/players/p/saves/${version}/restore`, {
        token: game.token,
      });
    assertReached(await restore(1), 'save_bytes', 180, 170);
    const restored = await restore(2);
    assert.deepEqual([restored.status, restored.body.size_bytes], [201, 20]);
    const { save_bytes } = await countRows(server.database, game.game_id);
    assert.equal(save_bytes, 140);
  });

  test('counts all bytes of a restored version, including its white space', async () => {
    const game = await makeLimitedGame(server, { save_bytes: 300_000 });
    const body = `{"player_id":"p","data":{${' '.repeat(149_998)}}}`;
    const large = await server.request('PUT', '/v1/saves', { key: game.production_key, body });
    assert.equal(large.status, 200);
    await save(game, 'p', 20);
    const path = `/v1/games/${game.game_id}/players/p/saves/1/restore`;
    const restored = await server.request('POST', path, { token: game.token });
    assertReached(restored, 'save_bytes', 300_000, 150_020);
  });

  test('never exceeds the limit under simultaneous requests', async () => {
    const game = await makeLimitedGame(server, { save_bytes: 5_000 });
    statuses(await inParallel(100, (index) => save(game, `p${index % 40}`, 100 + (index % 7))));
    const { save_bytes } = await countRows(server.database, game.game_id);
    assert.ok(save_bytes > 0 && save_bytes <= 5_000, String(save_bytes));
    assert.deepEqual(
      await readCounters(server.database, game.game_id),
      await countRows(server.database, game.game_id),
    );
  });
});

test('a game at its limit of entries accepts better scores for existing entries', async () => {
  const game = await makeLimitedGame(server, { leaderboard_entries: 2 });
  await submit(server, game, 'p', 'b', 1);
  await submit(server, game, 'q', 'b', 1);
  assertReached(await submit(server, game, 'r', 'b', 9), 'leaderboard_entries', 2);
  assertReached(await submit(server, game, 'p', 'other', 1), 'leaderboard_entries', 2);
  assert.equal((await submit(server, game, 'p', 'b', 5)).body.rank, 1);
  const path = `/v1/games/${game.game_id}/leaderboards/b/entries/q`;
  assert.equal((await server.request('DELETE', path, { token: game.token })).status, 204);
  assert.equal((await submit(server, game, 'r', 'b', 9)).status, 201);
});

test('scores that wait for a decision count as entries, and at the limit no further scores may wait', async () => {
  const game = await makeLimitedGame(server, { leaderboard_entries: 2 });
  const { token, game_id } = game;
  const path = `/v1/games/${game_id}/leaderboards/b`;
  const rules = { max_gain: 10, first_gain_from: 0, on_violation: 'quarantine' };
  await server.request('PUT', path, { token, body: rules });
  await submit(server, game, 'p', 'b', 1);
  assert.equal((await submit(server, game, 'q', 'b', 100)).status, 201);
  for (const player of ['p', 'r']) {
    assertReached(await submit(server, game, player, 'b', 100), 'leaderboard_entries', 2);
  }
  assertReached(await submit(server, game, 'q', 'b', 1), 'leaderboard_entries', 2);
  assert.equal((await submit(server, game, 'q', 'b', 200)).body.updated, true);
  assert.equal((await submit(server, game, 'p', 'b', 2)).body.updated, true);
  await server.request('POST', `${path}/quarantine/decisions`, {
    token,
    body: { decision: 'remove' },
  });
  assert.equal((await submit(server, game, 'r', 'b', 3)).status, 201);
});

test('limits that an administrator sets or removes take effect', async () => {
  const game = await makeLimitedGame(server, {});
  const administrator = await server.makeAccount({ is_administrator: true });
  const { token } = administrator;
  const path = `/v1/admin/games/${game.game_id}/limits`;
  await identify(game, 'first');
  const set = await server.request('PUT', path, { token, body: { players: 1, unknown: 1 } });
  assert.deepEqual([set.status, set.body.limit_overrides], [200, { players: 1 }]);
  await waitUntil('the limit takes effect', async () => {
    return (await identify(game, `new ${Math.random()}`)).status === 403;
  });
  for (const body of [{ players: -1 }, { players: 1.5 }, { players: '1' }]) {
    assert.equal((await server.request('PUT', path, { token, body })).status, 400);
  }
  const usage = await server.request('GET', `/v1/games/${game.game_id}/usage`, { token });
  assert.equal(usage.body.limits.players.limit, 1);
  assert.equal(usage.body.limits.members.limit, TIERS.free.limits.members);
  await server.request('PUT', path, { token, body: {} });
  assert.equal((await identify(game, 'last')).status, 200);
  const log = await server.request('GET', `/v1/games/${game.game_id}/audit-log`, { token });
  assert.deepEqual(
    log.body.audit_log.map(({ action, details }: Record<string, unknown>) => [action, details]),
    [
      ['set_game_limits', { from: { players: 1 }, to: {} }],
      ['set_game_limits', { from: {}, to: { players: 1 } }],
    ],
  );
});
