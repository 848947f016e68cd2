import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../packages/server/test/harness.ts';
import { csharp } from './csharp.ts';
import { makeDevice } from './device.ts';
import { startRawServer } from './raw-server.ts';

test(
  "C#: the test of a connection names each problem, and names none if the server accepts the game's key",
  { skip: csharp.skip },
  async (t) => {
    await using server = await startTestServer();
    const { development_key, production_key } = await server.makeGame();
    const page = await startRawServer(t, (socket) =>
      socket.end('HTTP/1.0 200 OK\r\n\r\n<p>Hi</p>'),
    );
    const { start } = await makeDevice(t, csharp, 'http://127.0.0.1:1');
    const game = await start();
    const find = (base_url: string, api_key: string) =>
      game.call('find_problem', { base_url, api_key });
    assert.equal(await find(server.url, development_key), null);
    assert.equal(await find(`${server.url}/`, production_key), null);
    assert.equal(await find(server.url, 'ow_dev_wrong'), 'The server answers: Invalid API key');
    assert.match(await find(`${server.url}/elsewhere`, development_key), /^The server answers: /);
    assert.equal(await find(page.url, 'ow_dev_1'), `No Overworld server answers at ${page.url}`);
    assert.match(
      await find('http://127.0.0.1:1', 'ow_dev_1'),
      /^No Overworld server answers at .*: /,
    );
    assert.match(await find('play.example.com', 'ow_dev_1'), /^The address must be like/);
    assert.equal(await find(server.url, ''), 'The API key is missing or not a key');
  },
);
