import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { OverworldServer } from '../../packages/sdk/src/server/server.ts';
import { startTestServer } from '../../packages/server/test/harness.ts';
import type { TestServer } from '../../packages/server/test/harness.ts';
import { waitUntil } from '../../packages/server/test/wait-until.ts';
import type { Engine } from './engine.ts';
import { engines } from './engines.ts';
import { openGate } from './gate.ts';
import type { Gate } from './gate.ts';

const COINS = [{ type: 'item' as const, key: 'coins', quantity: 50 }];
const everyone = { type: 'everyone' as const };

let server: TestServer;
let gate: Gate;
before(async () => {
  server = await startTestServer();
  gate = await openGate(server.url);
});
after(async () => {
  await gate.close();
  await server.close();
});

/** Makes a game with statistics and an achievement that unlocks by one of them, and a device to play it on. */
async function makeGame(t: TestContext, engine: Engine) {
  const { game_id, production_key } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id, role: 'developer' });
  const define = async (path: string, body: object) => {
    const answer = await server.request('POST', `/v1/games/${game_id}/${path}`, { token, body });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
  };
  await define('stats', { key: 'wins', name: 'Wins' });
  await define('stats', { key: 'coins', name: 'Coins', minimum: 0 });
  await define('achievements', {
    key: 'winner',
    name: 'Winner',
    description: '',
    translations: { de: { name: 'Sieger' } },
    icon_url: '',
    points: 5,
    unlock_when: [{ stat: 'wins', at_least: 100 }],
  });
  const apiKey = await server.makeKey(game_id, 'production', 'server');
  const studio = new OverworldServer({ baseUrl: server.url, apiKey });
  const folder = await mkdtemp(join(tmpdir(), 'overworld-messages-'));
  gate.isShut = false;
  t.after(() => rm(folder, { recursive: true, force: true }));
  const start = async () => {
    const device = { api_key: production_key, player_id: 'juno', folder };
    const game = await engine.start({ base_url: gate.url, timeout_seconds: 5, ...device });
    t.after(() => game.kill());
    return game;
  };
  return { studio, start };
}

for (const engine of engines) {
  describe(`${engine.name}, statistics and messages`, { skip: engine.skip }, () => {
    test('changes of statistics without a network are made once, after a restart', async (t) => {
      const { start } = await makeGame(t, engine);
      const first = await start();
      const changed = await first.call('stats.change', { changes: { wins: 36, coins: 0.5 } });
      assert.deepEqual(changed, { wins: 36, coins: 0.5 });
      await assert.rejects(first.call('stats.change', { changes: { wins: 1, coins: -1 } }), {
        code: 'bad_request',
        isKept: false,
      });
      gate.isShut = true;
      const lost = [1, 2].map(() => first.call('stats.change', { changes: { wins: 0.5 } }));
      const outcomes = await Promise.allSettled(lost);
      for (const outcome of outcomes) {
        assert.ok(outcome.status === 'rejected' && outcome.reason.isKept, JSON.stringify(outcome));
      }
      await first.kill();
      gate.isShut = false;
      const next = await start();
      assert.equal(await next.call('flush'), true);
      assert.deepEqual(await next.call('stats.list'), [
        { key: 'coins', aggregation: 'sum', value: 0.5 },
        { key: 'wins', aggregation: 'sum', value: 37 },
      ]);
      assert.deepEqual(await next.call('achievements.progress'), [
        { key: 'winner', progress: { current: 37, target: 100 } },
      ]);
    });

    test('messages are listed, told once, read, claimed once, deleted, and kept without a network', async (t) => {
      const { studio, start } = await makeGame(t, engine);
      const texts = { title: 'Hello', translations: { de: { title: 'Hallo' } } };
      const { id } = await studio.messages.send({ to: everyone, ...texts, rewards: COINS });
      const first = await start();
      await first.call('messages.watch');
      await waitUntil('the game is told', async () => {
        const told = await first.call('messages.told');
        return told.length > 0;
      });
      const { id: second } = await studio.messages.send({ to: everyone, title: 'Second' });
      const listed = await first.call('messages.list', { locale: 'de-AT' });
      const hello = { id, title: 'Hallo', read: false, claimed: false };
      assert.deepEqual(listed, {
        messages: [{ id: second, title: 'Second', read: false, claimed: false }, hello],
        unread_count: 2,
        is_stale: false,
      });
      assert.deepEqual(await first.call('messages.told'), [[id], [second]]);
      await first.call('messages.read', { id: second });
      const claim = () => first.call('messages.claim', { id });
      assert.deepEqual(await claim(), { already_claimed: false, rewards: COINS });
      assert.deepEqual(await claim(), { already_claimed: true, rewards: COINS });
      await first.call('messages.delete', { id: second });
      await assert.rejects(first.call('messages.delete', { id: second }), { code: 'not_found' });
      const last = await first.call('messages.list');
      assert.deepEqual(last.messages, [{ ...hello, read: true, claimed: true }]);
      await first.kill();

      gate.isShut = true;
      const next = await start();
      await next.call('messages.watch');
      assert.deepEqual(await next.call('messages.list'), { ...last, is_stale: true });
      await assert.rejects(next.call('messages.claim', { id }), { isKept: false });
      gate.isShut = false;
      const back = await next.call('messages.list', { locale: 'de' });
      assert.deepEqual(back, last);
      assert.deepEqual(await next.call('messages.told'), []);
    });
  });
}
