import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { OverworldServer } from '../../src/server/server.ts';
import { startNetwork } from '../network.ts';
import { inTurn } from '../proxy.ts';
import type { Fate, Proxy } from '../proxy.ts';

let network: Awaited<ReturnType<typeof startNetwork>>;
let proxy: Proxy;
let apiKey: string;
let overworld: OverworldServer;
before(async () => {
  network = await startNetwork();
  ({ proxy } = network);
});
after(() => network.close());
beforeEach(async () => {
  proxy.decide = () => 'pass';
  const { game_id } = await network.server.makeGame();
  apiKey = await network.server.makeKey(game_id, 'production', 'server');
  overworld = new OverworldServer({ baseUrl: proxy.url, apiKey });
});

const codeOf = (failing: Promise<unknown>): Promise<string> =>
  failing.then(
    () => 'no error',
    (error) => error.code,
  );

test('answers of something else than Overworld are no answers', async () => {
  const foreign: Fate[] = [
    { status: 404, body: '<html>nginx</html>' },
    { status: 200, body: '<html>log in</html>' },
    { status: 403, body: '{"error":"blocked"}' },
  ];
  proxy.decide = inTurn(...foreign);
  const { rank } = await overworld.player('ann').leaderboards.submit('arena', 1);
  assert.equal(rank, 1);
  proxy.decide = inTurn({ status: 307, headers: { location: 'http://127.0.0.1:1/' }, body: '' });
  assert.deepEqual(await overworld.config(), { config: {}, version: 0 });
  proxy.decide = () => ({ status: 200, body: '{"player_id":"ann"}' });
  assert.equal(await codeOf(overworld.player('ann').get()), 'bad_answer');
});

test('the client waits as long as the server asks, up to 15 seconds', async () => {
  const busy = (seconds: string): Fate => ({
    status: 503,
    headers: { 'retry-after': seconds, 'overworld-server': '1.0.0' },
    body: '{"error":"busy"}',
  });
  proxy.decide = inTurn(busy('2'));
  const began = performance.now();
  await overworld.config();
  assert.ok(performance.now() - began > 1_990);
  proxy.decide = () => busy('16');
  const count = proxy.requests;
  const failure = await overworld.config().catch((error) => error);
  assert.deepEqual(
    [failure.code, failure.retryAfterMs, failure.status],
    ['server_error', 16_000, 503],
  );
  assert.equal(proxy.requests, count + 1);
});

test('an attempt without an answer ends after the time limit', async () => {
  const hasty = new OverworldServer({ baseUrl: proxy.url, apiKey, timeoutMs: 100 });
  proxy.decide = inTurn('hang');
  assert.deepEqual(await hasty.config(), { config: {}, version: 0 });
  proxy.decide = () => 'hang';
  assert.equal(await codeOf(hasty.config()), 'timeout');
});
