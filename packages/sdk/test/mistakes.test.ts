import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { TestGame, TestServer } from '../../server/test/harness.ts';
import { startTestServer } from '../../server/test/harness.ts';
import { Overworld } from '../src/overworld.ts';
import type { OverworldOptions } from '../src/overworld.ts';
import { makeClient } from './client.ts';
import { startProxy } from './proxy.ts';

const { warn } = console;
let said: string[];
let server: TestServer;
let game: TestGame;
before(async () => {
  server = await startTestServer();
  game = await server.makeGame();
});
beforeEach(() => {
  said = [];
  console.warn = (text: string) => said.push(text);
});
after(async () => {
  console.warn = warn;
  await server.close();
});

test('the constructor throws for a URL or a key that cannot be right', () => {
  for (const [options, message] of [
    [{ baseUrl: 'https://play.example.com' }, /^apiKey is missing/],
    [{ baseUrl: 'https://play.example.com', apiKey: '' }, /^apiKey is missing/],
    [{ baseUrl: 'https://play.example.com', apiKey: 'ow_dev_…' }, /not a key$/],
    [{ baseUrl: 'https://play.example.com', apiKey: 'ow_dev_1 ' }, /not a key$/],
    [{ apiKey: 'ow_dev_1' }, /^baseUrl is no web address: undefined$/],
    [{ baseUrl: 'play.example.com', apiKey: 'ow_dev_1' }, /address: play.example.com$/],
    [{ baseUrl: 'https:///', apiKey: 'ow_dev_1' }, /^baseUrl is no web address/],
  ] as const) {
    const make = () => new Overworld(options as OverworldOptions);
    assert.throws(make, { name: 'TypeError', message });
  }
});

test('a wrong key, a wrong URL and dropped events are logged once, and only in development', async () => {
  for (const [is_told, apiKey, wrong] of [
    [true, game.development_key, 'ow_dev_wrong'],
    [false, game.production_key, 'ow_live_wrong'],
  ] as const) {
    said = [];
    await using refused = makeClient(server, game, { apiKey: wrong });
    await assert.rejects(refused.overworld.config.load(), { code: 'unauthorized' });
    await assert.rejects(refused.overworld.identify({}), { code: 'unauthorized' });
    await using lost = makeClient({ url: 'http://127.0.0.1:1' }, game, { apiKey });
    await lost.overworld.flush();
    await lost.overworld.flush();
    await using clumsy = makeClient(server, game, { apiKey });
    clumsy.overworld.track('x'.repeat(300));
    clumsy.overworld.track('x'.repeat(300));
    assert.equal(await clumsy.overworld.flush(), true);
    if (is_told) {
      assert.equal(said.length, 3, said.join('\n'));
      assert.match(said[0]!, /http:.* with key ow_dev_wrong…: Invalid API key/);
      assert.match(
        said[1]!,
        /http:\/\/127\.0\.0\.1:1 with key ow_dev_.*…: The server was not reached/,
      );
      assert.match(said[2]!, /Events are dropped \(rejected\): .*event_name/);
    } else {
      assert.deepEqual(said, []);
    }
  }
});

test('with a development key the console says once who answered in place of the server', async () => {
  await using proxy = await startProxy(() => Number(new URL(server.url).port));
  proxy.decide = () => ({ status: 403, body: '<html>Log in to the Wi-Fi</html>' });
  for (const [apiKey, count] of [
    [game.development_key, 1],
    [game.production_key, 0],
  ] as const) {
    said = [];
    await using client = makeClient(proxy, game, { apiKey });
    await client.overworld.flush();
    await client.overworld.flush();
    assert.equal(said.length, count, said.join('\n'));
    if (count === 0) continue;
    assert.match(said[0]!, new RegExp(`${proxy.url} with key .*\\(403 text/html\\)$`));
  }
  proxy.decide = () => ({
    status: 302,
    headers: { location: 'http://portal.example/in' },
    body: '',
  });
  await using client = makeClient(proxy, game);
  await assert.rejects(
    client.overworld.leaderboards.page('b'),
    /302 .*http:\/\/portal\.example\/in/,
  );
});

test('with a development key the console says that the server has no such route', async () => {
  await using client = makeClient({ url: `${server.url}/v1` }, game, {
    apiKey: game.development_key,
  });
  client.overworld.track('step');
  assert.equal(await client.overworld.flush(), false);
  assert.match(said.join(), new RegExp(`${server.url}/v1 with key .*: Route not found$`));
});

test('a config value of another type is replaced by the fallback, and is reported once', async () => {
  await using proxy = await startProxy(() => Number(new URL(server.url).port));
  proxy.decide = () => ({
    status: 200,
    body: '{"config":{"speed":"fast","waves":[1]},"version":1}',
  });
  await using client = makeClient(proxy, game, { apiKey: game.development_key });
  const { config } = client.overworld;
  await config.load();
  assert.deepEqual(
    [config.get('speed', 1), config.get('speed', 1), config.get('waves', [0])],
    [1, 1, [1]],
  );
  assert.deepEqual(
    said.filter((text) => text.includes('speed')),
    ['[Overworld] Config value speed is a string, not a number'],
  );
});
