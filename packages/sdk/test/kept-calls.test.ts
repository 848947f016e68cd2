import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestGame, TestServer } from '../../server/test/harness.ts';
import { waitUntil } from '../../server/test/wait-until.ts';
import type { OverworldError } from '../src/overworld.ts';
import { makeClient, makeStore, slow } from './client.ts';
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
});
after(() => close());

/**
 * An answer with which a busy server asks clients to wait 60 seconds. The SDK does not wait that long: it
 * fails the call and keeps it for later.
 */
const busy = () => ({ status: 503, headers: { 'retry-after': '60' }, body: '{"error":"Busy"}' });
const isKept = (error: OverworldError) => error.isKept;
const save = async (player_id: string) =>
  (await server.request('GET', `/v1/saves?player_id=${player_id}`, { key: game.production_key }))
    .body;

test('scores and saves that did not reach the server are sent at the next start of the game', async () => {
  for (const [index, wrap] of [makeStore, () => slow(makeStore())].entries()) {
    const playerId = `next-${index}`;
    const store = wrap();
    const first = makeClient(proxy, game, { store, playerId });
    proxy.decide = busy;
    await assert.rejects(first.overworld.leaderboards.submit(playerId, 5), isKept);
    await assert.rejects(first.overworld.saves.save({ level: 1 }), isKept);
    await assert.rejects(first.overworld.saves.save({ level: 2 }), isKept);
    assert.equal(first.overworld.queuedCalls, 2);
    assert.deepEqual(await first.overworld.saves.load(), {
      data: { level: 2 },
      version: 0,
      updated_at: (await first.overworld.saves.load())!.updated_at,
      isKept: true,
    });
    await first.overworld.close({ timeoutMs: 0 });

    proxy.decide = () => 'pass';
    await using next = makeClient(proxy, game, { store, playerId: `${playerId}-other` });
    await waitUntil('all is sent', async () => next.overworld.flush());
    assert.deepEqual((await save(playerId)).data, { level: 2 });
    const { entries } = await next.overworld.leaderboards.page(playerId);
    assert.deepEqual(
      entries.map(({ player_id, score }) => [player_id, score]),
      [[playerId, 5]],
    );
    assert.equal(next.overworld.queuedCalls, 0);
  }
});

test('a kept save is merged with the save on the server, and a later save of older data loses no field', async () => {
  const playerId = 'merger';
  await using here = makeClient(proxy, game, { playerId });
  await using there = makeClient(server, game, { playerId });
  const own = { mine: 1 };
  const onConflict = ({ ours, theirs }: { ours: object; theirs: object }) => ({
    ...theirs,
    ...ours,
  });
  proxy.decide = busy;
  await assert.rejects(here.overworld.saves.save(own, { onConflict }), isKept);
  await there.overworld.saves.save({ theirs: 1 });
  proxy.decide = () => 'pass';
  assert.equal(await here.overworld.flush(), true);
  assert.deepEqual((await save(playerId)).data, { theirs: 1, mine: 1 });
  await here.overworld.saves.save({ ...own, mine: 2 }, { onConflict });
  assert.deepEqual((await save(playerId)).data, { theirs: 1, mine: 2 });
});

test('onSaveConflict decides when a kept save conflicts with the save of another device', async () => {
  for (const [player, onSaveConflict, expected] of [
    ['merging', 'per-field', { level: 3, coins: 9 }],
    ['asking', undefined, { level: 1, coins: 9 }],
  ] as const) {
    const store = makeStore();
    const here = makeClient(proxy, game, { store, playerId: player });
    await here.overworld.saves.save({ level: 1, coins: 1 });
    proxy.decide = busy;
    await assert.rejects(here.overworld.saves.save({ level: 3, coins: 1 }), isKept);
    await here.overworld.close({ timeoutMs: 0 });
    proxy.decide = () => 'pass';
    await using there = makeClient(server, game, { playerId: player });
    await there.overworld.saves.load();
    await there.overworld.saves.save({ level: 1, coins: 9 });

    await using next = makeClient(server, game, { store, playerId: player, onSaveConflict });
    await waitUntil('it is sent', async () => next.overworld.flush());
    assert.deepEqual((await save(player)).data, expected);
    assert.deepEqual(next.errors, onSaveConflict ? [] : ['conflict']);
  }
});

test('after a restart, a save without an earlier load conflicts with the save that is kept on the device', async () => {
  for (const reaches of ['pass', 'lose_answer'] as const) {
    const player = `unaware-${reaches}`;
    const store = makeStore();
    const first = makeClient(proxy, game, { store, playerId: player });
    await first.overworld.saves.save({ a: 1 });
    proxy.decide = inTurn(reaches === 'pass' ? busy() : 'lose_answer', busy());
    await assert.rejects(first.overworld.saves.save({ a: 1, b: 1 }), isKept);
    await first.overworld.close({ timeoutMs: 0 });

    proxy.decide = busy;
    const next = makeClient(proxy, game, { store, playerId: player });
    await waitUntil('it has the kept save', async () => next.overworld.queuedCalls === 1);
    const onConflict = ({ ours, theirs }: { ours: object; theirs: object }) => ({
      ...theirs,
      ...ours,
    });
    await assert.rejects(next.overworld.saves.save({ c: 1 }, { onConflict }), isKept);
    proxy.decide = () => 'pass';
    await next.overworld.saves.save({ c: 1, d: 1 }, { onConflict });
    assert.deepEqual((await save(player)).data, { a: 1, b: 1, c: 1, d: 1 });
    await next.overworld.close();
  }
});

test('a save whose answer was lost does not conflict with the next save', async () => {
  await using client = makeClient(proxy, game, { playerId: 'unsure' });
  const { saves } = client.overworld;
  proxy.decide = inTurn('lose_answer', busy());
  await assert.rejects(saves.save({ level: 1 }), isKept);
  const { version, wasConflict } = await saves.save({ level: 2 });
  assert.deepEqual([version, wasConflict], [2, false]);
});

/** Makes a board with settings of its own. */
async function makeBoard(board: string, body: { keeps?: string; tie_break?: string }) {
  const { token } = await server.makeAccount({ game_id: game.game_id, role: 'developer' });
  const path = `/v1/games/${game.game_id}/leaderboards/${board}`;
  assert.equal((await server.request('PUT', path, { token, body })).status, 200);
}

test('each score that waited counts once on a board that keeps the sum or the latest', async () => {
  await makeBoard('coins', { keeps: 'sum' });
  await makeBoard('last', { keeps: 'latest' });
  const store = makeStore();
  const first = makeClient(proxy, game, { store, playerId: 'collector' });
  for (const score of [30, 20, 20, 40, 10]) {
    for (const board of ['coins', 'last']) {
      proxy.decide = score === 30 ? inTurn('lose_answer', busy()) : busy;
      await assert.rejects(first.overworld.leaderboards.submit(board, score), isKept);
    }
  }
  assert.equal(first.overworld.queuedCalls, 10);
  await first.overworld.close({ timeoutMs: 0 });
  proxy.decide = () => 'pass';
  await using next = makeClient(proxy, game, { store, playerId: 'collector' });
  await waitUntil('all is sent', async () => next.overworld.flush());
  const scoreOn = async (board: string) =>
    (await next.overworld.leaderboards.around(board)).entries[0]!.score;
  assert.deepEqual([await scoreOn('coins'), await scoreOn('last')], [120, 10]);
});

test('of the scores that waited, a board that keeps the best gets the highest and the lowest', async () => {
  await using client = makeClient(proxy, game, { playerId: 'runner' });
  const { leaderboards } = client.overworld;
  await client.overworld.flush();
  proxy.decide = busy;
  for (const score of [30, 50, 20, 40, 50]) {
    await assert.rejects(leaderboards.submit('runs', score), isKept);
  }
  let sent = 0;
  proxy.decide = () => {
    sent++;
    return 'pass';
  };
  assert.equal(await client.overworld.flush(), true);
  assert.equal(sent, 3);
  assert.equal((await leaderboards.around('runs')).entries[0]!.score, 50);
});

test('of equal scores that waited, a board with a tie-break gets each tie value', async () => {
  await makeBoard('levels', { tie_break: 'lower' });
  await using client = makeClient(proxy, game, { playerId: 'climber' });
  const { leaderboards } = client.overworld;
  await client.overworld.flush();
  proxy.decide = busy;
  for (const [level, tieValue] of [
    [5, 300],
    [4, 100],
    [5, 200],
    [5, 250],
    [3, 90],
  ] as const) {
    await assert.rejects(leaderboards.submit('levels', level, { tieValue }), isKept);
  }
  let sent = 0;
  proxy.decide = () => {
    sent++;
    return 'pass';
  };
  assert.equal(await client.overworld.flush(), true);
  assert.equal(sent, 4);
  const { score, tie_value } = (await leaderboards.around('levels')).entries[0]!;
  assert.deepEqual([score, tie_value], [5, 200]);
});

test('if too many calls wait, scores between the highest and the lowest of a board are given up first', async () => {
  await using client = makeClient(proxy, game, { playerId: 'busy' });
  const { leaderboards, achievements } = client.overworld;
  proxy.decide = busy;
  await assert.rejects(achievements.unlock('first'), isKept);
  for (let score = 1; score <= 200; score++) {
    const value = score === 3 ? 1_000 : score === 4 ? 0 : score;
    await assert.rejects(leaderboards.submit('many', value), isKept);
  }
  assert.equal(client.overworld.queuedCalls, 200);
  assert.deepEqual(client.errors, ['queue_full']);
  proxy.decide = () => 'pass';
  await client.overworld.flush();
  assert.equal((await leaderboards.around('many')).entries[0]!.score, 1_000);
  assert.deepEqual(client.errors, ['queue_full', 'not_found']);
});

test('a board that is refused for an hour does not hold up the scores of other boards', async () => {
  const store = makeStore();
  await using client = makeClient(proxy, game, { store, playerId: 'boards' });
  const { leaderboards } = client.overworld;
  const message = 'Your network has made 20 new leaderboards of this game';
  const body = JSON.stringify({ error: 'Too Many Requests', statusCode: 429, message });
  const refused = { status: 429, headers: { 'retry-after': '3000' }, body };
  proxy.decide = busy;
  await assert.rejects(leaderboards.submit('refused', 1), isKept);
  await assert.rejects(leaderboards.submit('waiting', 2), isKept);
  proxy.decide = inTurn(refused, 'pass', 'pass');
  const { rank } = await leaderboards.submit('other', 3);
  assert.equal(rank, 1);
  assert.equal(client.overworld.queuedCalls, 1);
  assert.equal((await leaderboards.page('waiting')).entries.length, 1);
  proxy.decide = inTurn(refused);
  await assert.rejects(leaderboards.submit('refused', 4), { code: 'rate_limited', isKept: true });
  assert.equal(await client.overworld.flush(), true);
  assert.equal((await leaderboards.page('refused')).entries[0]!.score, 4);
});

test('a call that the server refuses is not kept', async () => {
  await using client = makeClient(server, game, { playerId: 'refused' });
  await assert.rejects(
    client.overworld.achievements.unlock('none'),
    ({ code, isKept: kept }: OverworldError) => code === 'not_found' && !kept,
  );
  assert.equal(client.overworld.queuedCalls, 0);
});

test('a kept save that is then deleted is not sent later', async () => {
  await using client = makeClient(proxy, game, { playerId: 'deleter' });
  proxy.decide = busy;
  await assert.rejects(client.overworld.saves.save({ level: 1 }), isKept);
  await assert.rejects(client.overworld.saves.delete());
  proxy.decide = () => 'pass';
  assert.equal(await client.overworld.flush(), true);
  assert.equal(await client.overworld.saves.load(), null);
});
