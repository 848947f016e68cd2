import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { csharp } from './csharp.ts';
import { makeDevice } from './device.ts';
import { API_KEY } from './transcript.ts';

const plugin = readFileSync(
  new URL('../unity/Runtime/Unity/Plugins/OverworldStore.jslib', import.meta.url),
  'utf8',
);

/** The functions of Unity's player that the plugin calls. A pointer is an index of `heap`. */
const PLAYER = `
  const heap = [null];
  const LibraryManager = { library: {} };
  const mergeInto = Object.assign;
  const UTF8ToString = (pointer) => heap[pointer];
  const lengthBytesUTF8 = (text) => new TextEncoder().encode(text).length;
  const _malloc = (size) => heap.push(size) - 1;
  const stringToUTF8 = (text, pointer, size) => {
    if (heap[pointer] !== size || lengthBytesUTF8(text) >= size) throw new Error('no room');
    heap[pointer] = text;
  };
  const call = (name, ...texts) => {
    const answer = LibraryManager.library[name](...texts.map((text) => heap.push(text) - 1));
    return name === 'OverworldStoreWrite' ? answer : UTF8ToString(answer);
  };`;

describe(
  'the storage of a Unity game in a browser',
  { skip: process.env.CHROMIUM_PATH ? false : 'no Chromium was found' },
  () => {
    let browser: Browser;
    let site: string;
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<script>${PLAYER}${plugin}</script>`);
    });
    before(async () => {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      browser = await chromium.launch({
        executablePath: process.env.CHROMIUM_PATH,
        args: ['--headless', '--no-sandbox', '--disable-gpu'],
      });
    });
    after(async () => {
      await browser.close();
      server.close();
    });

    test('the player stays when a new version is uploaded to another address of the site', async () => {
      const page = await browser.newPage();
      await page.goto(`${site}/uploads/1/`);
      const identity = JSON.stringify({ player_id: 'p-1', name: 'Jü\u{1F680}' });
      const key = 'overworld:studio/game:production:player';
      const write = (name: string, text: string) =>
        page.evaluate(
          `call('OverworldStoreWrite', ${JSON.stringify(name)}, ${JSON.stringify(text)})`,
        );
      assert.equal(await write(key, identity), 1);
      assert.equal(await write('overworld:studio/other:production:player', '{}'), 1);
      await page.goto(`${site}/uploads/2/`);
      assert.equal(await page.evaluate(`call('OverworldStoreRead', '${key}')`), identity);
      const listed = await page.evaluate(`call('OverworldStoreList', 'overworld:studio/game:')`);
      assert.equal(listed, key);
      await page.evaluate(`call('OverworldStoreDelete', '${key}')`);
      assert.equal(await page.evaluate(`call('OverworldStoreRead', '${key}')`), null);
      await page.close();
    });

    test('files in memory are copied to the storage of the browser', async () => {
      const page = await browser.newPage();
      await page.goto(`${site}/files/`);
      const answers = await page.evaluate(`(() => {
        const directions = [];
        globalThis.FS = { syncfs: (isLoad, done) => done(directions.push(isLoad) && null) };
        LibraryManager.library.OverworldCopyFiles();
        return directions;
      })()`);
      assert.deepEqual(answers, [false]);
      await page.close();
    });

    test('a full storage is reported, and keeps the earlier text', async () => {
      const page = await browser.newPage();
      await page.goto(`${site}/full/`);
      const answers = await page.evaluate(`[
      call('OverworldStoreWrite', 'overworld:a', 'small'),
      call('OverworldStoreWrite', 'overworld:a', 'x'.repeat(6_000_000)),
      call('OverworldStoreRead', 'overworld:a'),
    ]`);
      assert.deepEqual(answers, [1, 0, 'small']);
      await page.close();
    });
  },
);

test(
  'the first start with this storage takes over the player and the events of the previous release',
  { skip: csharp.skip },
  async (t) => {
    const nowhere = { player_id: undefined, base_url: 'http://127.0.0.1:1' };
    const { folder, start } = await makeDevice(t, csharp, nowhere.base_url, nowhere);
    const previous = await start();
    const player_id = await previous.call('player_id');
    await previous.call('track', { event_name: 'step', properties: {} });
    const { queued } = await previous.call('reports');
    await previous.kill();
    const web = await csharp.start({ ...nowhere, folder, api_key: API_KEY, is_web: true });
    t.after(() => web.kill());
    assert.equal(await web.call('player_id'), player_id);
    assert.ok((await web.call('reports')).queued >= queued);
  },
);

test(
  'a page without room leaves the files of the previous release in use, and a later start takes them over',
  { skip: csharp.skip },
  async (t) => {
    const nowhere = { player_id: undefined, base_url: 'http://127.0.0.1:1' };
    const { folder, start } = await makeDevice(t, csharp, nowhere.base_url, nowhere);
    const previous = await start();
    const player_id = await previous.call('player_id');
    await previous.call('track', { event_name: 'step', properties: {} });
    const { queued } = await previous.call('reports');
    await previous.kill();
    // The first text is small enough, the others are not.
    for (const [index, web_room] of [100, 0, undefined].entries()) {
      const device = { ...nowhere, folder, api_key: API_KEY, is_web: true };
      const web = await csharp.start({ ...device, ...(web_room !== undefined && { web_room }) });
      t.after(() => web.kill());
      assert.equal(await web.call('player_id'), player_id);
      const copies = await web.call('web_copies');
      await web.call('track', { event_name: 'step', properties: {} });
      assert.ok((await web.call('reports')).queued > queued + index);
      // The files of a page are lost with it unless they are copied after each change.
      assert.equal((await web.call('web_copies')) > copies, web_room !== undefined);
      await web.kill();
    }
  },
);

test(
  'a page whose files cannot be listed plays with its own storage',
  { skip: csharp.skip },
  async (t) => {
    const nowhere = { player_id: undefined, base_url: 'http://127.0.0.1:1' };
    const { folder } = await makeDevice(t, csharp, nowhere.base_url);
    const blocked = join(folder, 'file');
    writeFileSync(blocked, '');
    const web = await csharp.start({ ...nowhere, folder: blocked, api_key: API_KEY, is_web: true });
    t.after(() => web.kill());
    await web.call('track', { event_name: 'step', properties: {} });
    assert.equal((await web.call('reports')).errors.length, 0);
    assert.equal(await web.call('web_copies'), 0);
  },
);
