import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import type { TestGame, TestServer } from '../../server/test/harness.ts';
import { waitUntil } from '../../server/test/wait-until.ts';
import { listNumbers, listStored, range } from './client.ts';
import { makeLoginGame } from './login-game.ts';
import { startNetwork } from './network.ts';
import { inTurn, startProxy } from './proxy.ts';
import type { Proxy } from './proxy.ts';
import { openWebGame, withoutBrowser } from './web-game.ts';
import type { WebGame } from './web-game.ts';
import type { WorkerTask } from './web-main.ts';

const MAIN = fileURLToPath(new URL('web-main.ts', import.meta.url));

describe('in a browser', { skip: withoutBrowser }, () => {
  let server: TestServer;
  let proxy: Proxy;
  let close: () => Promise<void>;
  let web: WebGame;
  let context: BrowserContext;
  before(async () => {
    [{ server, proxy, close }, web] = await Promise.all([startNetwork(), openWebGame(MAIN)]);
    context = await web.browser.newContext();
  });
  after(async () => {
    await web[Symbol.asyncDispose]();
    await close();
  });

  /** Opens a page of the game. The page sends events only when a test flushes. */
  const open = async (game: TestGame, playerId: string, url = proxy.url): Promise<Page> => {
    const page = await context.newPage();
    const options = { baseUrl: url, apiKey: game.production_key, playerId };
    await page.goto(web.urlOf({ ...options, flushIntervalMs: 600_000, timeoutMs: 5_000 }));
    await page.waitForFunction('globalThis.overworld');
    return page;
  };

  test('a game on another origin can make all calls and read the headers it needs', async () => {
    const game = await server.makeGame();
    const page = await open(game, 'caller', server.url);
    const answers = await page.evaluate(`(async () => {
      const error = await overworld.achievements.unlock('none').catch((reason) => reason);
      await overworld.config.load();
      return {
        error: [error.code, error.requestId],
        config: await overworld.config.load({ maxAgeMs: 0 }),
        tags: await overworld.tags.add('beta'),
        removed: await overworld.tags.remove('beta'),
        properties: await overworld.identify({ level: 2 }),
        saved: (await overworld.saves.save({ level: 2 })).version,
        loaded: (await overworld.saves.load()).data,
        deleted: await overworld.saves.delete(),
        rank: (await overworld.leaderboards.submit('best', 7)).rank,
        around: (await overworld.leaderboards.around('best')).entries.length,
      };
    })()`);
    const { error, ...rest } = answers as { error: string[] };
    assert.equal(error[0], 'not_found');
    assert.match(error[1]!, /^[0-9a-f-]{36}$/);
    assert.deepEqual(rest, {
      config: { config: {}, version: 0, isStale: false },
      tags: ['beta'],
      removed: undefined,
      properties: { level: 2 },
      saved: 1,
      loaded: { level: 2 },
      deleted: undefined,
      rank: 1,
      around: 1,
    });
    await page.close();
  });

  test('a tab is told at once when another tab has logged in, and stays its player', async () => {
    const game = await makeLoginGame(server);
    const guest = await open(game, '', server.url);
    await guest.evaluate('overworld.identify({})');
    const guest_id = await guest.evaluate('overworld.playerId');
    const other = await open(game, '', server.url);
    const token = await game.sign('other tab');
    const logIn = `overworld.account.loginWith('custom', { token: '${token}' })`;
    const { player_id } = (await other.evaluate(logIn)) as { player_id: string };
    await guest.waitForFunction('toldPlayers.length > 0');
    const told = await guest.evaluate('[toldPlayers, overworld.playerId]');
    assert.deepEqual(told, [[player_id], guest_id]);
    await guest.reload();
    await guest.waitForFunction('globalThis.overworld');
    assert.equal(await guest.evaluate('overworld.playerId'), player_id);
    await Promise.all([guest.close(), other.close()]);
  });

  test('only the first request to a URL has a preflight', async () => {
    const game = await server.makeGame();
    await using own = await startProxy(() => Number(new URL(server.url).port));
    const page = await open(game, 'preflights', own.url);
    const send = (n: number) => page.evaluate(`trackNumbers(${n}, ${n}); overworld.flush()`);
    assert.equal(await send(1), true);
    const sent = own.requests;
    for (const n of [2, 3, 4]) assert.equal(await send(n), true);
    assert.equal(own.requests - sent, 3);
    await page.close();
  });

  test('event times follow the clock of the server', async () => {
    const game = await server.makeGame();
    const page = await open(game, 'clock', server.url);
    await page.evaluate(`(async () => {
      const { now } = Date;
      Date.now = () => now() + 7_200_000;
      trackNumbers(1, 1);
      await overworld.flush();
    })()`);
    const [event] = await listStored(server, game, { player_id: 'clock' });
    const off_ms = Math.abs(Date.parse(event!.client_timestamp!) - Date.now());
    assert.ok(off_ms < 60_000, `${off_ms} ms`);
    await page.close();
  });

  test('events tracked right before a reload are sent by the next page, once and in order', async () => {
    const game = await server.makeGame();
    const page = await open(game, 'reloads');
    for (let round = 0; round < 6; round++) {
      proxy.decide = inTurn(...(['refuse', 'lose_answer', 'pass'] as const).slice(round % 3));
      const loaded = page.waitForEvent('load');
      // The last event is tracked in the same task of the browser that reloads the page.
      await page
        .evaluate(
          `void overworld.flush(); trackNumbers(${round * 4 + 1}, ${round * 4 + 3}); setTimeout(() => { trackNumbers(${round * 4 + 4}, ${round * 4 + 4}); location.reload(); }, ${round * 10});`,
        )
        .catch(() => undefined);
      await loaded;
      await page.waitForFunction('globalThis.overworld');
    }
    proxy.decide = () => 'pass';
    await waitUntil(
      'all are sent',
      async () => (await page.evaluate('overworld.flush()')) === true,
    );
    assert.deepEqual(await listNumbers(server, game, 'reloads'), range(1, 24));
    assert.equal(await page.evaluate(`JSON.stringify(localStorage).includes('step')`), false);
    await page.close();
  });

  test('a page that closes still sends its waiting events itself', async () => {
    const game = await server.makeGame();
    const openAndClose = async (playerId: string, from: number, to: number) => {
      const page = await open(game, playerId);
      await waitUntil('what the page before left is sent', async () => {
        return !(await page.evaluate(`JSON.stringify(localStorage).includes('step')`));
      });
      await page.evaluate(`trackNumbers(${from}, ${to})`);
      await page.close({ runBeforeUnload: false });
      const isStored = async () => (await listNumbers(server, game, playerId)).includes(to);
      return waitUntil('they are stored', isStored).then(
        () => true,
        (error: Error) => {
          if (!error.message.endsWith('they are stored')) throw error;
          return false;
        },
      );
    };
    // Chromium stops a closing page after half a second. On a busy machine this may be too short.
    for (const id of ['closing-1', 'closing-2', 'closing-3']) {
      // The first page gets no answer, so it leaves its events in the store for the second page.
      if (!(await openAndClose(id, 1, 40)) || !(await openAndClose(id, 41, 60))) continue;
      assert.deepEqual(await listNumbers(server, game, id), range(1, 60));
      return;
    }
    assert.fail('No page sent its events when it was closed');
  });

  test('each tab sends its own events, and a living tab also sends the events of a dead tab', async () => {
    const game = await server.makeGame();
    const pages = await Promise.all(['tab-1', 'tab-2', 'tab-3'].map((id) => open(game, id)));
    const [first, second, third] = pages as [Page, Page, Page];
    proxy.decide = () => 'lose_answer';
    for (const page of pages) await page.evaluate('trackNumbers(1, 30); overworld.flush()');
    for (const page of pages) await page.evaluate('trackNumbers(31, 60)');
    // Kills the renderer, so that no handler of the page runs.
    await first.goto('chrome://crash').catch(() => undefined);
    await first.close();
    proxy.decide = () => 'pass';
    await waitUntil('the others have sent it all', async () => {
      const flushed = await Promise.all([
        second.evaluate('overworld.flush()'),
        third.evaluate('overworld.flush()'),
      ]);
      // A request that began before the network returned may fail, and then its flush fails too.
      return !flushed.includes(false) && (await listNumbers(server, game, 'tab-1')).length >= 60;
    });
    for (const id of ['tab-1', 'tab-2', 'tab-3']) {
      assert.deepEqual(await listNumbers(server, game, id), range(1, 60), id);
    }
    await second.close();
    await third.close();
  });

  test('a worker stores events in IndexedDB', async () => {
    const game = await server.makeGame();
    const page = await open(game, 'page');
    const options = { baseUrl: proxy.url, apiKey: game.production_key, playerId: 'worker' };
    const runWorker = (flushed: number, kept: number) => {
      const task: WorkerTask = { options: { ...options, flushIntervalMs: 600_000 }, flushed, kept };
      return page.evaluate(`new Promise((resolve) => {
        const worker = new Worker('/main.js', { type: 'module' });
        worker.onmessage = ({ data }) => { worker.terminate(); resolve(data); };
        worker.postMessage(${JSON.stringify(task)});
      })`);
    };
    proxy.decide = () => 'lose_answer';
    assert.equal(await runWorker(5, 8), false);
    proxy.decide = () => 'pass';
    assert.equal(await runWorker(0, 0), true);
    assert.deepEqual(await listNumbers(server, game, 'worker'), range(1, 8));
    await page.close();
  });

  test('a page sends its events when it is online again', async () => {
    const game = await server.makeGame();
    const page = await open(game, 'offline', server.url);
    await context.setOffline(true);
    await page.evaluate('trackNumbers(1, 3)');
    assert.equal(await page.evaluate('overworld.flush()'), false);
    const code = await page.evaluate('overworld.identify({}).catch(({ code }) => code)');
    assert.equal(code, 'offline');
    await context.setOffline(false);
    await waitUntil('they are stored', async () => {
      return (await page.evaluate('overworld.queuedEvents')) === 0;
    });
    assert.deepEqual(await listNumbers(server, game, 'offline'), range(1, 3));
    await page.close();
  });
});
