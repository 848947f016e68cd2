import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { TestGame, TestServer } from '../../server/test/harness.ts';
import { waitUntil } from '../../server/test/wait-until.ts';
import type { PlayerMessage } from '../src/overworld.ts';
import { OverworldServer } from '../src/server/server.ts';
import { makeClient, makeStore } from './client.ts';
import { startNetwork } from './network.ts';
import type { Proxy } from './proxy.ts';

const COINS = [{ type: 'item' as const, key: 'coins', quantity: 50 }];

let network: Awaited<ReturnType<typeof startNetwork>>;
let server: TestServer;
let proxy: Proxy;
let game: TestGame;
let studio: OverworldServer;
before(async () => {
  network = await startNetwork();
  ({ server, proxy } = network);
});
after(() => network.close());
beforeEach(async () => {
  proxy.decide = () => 'pass';
  game = await server.makeGame();
  const apiKey = await server.makeKey(game.game_id, 'production', 'server');
  studio = new OverworldServer({ baseUrl: server.url, apiKey });
});

const everyone = { type: 'everyone' as const };

test('messages are listed, read, claimed once and deleted', async () => {
  const { id } = await studio.messages.send({ to: everyone, title: 'Sorry', rewards: COINS });
  await using client = makeClient(proxy, game);
  const { messages } = client.overworld;
  const listed = await messages.list();
  assert.deepEqual([listed.unread_count, listed.isStale], [1, false]);
  assert.equal(listed.messages[0]!.title, 'Sorry');
  await messages.read(id);
  assert.equal((await messages.list()).unread_count, 0);
  const first = await messages.claim(id);
  const again = await messages.claim(id);
  assert.deepEqual([first.already_claimed, again.already_claimed], [false, true]);
  assert.deepEqual([first.rewards, again.rewards], [COINS, COINS]);
  await messages.delete(id);
  await assert.rejects(messages.delete(id), { code: 'not_found' });
  assert.deepEqual((await messages.list()).messages, []);
});

test('texts come in the language that the game asks for, also at later lists', async () => {
  const translations = { de: { title: 'Hallo' } };
  await studio.messages.send({ to: everyone, title: 'Hello', translations });
  await using client = makeClient(proxy, game);
  const titleOf = async (options?: { locale: string }) =>
    (await client.overworld.messages.list(options)).messages[0]!.title;
  assert.equal(await titleOf({ locale: 'de-AT' }), 'Hallo');
  assert.equal(await titleOf(), 'Hallo');
  assert.equal(await titleOf({ locale: 'fr' }), 'Hello');
});

test('without a network the last list is given, also after a restart', async () => {
  await studio.messages.send({ to: everyone, title: 'Kept' });
  const store = makeStore();
  {
    await using client = makeClient(proxy, game, { store });
    await client.overworld.messages.list();
  }
  proxy.decide = () => 'refuse';
  await using client = makeClient(proxy, game, { store });
  const { messages, isStale } = await client.overworld.messages.list();
  assert.deepEqual([messages[0]!.title, isStale], ['Kept', true]);
  await using other = makeClient(proxy, game, { playerId: 'p-2', store });
  await assert.rejects(other.overworld.messages.list());
});

test('the game is told of each new message once, at its start and at later lists', async () => {
  const store = makeStore();
  const told: string[][] = [];
  const onMessages = (messages: PlayerMessage[]) => told.push(messages.map(({ title }) => title));
  await studio.messages.send({ to: everyone, title: 'first' });
  {
    await using client = makeClient(proxy, game, { store, onMessages });
    await waitUntil('the game is told', async () => told.length === 1);
    await studio.messages.send({ to: everyone, title: 'second' });
    await client.overworld.messages.list();
  }
  await using client = makeClient(proxy, game, { store, onMessages });
  await client.overworld.messages.list();
  assert.deepEqual(told, [['first'], ['second']]);
});

test('of two lists at the same time, one tells of a new message', async () => {
  const told: number[] = [];
  const onMessages = (messages: PlayerMessage[]) => told.push(messages.length);
  await studio.messages.send({ to: everyone, title: 'first' });
  await using client = makeClient(proxy, game, { onMessages });
  const { messages } = client.overworld;
  await Promise.all([messages.list(), messages.list()]);
  assert.deepEqual(told, [1]);
});

test('a list that has not changed is given again', async () => {
  await studio.messages.send({ to: everyone, title: 'Same' });
  await using client = makeClient(proxy, game);
  const first = await client.overworld.messages.list();
  assert.deepEqual(await client.overworld.messages.list(), first);
});
