import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import type { Role } from '@overworld/contract/operation';
import type { TestServer } from '../../../test/harness.ts';
import { useTwoServers } from '../../../test/two-servers.ts';
import { sql } from '../../platform/database/sql.ts';
import { makeBoardClient } from './test/board-client.ts';
import { DEFAULT_SETTINGS } from './test/board-database.ts';
import type { BoardClient } from './test/board-client.ts';

const nodes = useTwoServers();
let server: TestServer;
let secondNode: TestServer;
let client: BoardClient;
before(() => {
  [server, secondNode] = nodes;
});
beforeEach(async () => {
  client = await makeBoardClient(server);
});

const submit = (player_id: string, score: number, node?: TestServer) =>
  client.submit({ board_name: 'b', player_id, score }, node);

const listAudit = () =>
  server.database.query<{ action: string; target: string; details: object }>(sql`
    SELECT action, target, details FROM audit_log
    WHERE game_id = ${client.game.game_id} ORDER BY id`);

describe('PUT /v1/games/{game_id}/leaderboards/{board_name}', () => {
  test('makes a board, and replaces all its settings', async () => {
    const { has_bans: _has_bans, has_waiting: _has_waiting, ...defaults } = DEFAULT_SETTINGS;
    const { status, body } = await client.manage('PUT', '/b', {
      order: 'ascending',
      reset_schedule: 'weekly',
      min_score: -1.5,
      max_score: 1e300,
    });
    assert.equal(status, 200);
    const { created_at, updated_at, ...settings } = body;
    assert.ok(created_at <= updated_at);
    const changes = {
      order: 'ascending',
      reset_schedule: 'weekly',
      min_score: -1.5,
      max_score: 1e300,
    };
    assert.deepEqual(settings, { ...defaults, board_name: 'b', ...changes });
    const changed = await client.manage('PUT', '/b', { max_score: null });
    assert.equal(changed.body.order, 'descending');
    assert.equal(changed.body.reset_schedule, 'none');
    assert.deepEqual([changed.body.min_score, changed.body.max_score], [null, null]);
    assert.deepEqual(await listAudit(), [
      {
        action: 'put_leaderboard',
        target: 'b',
        details: { ...defaults, ...changes },
      },
      {
        action: 'put_leaderboard',
        target: 'b',
        details: defaults,
      },
    ]);
  });

  const submitAll = async () => {
    for (const [player, score] of Object.entries({ a: 1, b: 2, c: 2 })) await submit(player, score);
  };

  test('ranks the current season again when the order changes, on every server', async () => {
    await submitAll();
    await client.standings('b', '', secondNode);
    await client.manage('POST', '/b/reset');
    await submitAll();
    assert.deepEqual(await client.standings('b', '', secondNode), ['b 2', 'c 2', 'a 1']);
    await client.manage('PUT', '/b', { order: 'ascending' });
    for (const node of [server, secondNode]) {
      assert.deepEqual(await client.standings('b', '', node), ['a 1', 'b 2', 'c 2']);
      assert.deepEqual(await client.standings('b', 'season=1', node), ['b 2', 'c 2', 'a 1']);
    }
    assert.equal((await submit('c', 1, secondNode)).body.rank, 2);
    assert.equal((await submit('c', 5, secondNode)).body.updated, false);
  });

  test('keeps entries outside new bounds', async () => {
    await submit('a', 1_000);
    await client.manage('PUT', '/b', { max_score: 10 });
    assert.deepEqual(await client.standings('b'), ['a 1000']);
    assert.equal((await submit('a', 2_000, secondNode)).status, 400);
    assert.equal((await submit('b', 10, secondNode)).body.rank, 2);
  });

  const refused: [body: unknown, error: string][] = [
    [{ order: 'up' }, 'order must be one of descending, ascending'],
    [{ reset_schedule: 'hourly' }, 'reset_schedule must be one of none, daily, weekly, monthly'],
    [{ min_score: '1' }, 'min_score must be a number'],
    [{ min_score: 2, max_score: 1 }, 'max_score must not be less than min_score'],
    ['{"max_score":1e999}', 'max_score is too large'],
  ];
  for (const [body, error] of refused) {
    test(`${JSON.stringify(body)} answers 400 and makes no board`, async () => {
      const answer = await client.manage('PUT', '/b', body);
      assert.equal(answer.status, 400);
      assert.ok(answer.body.error.startsWith(error), answer.body.error);
      assert.equal((await client.manage('GET', '/b')).status, 404);
    });
  }
});

describe('the boards of a game', () => {
  test('are listed by name, page by page, with the season of one environment', async () => {
    for (const name of ['c', 'a', 'b', 'B/ü%']) {
      await client.submit({ board_name: name, player_id: 'p', score: 1 });
    }
    await client.manage('PUT', '/a', { order: 'ascending' });
    const names: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? 'limit=2' : `limit=2&cursor=${cursor}`;
      const { body } = await client.manage('GET', `?${query}`);
      for (const board of body.leaderboards) {
        names.push(board.board_name);
        assert.equal(board.total_entries, 1);
        assert.equal(board.order, board.board_name === 'a' ? 'ascending' : 'descending');
      }
      cursor = body.next_cursor;
    }
    assert.deepEqual(names, ['B/ü%', 'a', 'b', 'c']);
    const { body } = await client.manage('GET', '?environment=development');
    assert.equal(body.leaderboards.length, 4);
    for (const board of body.leaderboards) {
      assert.deepEqual([board.season, board.total_entries, board.started_at], [1, 0, null]);
    }
  });
});

test('of several requests with If-None-Match: * at the same time, only one makes the board', async () => {
  const { game_id } = client.game;
  const { token } = await server.makeAccount({ game_id });
  const put = (board_name: string, max_score: number) =>
    server.request('PUT', `/v1/games/${game_id}/leaderboards/${board_name}`, {
      token,
      body: { max_score },
      headers: { 'if-none-match': '*' },
    });
  const answers = await Promise.all([1, 2, 3, 4].map((max_score) => put('race', max_score)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
  const refused = answers.find(({ status }) => status === 409)!;
  assert.match(refused.body.error, /^board_name is taken/);
  const made = answers.find(({ status }) => status === 200)!;
  const { body } = await client.manage('GET', '/race');
  assert.equal(body.max_score, made.body.max_score);
  assert.equal((await listAudit()).length, 1);

  await submit('fox', 1);
  assert.equal((await put('b', 5)).status, 409);
  assert.equal((await client.manage('GET', '/b')).body.max_score, null);
});

test('each call is answered when a board is set and deleted at the same time', async () => {
  const { game_id } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  const path = `/v1/games/${game_id}/leaderboards/race`;
  for (let round = 0; round < 4; round++) {
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        index % 2
          ? server.request('PUT', path, { token, body: { order: 'ascending' } })
          : server.request('DELETE', path, { token }),
      ),
    );
    for (const [index, { status, text }] of answers.entries()) {
      assert.ok(index % 2 ? status === 200 : status === 204 || status === 404, text);
    }
  }
});

test('DELETE …/{board_name} deletes a board in both environments, and a submit makes it again', async () => {
  await client.manage('PUT', '/b', { order: 'ascending' });
  await submit('a', 5);
  await submit('b', 6, secondNode);
  const key = client.game.development_key;
  await server.request('POST', '/v1/leaderboards', {
    key,
    body: { board_name: 'b', player_id: 'd', score: 1 },
  });
  await client.submit({ board_name: 'other', player_id: 'a', score: 1 });
  assert.equal((await client.manage('DELETE', '/b')).status, 204);
  assert.equal((await client.manage('DELETE', '/b')).status, 404);
  for (const node of [server, secondNode]) {
    assert.deepEqual(await client.standings('b', '', node), []);
    assert.deepEqual(await client.standings('other', '', node), ['a 1']);
  }
  const development = await server.request('GET', '/v1/leaderboards/b', { key });
  assert.deepEqual(development.body.entries, []);
  assert.equal((await submit('a', 3, secondNode)).status, 201);
  assert.equal((await submit('b', 4)).body.rank, 1);
  assert.deepEqual((await listAudit()).at(-1), {
    action: 'delete_leaderboard',
    target: 'b',
    details: {},
  });
});

describe('roles', () => {
  const needed: [method: string, path: string, role: Role, body?: unknown][] = [
    ['GET', '', 'viewer'],
    ['GET', '/b', 'viewer'],
    ['GET', '/b/entries', 'viewer'],
    ['GET', '/b/seasons', 'viewer'],
    ['PUT', '/b', 'developer', {}],
    ['DELETE', '/b/entries/p1', 'developer'],
    ['POST', '/b/reset', 'admin'],
    ['DELETE', '/b', 'admin'],
  ];
  for (const [method, path, role, body] of needed) {
    test(`${method} …/leaderboards${path} needs ${role}`, async () => {
      await submit('p1', 1);
      const { game_id } = client.game;
      const url = `/v1/games/${game_id}/leaderboards${path}`;
      const below: Role = role === 'admin' ? 'developer' : 'viewer';
      if (role !== 'viewer') {
        const { token } = await server.makeAccount({ game_id, role: below });
        assert.equal((await server.request(method, url, { token, body })).status, 403);
      }
      const { token } = await server.makeAccount({ game_id, role });
      assert.ok((await server.request(method, url, { token, body })).status < 300);
      const stranger = await server.makeAccount();
      const answer = await server.request(method, url, { token: stranger.token, body });
      assert.equal(answer.status, 404);
    });
  }
});
