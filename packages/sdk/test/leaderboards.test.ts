import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../server/test/harness.ts';
import type { TestGame, TestServer } from '../../server/test/harness.ts';
import { makeClient } from './client.ts';

let server: TestServer;
let game: TestGame;
before(async () => {
  server = await startTestServer();
  game = await server.makeGame();
});
after(() => server.close());

test('scores are submitted, and pages of the leaderboard are loaded', async () => {
  for (let index = 0; index < 12; index++) {
    await using client = makeClient(server, game, { playerId: `runner-${index}` });
    const entry = await client.overworld.leaderboards.submit('best run/1', index * 10, {
      playerName: `Runner ${index}`,
      metadata: { index },
    });
    assert.deepEqual([entry.rank, entry.updated], [1, true]);
  }
  await using client = makeClient(server, game, { playerId: 'runner-5' });
  const { leaderboards } = client.overworld;
  assert.equal((await leaderboards.submit('best run/1', 1)).updated, false);
  const page = await leaderboards.page('best run/1', { limit: 2, offset: 1 });
  assert.deepEqual(
    page.entries.map(({ rank, player_name, metadata }) => [rank, player_name, metadata]),
    [
      [2, 'Runner 10', { index: 10 }],
      [3, 'Runner 9', { index: 9 }],
    ],
  );
  assert.equal((await leaderboards.page('best run/1')).total_entries, 12);
  const forTheGame: object = { limit: 3, above: 0, below: 0, title: 'Best runs' };
  assert.equal((await leaderboards.page('best run/1', forTheGame)).entries.length, 3);
  assert.equal((await leaderboards.around('best run/1', forTheGame)).entries.length, 1);
});

test('a leaderboard gives the neighbours of the player, and the ranks of friends', async () => {
  await using client = makeClient(server, game, { playerId: 'friend/1' });
  const { leaderboards } = client.overworld;
  for (let index = 1; index <= 12; index++) {
    client.overworld.setPlayerId(`friend/${index}`);
    await leaderboards.submit('friends run/1', index);
  }
  client.overworld.setPlayerId('friend/6');
  const ranksAround = async (...args: Parameters<typeof leaderboards.around>) =>
    (await leaderboards.around(...args)).entries.map(({ rank }) => rank);
  assert.deepEqual(await ranksAround('friends run/1'), [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  assert.deepEqual(await ranksAround('friends run/1', { above: 2, below: 0 }), [5, 6, 7]);
  assert.deepEqual(await ranksAround('friends run/1', { season: 2 }), []);
  assert.deepEqual(await ranksAround('empty'), []);
  const { players, total_entries } = await leaderboards.players('friends run/1', [
    'nobody',
    'friend/1',
    'friend/12',
  ]);
  assert.equal(total_entries, 12);
  assert.deepEqual(
    players.map(({ player_id, entry }) => [player_id, entry && [entry.rank, entry.score]]),
    [
      ['friend/12', [1, 12]],
      ['friend/1', [12, 1]],
      ['nobody', null],
    ],
  );
  await assert.rejects(leaderboards.players('friends run/1', []), { code: 'bad_request' });
});
