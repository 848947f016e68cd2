import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestGame, TestServer } from '../../server/test/harness.ts';
import { waitUntil } from '../../server/test/wait-until.ts';
import type { OverworldError } from '../src/overworld.ts';
import { makeClient, makeStore } from './client.ts';
import { startNetwork } from './network.ts';
import { inTurn } from './proxy.ts';
import type { Proxy } from './proxy.ts';

let server: TestServer;
let proxy: Proxy;
let close: () => Promise<void>;
let game: TestGame;
before(async () => {
  ({ server, proxy, close } = await startNetwork());
  game = await server.makeGame();
  const { token } = await server.makeAccount({ game_id: game.game_id, role: 'developer' });
  for (const body of [
    { key: 'wins', name: 'Wins' },
    { key: 'coins', name: 'Coins', minimum: 0 },
    { key: 'best', name: 'Best', aggregation: 'max' },
  ]) {
    const path = `/v1/games/${game.game_id}/stats`;
    assert.equal((await server.request('POST', path, { token, body })).status, 201);
  }
});
after(() => close());

const busy = () => ({ status: 503, headers: { 'retry-after': '60' }, body: '{"error":"Busy"}' });
const isKept = (error: OverworldError) => error.isKept;

test('statistics are changed and listed', async () => {
  await using client = makeClient(server, game, { playerId: 'player' });
  const { stats } = client.overworld;
  assert.deepEqual(await stats.change({ wins: 1, best: 70 }), { wins: 1, best: 70 });
  assert.deepEqual(await stats.change({ wins: 2, best: 60 }), { wins: 3, best: 70 });
  const listed = await stats.list();
  assert.deepEqual(
    listed.map(({ key, value }) => [key, value]),
    [
      ['best', 70],
      ['coins', null],
      ['wins', 3],
    ],
  );
});

test('a change whose answers are lost is made once', async () => {
  await using client = makeClient(proxy, game, { playerId: 'unsure' });
  proxy.decide = inTurn('lose_answer', 'cut_answer', 'pass');
  assert.deepEqual(await client.overworld.stats.change({ wins: 5 }), { wins: 5 });
});

test('changes that did not reach the server are sent at the next start of the game, each once', async () => {
  const store = makeStore();
  const playerId = 'next';
  const first = makeClient(proxy, game, { store, playerId });
  proxy.decide = inTurn('lose_answer', busy());
  await assert.rejects(first.overworld.stats.change({ wins: 1 }), isKept);
  proxy.decide = busy;
  await assert.rejects(first.overworld.stats.change({ wins: 10 }), isKept);
  await assert.rejects(first.overworld.stats.change({ wins: 10 }), isKept);
  assert.equal(first.overworld.queuedCalls, 3);
  await first.overworld.close({ timeoutMs: 0 });

  proxy.decide = () => 'pass';
  await using next = makeClient(proxy, game, { store, playerId: 'other' });
  await waitUntil('all is sent', async () => next.overworld.flush());
  await using reader = makeClient(server, game, { playerId });
  const wins = (await reader.overworld.stats.list()).find(({ key }) => key === 'wins');
  assert.equal(wins!.value, 21);
  assert.equal(next.overworld.queuedCalls, 0);
});

test('a change that the server refuses is not kept, and says why', async () => {
  await using client = makeClient(server, game, { playerId: 'poor' });
  await assert.rejects(
    client.overworld.stats.change({ wins: 1, coins: -1 }),
    ({ code, isKept: kept, body }: OverworldError) =>
      code === 'bad_request' && !kept && body.code === 'STAT_OUT_OF_BOUNDS',
  );
  await assert.rejects(client.overworld.stats.change({ coinz: 1 }), { code: 'not_found' });
  assert.equal(client.overworld.queuedCalls, 0);
});
