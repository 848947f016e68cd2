import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../test/harness.ts';
import { useTwoServers } from '../../../test/two-servers.ts';
import { sql } from '../../platform/database/sql.ts';

suite('unlocking achievements', () => {
  const nodes = useTwoServers();
  let server: TestServer;
  let secondNode: TestServer;
  before(() => {
    [server, secondNode] = nodes;
  });

  /** Makes a game with the achievements a, b, c… of 1, 2, 4… points. */
  async function makeGameWith(count: number): Promise<TestGame> {
    const game = await server.makeGame();
    await server.database.execute(sql`
      INSERT INTO achievements (game_id, key, name, description, points, position)
      SELECT ${game.game_id}, chr(96 + n), 'Name ' || n, 'Description ' || n, 2 ^ (n - 1), n
      FROM generate_series(1, ${count}::integer) AS n`);
    return game;
  }

  const unlock = (key: string, player_id: unknown, achievement_key: unknown, node = server) =>
    node.request('POST', '/v1/achievements/unlock', { key, body: { achievement_key, player_id } });

  const countRows = async (table: 'players' | 'achievement_unlocks', game_id: string) => {
    const rows =
      table === 'players'
        ? await server.database.query(sql`SELECT FROM players WHERE game_id = ${game_id}`)
        : await server.database.query(
            sql`SELECT FROM achievement_unlocks WHERE game_id = ${game_id}`,
          );
    return rows.length;
  };

  test('unlocking a locked achievement answers 200 with already_unlocked false and total_points', async () => {
    const game = await makeGameWith(3);
    const first = await unlock(game.production_key, 'p1', 'b');
    assert.equal(first.status, 200);
    assert.deepEqual(first.body, {
      success: true,
      achievement: { key: 'b', name: 'Name 2', description: 'Description 2', points: 2 },
      already_unlocked: false,
      total_points: 2,
    });
    const second = await unlock(game.production_key, 'p1', 'c');
    assert.equal(second.body.total_points, 6);
    const other = await unlock(game.production_key, 'p2', 'a');
    assert.equal(other.body.total_points, 1);
    assert.equal(await countRows('players', game.game_id), 2);
  });

  test('unlocking an unlocked achievement answers 200 with already_unlocked true and keeps unlocked_at', async () => {
    const game = await makeGameWith(2);
    const list = () =>
      server.request('GET', '/v1/achievements?player_id=p1', { key: game.production_key });
    await unlock(game.production_key, 'p1', 'a');
    const { unlocked_at } = (await list()).body.achievements[0];
    assert.match(unlocked_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const again = await unlock(game.production_key, 'p1', 'a');
    assert.equal(again.status, 200);
    assert.equal(again.body.success, true);
    assert.equal(again.body.already_unlocked, true);
    assert.equal(again.body.total_points, 1);
    assert.equal((await list()).body.achievements[0].unlocked_at, unlocked_at);
  });

  test('an unknown achievement_key answers 404 Achievement not found and stores nothing', async () => {
    const game = await makeGameWith(1);
    const stranger = await makeGameWith(2);
    for (const key of ['b', 'A', '__proto__', "a' OR ''='", '<b>', 'a/b%2F', '💥'.repeat(255)]) {
      const answer = await unlock(game.production_key, 'p1', key);
      assert.equal(answer.status, 404, key);
      assert.deepEqual(answer.body, { error: 'Achievement not found' });
    }
    assert.equal(await countRows('players', game.game_id), 0);
    assert.equal(await countRows('achievement_unlocks', stranger.game_id), 0);
  });

  test('missing or wrong fields get 400 with the name of the field, and nothing is stored', async () => {
    const { game_id, production_key: key } = await makeGameWith(1);
    const cases: [unknown, string][] = [
      [{ player_id: 'p1' }, 'achievement_key is required'],
      [{ achievement_key: 'a' }, 'player_id is required'],
      [{ achievement_key: 'a', player_id: '' }, 'player_id must not be empty'],
      [{ achievement_key: '', player_id: 'p1' }, 'achievement_key must not be empty'],
      [{ achievement_key: 'a', player_id: 7 }, 'player_id must be a string'],
      [{ achievement_key: ['a'], player_id: 'p1' }, 'achievement_key must be a string'],
      [{ achievement_key: null, player_id: 'p1' }, 'achievement_key must be a string'],
      [
        { achievement_key: 'a', player_id: 'x'.repeat(256) },
        'player_id must have at most 255 characters',
      ],
      [{ achievement_key: 'a', player_id: 'a\0b' }, 'player_id must not contain \\u0000'],
      [
        '{"achievement_key":"a","player_id":"\\ud800"}',
        'player_id must not contain lone surrogates',
      ],
      [[], 'The request body must be a JSON object'],
      ['{', 'The request body is not valid JSON'],
    ];
    for (const [body, error] of cases) {
      const answer = await server.request('POST', '/v1/achievements/unlock', { key, body });
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.ok(answer.body.error.startsWith(error), `${answer.body.error} for ${error}`);
    }
    assert.equal(await countRows('players', game_id), 0);
    assert.equal(await countRows('achievement_unlocks', game_id), 0);
  });

  test('players are told apart, whatever characters their ids have', async () => {
    const game = await makeGameWith(1);
    const players = [
      'a b',
      'a',
      'b',
      '__proto__',
      'constructor',
      'ü/%2F?#',
      "'; DROP TABLE players",
    ];
    const answers = await Promise.all(players.map((p) => unlock(game.production_key, p, 'a')));
    assert.ok(answers.every(({ body }) => body.already_unlocked === false));
    for (const player of players) {
      const path = `/v1/achievements?player_id=${encodeURIComponent(player)}`;
      const { body } = await server.request('GET', path, { key: game.production_key });
      assert.equal(body.unlocked_points, 1, player);
    }
  });

  test('exactly one of 20 parallel unlocks on two nodes has already_unlocked false', async () => {
    const game = await makeGameWith(1);
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          unlock(game.production_key, `p${round}`, 'a', n % 2 ? server : secondNode),
        ),
      );
      assert.ok(answers.every(({ status }) => status === 200));
      assert.equal(answers.filter(({ body }) => !body.already_unlocked).length, 1);
      assert.ok(answers.every(({ body }) => body.total_points === 1));
    }
    assert.equal(await countRows('achievement_unlocks', game.game_id), 5);
  });

  test('one worker counts parallel unlocks in total_points as if they came one after the other', async () => {
    // Two workers may answer the same total, when each reads it after both have stored their unlocks.
    const options = { database_url: server.database_url, env: { WORKERS: '1' } };
    await using worker = await startTestServer(options);
    const game = await makeGameWith(10);
    const keys = [...'abcdefghij'];
    const answers = await Promise.all(
      [...keys, ...keys].map((key) => unlock(game.production_key, 'p1', key, worker)),
    );
    const fresh = answers.filter(({ body }) => !body.already_unlocked);
    const totals = fresh.map(({ body }) => body.total_points).toSorted((a, b) => a - b);
    assert.equal(new Set(totals).size, 10, 'each new unlock raised the total');
    let previous = 0;
    for (const total of totals) {
      const raisedBy = total - previous;
      assert.ok(fresh.some(({ body }) => body.achievement.points === raisedBy));
      previous = total;
    }
    assert.equal(previous, 1023);
  });

  test('environments have separate unlocks, and share the definitions', async () => {
    const game = await makeGameWith(2);
    await unlock(game.production_key, 'p1', 'a');
    const development = await unlock(game.development_key, 'p1', 'b');
    assert.equal(development.body.already_unlocked, false);
    assert.equal(development.body.total_points, 2);
    const again = await unlock(game.development_key, 'p1', 'a');
    assert.equal(again.body.already_unlocked, false);
  });

  test('an archived achievement stays with players who have it, and is unknown to all others', async () => {
    const game = await makeGameWith(2);
    await unlock(game.production_key, 'owner', 'b');
    await server.database.execute(
      sql`UPDATE achievements SET archived = true WHERE game_id = ${game.game_id} AND key = 'b'`,
    );
    assert.equal((await unlock(game.production_key, 'other', 'b')).status, 404);
    const kept = await unlock(game.production_key, 'owner', 'b');
    assert.equal(kept.status, 200);
    assert.equal(kept.body.already_unlocked, true);
    assert.equal(kept.body.total_points, 2);
    const more = await unlock(game.production_key, 'owner', 'a');
    assert.equal(more.body.total_points, 3);
    assert.equal(await countRows('achievement_unlocks', game.game_id), 2);
  });

  test('unlock and list without a valid API key answer 401', async () => {
    const missing = await server.request('POST', '/v1/achievements/unlock', { body: {} });
    assert.equal(missing.status, 401);
    assert.deepEqual(missing.body, { error: 'Missing x-game-api-key header' });
    const wrong = await server.request('GET', '/v1/achievements', { key: 'ow_live_wrong' });
    assert.equal(wrong.status, 401);
    assert.deepEqual(wrong.body, { error: 'Invalid API key' });
  });
});
