import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import type { TestGame, TestServer } from '../../../test/harness.ts';
import type { TestAnswer } from '../../../test/test-request.ts';
import { eraseData } from '../../platform/players/player-tables.ts';
import { unlockSource } from './unlock-store.ts';

const keysOf = ({ body }: TestAnswer) => body.achievements.map(({ key }: { key: string }) => key);

suite('listing achievements', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  /** Makes a game with `open` (10 points), the hidden `secret` (20) and `third` (5). */
  async function makeGame(): Promise<TestGame & { token: string }> {
    const game = await server.makeGame();
    const { token } = await server.makeAccount({ game_id: game.game_id, role: 'developer' });
    const definitions = [
      { key: 'open', name: 'Open', description: 'For all', icon_url: 'a.png', points: 10 },
      {
        key: 'secret',
        name: 'Real name',
        description: 'Real description',
        icon_url: 'b.png',
        points: 20,
        hidden: true,
      },
      { key: 'third', name: '"Third" <b>', points: 5 },
    ];
    for (const body of definitions) {
      const path = `/v1/games/${game.game_id}/achievements`;
      assert.equal((await server.request('POST', path, { token, body })).status, 201);
    }
    return { ...game, token };
  }

  const list = (key: string, player_id?: string) =>
    server.request(
      'GET',
      `/v1/achievements${player_id === undefined ? '' : `?player_id=${player_id}`}`,
      { key },
    );
  const unlock = (key: string, player_id: string, achievement_key: string) =>
    server.request('POST', '/v1/achievements/unlock', {
      key,
      body: { achievement_key, player_id },
    });

  test('GET /v1/achievements without player_id masks hidden achievements and has unlocked_points 0', async () => {
    const game = await makeGame();
    await unlock(game.production_key, 'p1', 'secret');
    const { status, body } = await list(game.production_key);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      achievements: [
        {
          key: 'open',
          name: 'Open',
          description: 'For all',
          icon_url: 'a.png',
          points: 10,
          hidden: false,
        },
        {
          key: 'secret',
          name: '???',
          description: '???',
          icon_url: 'b.png',
          points: 20,
          hidden: true,
        },
        {
          key: 'third',
          name: '"Third" <b>',
          description: '',
          icon_url: '',
          points: 5,
          hidden: false,
        },
      ],
      total_points: 35,
      unlocked_points: 0,
    });
  });

  test('GET /v1/achievements with player_id adds the fields `unlocked` and `unlocked_at`', async () => {
    const game = await makeGame();
    await unlock(game.production_key, 'p1', 'third');
    const { body } = await list(game.production_key, 'p1');
    assert.deepEqual(
      body.achievements.map((a: Record<string, unknown>) => [a.key, a.unlocked]),
      [
        ['open', false],
        ['secret', false],
        ['third', true],
      ],
    );
    assert.equal(body.achievements[0].unlocked_at, null);
    const unlocked_at = Date.parse(body.achievements[2].unlocked_at);
    assert.ok(Math.abs(Date.now() - unlocked_at) < 60_000);
    assert.equal(body.total_points, 35);
    assert.equal(body.unlocked_points, 5);
  });

  test('a hidden achievement shows its name and description only to the player who unlocked it', async () => {
    const game = await makeGame();
    const answer = await unlock(game.production_key, 'p1', 'secret');
    assert.equal(answer.body.achievement.name, 'Real name');
    assert.equal(answer.body.achievement.description, 'Real description');
    const own = (await list(game.production_key, 'p1')).body.achievements[1];
    assert.equal(own.name, 'Real name');
    assert.equal(own.description, 'Real description');
    assert.equal(own.hidden, true);
    const elsewhere = await Promise.all([
      list(game.production_key, 'p2'),
      list(game.production_key),
      list(game.development_key, 'p1'),
    ]);
    for (const { text } of elsewhere) assert.ok(!text.includes('Real'), text);
  });

  test('an unknown player has unlocked nothing, and the request does not make the player', async () => {
    const game = await makeGame();
    const { status, body } = await list(game.production_key, 'nobody');
    assert.equal(status, 200);
    assert.equal(body.unlocked_points, 0);
    assert.ok(body.achievements.every((a: { unlocked: boolean }) => a.unlocked === false));
    const path = `/v1/games/${game.game_id}/players/nobody/achievements`;
    const dashboard = await server.request('GET', path, { token: game.token });
    assert.equal(dashboard.status, 404);
    assert.deepEqual(dashboard.body, { error: 'Player not found' });
  });

  test('a player_id that is empty, too long or given twice is answered with 400', async () => {
    const { production_key: key } = await server.makeGame();
    const errors = {
      'player_id=': 'player_id must not be empty',
      [`player_id=${'x'.repeat(256)}`]: 'player_id must have at most 255 characters',
      'player_id=a&player_id=b': 'player_id must be given once',
      'player_id=%00': 'player_id must not contain \\u0000',
    };
    for (const [query, error] of Object.entries(errors)) {
      const answer = await server.request('GET', `/v1/achievements?${query}`, { key });
      assert.equal(answer.status, 400);
      assert.deepEqual(answer.body, { error });
    }
  });

  test('a game without achievements lists none', async () => {
    const game = await server.makeGame();
    const empty = { achievements: [], total_points: 0, unlocked_points: 0 };
    assert.deepEqual((await list(game.production_key)).body, empty);
    assert.deepEqual((await list(game.production_key, 'p1')).body, empty);
  });

  test('archived achievements are listed and counted only for players who unlocked them', async () => {
    const game = await makeGame();
    await unlock(game.production_key, 'owner', 'secret');
    const path = `/v1/games/${game.game_id}/achievements/secret`;
    const options = { token: game.token, body: { archived: true } };
    assert.equal((await server.request('PATCH', path, options)).status, 200);
    const forNobody = await list(game.production_key);
    assert.deepEqual(keysOf(forNobody), ['open', 'third']);
    assert.equal(forNobody.body.total_points, 15);
    assert.deepEqual(keysOf(await list(game.production_key, 'other')), ['open', 'third']);
    const forOwner = await list(game.production_key, 'owner');
    assert.deepEqual(keysOf(forOwner), ['open', 'secret', 'third']);
    assert.equal(forOwner.body.total_points, 35);
    assert.equal(forOwner.body.unlocked_points, 20);
  });

  test('a change shows at once on the node that made it, and after a notification on others', async () => {
    const game = await makeGame();
    await using secondNode = await startTestServer({ database_url: server.database_url });
    const listOn = (node: TestServer) =>
      node.request('GET', '/v1/achievements', { key: game.production_key });
    const original = await listOn(secondNode);
    assert.equal(original.body.achievements[0].name, 'Open');
    const path = `/v1/games/${game.game_id}/achievements/open`;
    const options = { token: game.token, body: { name: 'Changed' } };
    assert.equal((await server.request('PATCH', path, options)).status, 200);
    assert.equal((await listOn(server)).body.achievements[0].name, 'Changed');
    await waitUntil('the other node shows it', async () => {
      return (await listOn(secondNode)).body.achievements[0].name === 'Changed';
    });
  });

  test("a player's unlocks are exported and erased, and other players keep their unlocks", async () => {
    const game = await makeGame();
    const { game_id } = game;
    const database = server.database.ofGame(game_id);
    await unlock(game.production_key, 'p1', 'third');
    await unlock(game.production_key, 'p1', 'open');
    await unlock(game.development_key, 'p1', 'open');
    await unlock(game.production_key, 'p2', 'open');
    const p1 = { game_id, environment: 'production', player_id: 'p1' } as const;
    const listKeys = async () => {
      const keys: string[] = [];
      const pages = unlockSource.exportPlayer(database, p1) as AsyncGenerator<
        { achievement_key: string }[]
      >;
      for await (const page of pages) keys.push(...page.map((row) => row.achievement_key));
      return keys;
    };
    assert.deepEqual(await listKeys(), ['third', 'open']);
    await database.transaction((tx) => eraseData(tx, unlockSource, p1));
    assert.deepEqual(await listKeys(), []);
    assert.equal((await list(game.development_key, 'p1')).body.unlocked_points, 10);
    assert.equal((await list(game.production_key, 'p2')).body.unlocked_points, 10);
  });
});
