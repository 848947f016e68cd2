import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import { makeStudio } from '../test/player-client.ts';
import type { PlayerClient, PlayerStudio } from '../test/player-client.ts';

let server: TestServer;
let studio: PlayerStudio;
let game: TestGame;
let key: string;
let tokens: PlayerStudio['tokens'];
let player: PlayerClient;
before(async () => {
  server = await startTestServer();
  studio = await makeStudio(server);
  ({ game, tokens } = studio);
  key = game.production_key;
});
after(() => server.close());
beforeEach(() => {
  player = studio.nextPlayer();
});

describe('GET /v1/games/{game_id}/players/{player_id}', () => {
  test('answers like GET /v1/players/{player_id} in the given environment, and adds the name of the player', async () => {
    await player.identify({ in: 'production' });
    await player.identify({ in: 'development' }, game.development_key);
    const path = `/v1/players/${encodeURIComponent(player.player_id)}`;
    const detail = await server.request('GET', path, { key });
    assert.deepEqual((await player.get()).body, { ...detail.body, name: null });
    assert.deepEqual((await player.get('?environment=development')).body.properties, {
      in: 'development',
    });
    const other = await server.makeGame();
    assert.deepEqual((await player.get(`?game_id=${other.game_id}&player_id=x`)).body, {
      ...detail.body,
      name: null,
    });
  });

  test('answers 404 for an unknown player', async () => {
    const answer = await player.get();
    assert.deepEqual([answer.status, answer.body], [404, { error: 'Player not found' }]);
  });
});

describe('PATCH /v1/games/{game_id}/players/{player_id}', () => {
  test('sets and removes properties, adds and removes tags, and writes an audit entry', async () => {
    await player.identify({ level: 1, bag: { gold: 1 }, old: true });
    const answer = await player.patch(
      '{"properties":{"level":76561198000000001234,"bag":{}},"remove_properties":["old","never"],"add_tags":[" VIP ","beta","vip"],"remove_tags":["never"]}',
    );
    assert.equal(answer.status, 200);
    assert.match(answer.text, /"level": ?76561198000000001234[,}]/);
    const { properties, tags } = answer.body;
    assert.deepEqual(Object.keys(properties).toSorted(), ['bag', 'level']);
    assert.deepEqual([properties.bag, tags], [{}, ['vip', 'beta']]);
    assert.deepEqual((await player.findAudit('update_player'))!.details, {
      environment: 'production',
      set_properties: ['level', 'bag'],
      remove_properties: ['old', 'never'],
      add_tags: ['vip', 'beta'],
      remove_tags: ['never'],
    });

    const only = await player.patch({ remove_properties: ['level', 'bag'], add_tags: null });
    assert.deepEqual([only.body.properties, only.body.tags], [{}, ['vip', 'beta']]);
    const removed = await player.patch({
      remove_tags: [' VIP', 'beta'],
      add_tags: ['beta', 'new'],
    });
    assert.deepEqual(removed.body.tags, ['beta', 'new']);
  });

  test('a player has at most 100 tags, even after concurrent changes', async () => {
    await player.identify({});
    const many = Array.from({ length: 99 }, (_, index) => `t${index}`);
    assert.equal((await player.patch({ add_tags: many })).status, 200);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => player.patch({ add_tags: [`more${index}`] })),
    );
    const refused = answers.filter(({ status }) => status === 400);
    assert.equal(refused.length, 7);
    assert.equal(refused[0]!.body.error, 'A player may have at most 100 tags');
    assert.equal((await player.get()).body.tags.length, 100);
    const swap = await player.patch({ remove_tags: ['t0'], add_tags: ['in its place', 't1'] });
    assert.equal(swap.status, 200);
  });

  test('no tag is lost when a game and its members add tags to a player at the same time', async () => {
    await player.identify({});
    const path = `/v1/players/${encodeURIComponent(player.player_id)}/tags`;
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2
          ? server.request('POST', path, { key, body: { tag: `t${index}` } })
          : player.patch({ add_tags: [`t${index}`] }),
      ),
    );
    assert.equal((await player.get()).body.tags.length, 20);
  });

  test('if one change both removes and sets a property, the property is set', async () => {
    await player.identify({ a: { x: 1 } });
    const answer = await player.patch({ properties: { a: { y: 2 } }, remove_properties: ['a'] });
    assert.deepEqual(answer.body.properties, { a: { y: 2 } });
  });

  test('an invalid change is refused with 400 or 413, and the player stays as it was', async () => {
    await player.identify({ level: 1 });
    const { body: before_it } = await player.get();
    const cases: [unknown, number, RegExp][] = [
      [{}, 400, /^The request body must not be empty$/],
      [{ properties: null }, 400, /^The request body must not be empty$/],
      [
        { other: 1, properties: null },
        400,
        /^other is unknown: one of properties, remove_properties, add_tags, remove_tags is required$/,
      ],
      [{ properties: [] }, 400, /^properties must be a JSON object$/],
      [{ properties: { a: 'x\0' } }, 400, /^properties\.a must not contain/],
      [{ remove_properties: 'level' }, 400, /^remove_properties must be a list$/],
      [{ remove_properties: [1] }, 400, /^remove_properties\[0\] must be a string$/],
      [{ add_tags: ['ok', ' '] }, 400, /^add_tags\[1\] must not be empty$/],
      [{ remove_tags: [''] }, 400, /^remove_tags\[0\] must not be empty$/],
      [{ add_tags: ['x'.repeat(65)] }, 400, /^add_tags\[0\] must have at most 64 characters$/],
      [{ add_tags: Array.from({ length: 101 }, String) }, 400, /^add_tags must have at most 100 /],
      [{ remove_tags: 'vip' }, 400, /^remove_tags must be a list$/],
      [{ properties: { a: 'x'.repeat(65_536) } }, 413, /may have at most 65536 bytes$/],
      ['{', 400, /^The request body is not valid JSON/],
      ['null', 400, /^The request body must be a JSON object$/],
    ];
    for (const [body, status, error] of cases) {
      const answer = await player.patch(body);
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.body.error, error);
    }
    assert.deepEqual((await player.get()).body, before_it);
    assert.equal(await player.findAudit('update_player'), null);
  });

  test('a change of an unknown player gets 404 and creates no player', async () => {
    assert.equal((await player.patch({ add_tags: ['vip'] })).status, 404);
    assert.equal((await player.get()).status, 404);
  });

  test('no property is lost when a game identifies a player while members change the player', async () => {
    await player.identify({});
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const properties = { [`p${index}`]: index };
        return index % 2 ? player.identify(properties) : player.patch({ properties });
      }),
    );
    assert.equal(Object.keys((await player.get()).body.properties).length, 20);
  });
});

test('viewers cannot change or export a player, developers cannot erase one, and strangers get 404', async () => {
  await player.identify({});
  assert.equal((await player.patch({ add_tags: [] }, tokens.viewer)).status, 403);
  assert.equal((await player.get('/export', tokens.viewer)).status, 403);
  assert.equal(
    (await server.request('DELETE', player.pathOf(), { token: tokens.developer })).status,
    403,
  );
  const { token } = await server.makeAccount();
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const answer = await server.request(method, player.pathOf(), {
      token,
      body: method === 'PATCH' ? { add_tags: [] } : undefined,
    });
    assert.deepEqual([answer.status, answer.body], [404, { error: 'Game not found' }]);
  }
  assert.equal((await player.get()).status, 200);
});
