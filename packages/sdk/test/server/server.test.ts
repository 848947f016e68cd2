import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { OverworldServer } from '../../src/server/server.ts';
import { makePlayerToken } from '../../../server/test/player-token.ts';
import type { TestGame, TestServer } from '../../../server/test/harness.ts';
import { startNetwork } from '../network.ts';
import { inTurn } from '../proxy.ts';
import type { Proxy } from '../proxy.ts';

let network: Awaited<ReturnType<typeof startNetwork>>;
let server: TestServer;
let proxy: Proxy;
let game: TestGame;
let apiKey: string;
let overworld: OverworldServer;
before(async () => {
  network = await startNetwork();
  ({ server, proxy } = network);
});
after(() => network.close());
beforeEach(async () => {
  proxy.decide = () => 'pass';
  game = await server.makeGame();
  apiKey = await server.makeKey(game.game_id, 'production', 'server');
  overworld = new OverworldServer({ baseUrl: proxy.url, apiKey });
});

const codeOf = (failing: Promise<unknown>): Promise<string> =>
  failing.then(
    () => 'no error',
    (error) => error.code,
  );

const defineAchievement = async (key: string) => {
  const { token } = await server.makeAccount({ game_id: game.game_id });
  const body = { key, name: key, description: '' };
  const path = `/v1/games/${game.game_id}/achievements`;
  assert.equal((await server.request('POST', path, { token, body })).status, 201);
};

test('a server acts for many players, without a session or a platform of theirs', async () => {
  await defineAchievement('winner');
  const players = Array.from({ length: 40 }, (_, index) => overworld.player(`p/${index} %25`));
  await Promise.all(
    players.map(async (player, index) => {
      await player.leaderboards.submit('arena', index, { playerName: `P${index}` });
      await player.achievements.unlock('winner');
      await player.saves.save({ wins: index }, { version: 0 });
      await player.identify({ rank: index });
      await player.tags.add('Finalist');
    }),
  );
  const { entries } = await overworld.leaderboards.page('arena', { limit: 2 });
  assert.deepEqual(
    entries.map(({ player_name, rank }) => [player_name, rank]),
    [
      ['P39', 1],
      ['P38', 2],
    ],
  );
  const [player] = players;
  const { properties, tags, session_history } = await player!.get();
  assert.deepEqual(
    { properties, tags, session_history },
    {
      properties: { rank: 0 },
      tags: ['finalist'],
      session_history: [],
    },
  );
  assert.deepEqual((await player!.timeline()).events, []);
});

test('on a board that keeps the sum, a score counts once, also if answers are lost', async () => {
  const { token } = await server.makeAccount({ game_id: game.game_id });
  const path = `/v1/games/${game.game_id}/leaderboards/arena`;
  await server.request('PUT', path, { token, body: { keeps: 'sum' } });
  proxy.decide = inTurn('lose_answer', 'lose_answer', 'pass');
  const player = overworld.player('ann');
  assert.equal((await player.leaderboards.submit('arena', 5)).score, 5);
  const options = { idempotencyKey: 'match 7' };
  assert.equal((await player.leaderboards.submit('arena', 2, options)).score, 7);
  assert.equal((await player.leaderboards.submit('arena', 2, options)).updated, false);
  assert.equal((await player.leaderboards.submit('arena', 2)).score, 9);
});

describe('verifyPlayer', () => {
  const makeToken = (player_id: string, age_ms = 0) =>
    makePlayerToken(
      server,
      { game_id: game.game_id, environment: 'production', player_id },
      () => new Date(Date.now() - age_ms),
    );

  test('names the player of a token', async () => {
    await overworld.player('ann').identify({});
    const { player_id, providers } = await overworld.verifyPlayer(await makeToken('ann'));
    assert.deepEqual([player_id, providers], ['ann', []]);
  });

  test('refuses tokens that are expired, foreign or malformed, with a code of their own', async () => {
    await overworld.player('ann').identify({});
    const other = await server.makeGame();
    const player = { game_id: other.game_id, environment: 'production', player_id: 'ann' } as const;
    const refused = [
      await makeToken('ann', 3_601_000),
      await makeToken('erased'),
      await makePlayerToken(server, player),
      'a.b.c',
    ];
    for (const token of refused) {
      assert.equal(await codeOf(overworld.verifyPlayer(token)), 'invalid_player_token');
    }
    const before_count = proxy.requests;
    for (const token of ['', 'a token', 'ä', 'x'.repeat(9_000), null, 1, {}, undefined]) {
      const asked = overworld.verifyPlayer(token as string);
      assert.equal(await codeOf(asked), 'invalid_player_token');
    }
    assert.equal(proxy.requests, before_count);
  });

  test('tells a wrong server key from a wrong token', async () => {
    const wrong = new OverworldServer({ baseUrl: proxy.url, apiKey: 'ow_srv_wrong' });
    assert.equal(await codeOf(wrong.verifyPlayer('a.b.c')), 'unauthorized');
  });
});

describe('after a lost answer', () => {
  test('events are stored once', async () => {
    proxy.decide = inTurn('lose_answer', 'lose_answer');
    const event = { event_name: 'match_won', session_id: 'match-1', player_id: 'ann' };
    const { received } = await overworld.track([event, { ...event, properties: { n: 2 } }]);
    assert.equal(received, 2);
    const { events } = await overworld.player('ann').timeline();
    assert.deepEqual(
      events.map(({ event_name }) => event_name),
      ['match_won', 'match_won'],
    );
  });

  test('a save with a version is stored once, and a save of somebody else is a conflict', async () => {
    const { saves } = overworld.player('ann');
    await saves.save({ n: 1 }, { version: 0 });
    proxy.decide = inTurn('lose_answer');
    assert.equal((await saves.save({ n: 2 }, { version: 1 })).version, 2);
    assert.equal(await codeOf(saves.save({ n: 3 }, { version: 1 })), 'conflict');
    assert.deepEqual((await saves.load())?.data, { n: 2 });
  });

  test('a deletion, an erasure and a removed tag have succeeded', async () => {
    const ann = overworld.player('ann');
    await ann.saves.save({ n: 1 });
    await ann.tags.add('vip');
    proxy.decide = inTurn('lose_answer');
    assert.equal(await ann.saves.delete(), true);
    assert.equal(await ann.saves.delete(), false);
    proxy.decide = inTurn('lose_answer');
    await ann.tags.remove('vip');
    proxy.decide = inTurn('lose_answer');
    await ann.erase();
    assert.equal(await codeOf(ann.erase()), 'not_found');
  });
});

test('a player is exported and erased with everything', async () => {
  const ann = overworld.player('ann');
  await ann.saves.save({ n: 1 });
  const exported = await ann.export();
  assert.deepEqual((exported.saves as { data: object }[])[0]!.data, { n: 1 });
  await ann.erase();
  assert.equal(await codeOf(ann.get()), 'not_found');
});

test('a client refuses addresses and keys that cannot be right', () => {
  const make = (options: object) => () => new OverworldServer(options as never);
  assert.throws(make({ baseUrl: 'play.example.com', apiKey }), TypeError);
  assert.throws(make({ baseUrl: proxy.url, apiKey: game.production_key }), TypeError);
  assert.throws(make({ baseUrl: proxy.url }), TypeError);
  assert.throws(make({ baseUrl: proxy.url, apiKey: 'ow_srv_…' }), TypeError);
  assert.throws(() => overworld.player(''), TypeError);
});
