import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { build } from 'vite';
import { returnBrowser, takeBrowser } from '../../../packages/dashboard/test/shared-browser.ts';
import { startTestServer } from '../../../packages/server/test/harness.ts';
import type { TestServer } from '../../../packages/server/test/harness.ts';
import { serveGame } from '../setup/game-server.ts';
import { registerAccounts, setUpGame } from '../setup/set-up-game.ts';
import type { GameAccess } from '../setup/set-up-game.ts';
import { createAccountServer } from '../studio/account-server.ts';
import { Accounts } from '../studio/accounts.ts';
import type { Difficulty } from '../src/world/weather.ts';

/** A timeout that is long enough for a machine that is busy with other tests. */
const PATIENCE_MS = 30_000;
/** Matches the errors that a browser logs by itself for a missing save, a conflict, or a missing network. */
const EXPECTED = /status of (404|409)|ERR_INTERNET_DISCONNECTED/;
/** Matches the URLs of requests that the server refuses because of a wrong PIN or an ended login. */
const REFUSING = /\/accounts\/|\/v1\/players\/refresh$/;

/** The built game in a real browser, with a real server. */
export interface Playing {
  server: TestServer;
  game: GameAccess;
  /** The device that `openTab` uses if it is called without a device. */
  context: BrowserContext;
  /** Opens another device, which has its own player. */
  openDevice(options: BrowserContextOptions): Promise<BrowserContext>;
  /** Opens the game in another tab, and waits until the tab shows the title screen. */
  openTab(device?: BrowserContext): Promise<Page>;
  setDifficulty(difficulty: Difficulty): Promise<void>;
  close(): Promise<void>;
}

/** The folder of the built game. All tests of this process share one build. */
let built: Promise<string> | undefined;

async function buildGame(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'overworld-moonward-built-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await build({
    configFile: join(import.meta.dirname, '../vite.config.ts'),
    build: { outDir: folder },
  });
  return folder;
}

export async function startPlaying(): Promise<Playing> {
  const folder = await mkdtemp(join(tmpdir(), 'overworld-moonward-'));
  built ??= buildGame();
  const [server, browser, game_folder] = await Promise.all([
    startTestServer(),
    takeBrowser(),
    built,
  ]);
  const { token } = await server.makeAccount();
  const game = await setUpGame(server.url, token, null);
  const secret = randomBytes(32).toString('base64url');
  await registerAccounts(server.url, token, game.game_id, secret);
  const accounts = await Accounts.open(join(folder, 'accounts.json'));
  const game_server = await serveGame(
    {
      folder: game_folder,
      host: '127.0.0.1',
      port: 0,
      answerAccounts: createAccountServer(accounts, secret),
    },
    () => ({ base_url: server.url, api_key: game.api_key }),
  );
  const url = `http://127.0.0.1:${(game_server.address() as AddressInfo).port}`;
  const problems: string[] = [];
  const devices: BrowserContext[] = [];
  const openDevice = async (options: BrowserContextOptions) => {
    const device = await browser.newContext({ baseURL: url, reducedMotion: 'reduce', ...options });
    devices.push(device);
    device.setDefaultTimeout(PATIENCE_MS);
    device.on('weberror', (error) => problems.push(String(error.error())));
    device.on('console', (message) => {
      const isExpected = EXPECTED.test(message.text()) || REFUSING.test(message.location().url);
      if (message.type() === 'error' && !isExpected) {
        problems.push(message.text());
      }
    });
    device.on('request', (request) => {
      const { origin } = new URL(request.url());
      if (origin !== url && origin !== server.url) problems.push(`asked ${request.url()}`);
    });
    return device;
  };
  const context = await openDevice({ viewport: { width: 360, height: 600 }, hasTouch: true });
  return {
    server,
    game,
    context,
    openDevice,
    async openTab(device = context) {
      const page = await device.newPage();
      const loaded = page.waitForResponse(/\/v1\/saves\?/);
      await page.goto('/');
      await loaded;
      await page.getByRole('button', { name: 'Set off' }).waitFor();
      return page;
    },
    async setDifficulty({ weather, dawn_speed }) {
      const path = `/v1/games/${game.game_id}/config?environment=production`;
      const parameters = { weather: { value: weather }, dawn_speed: { value: dawn_speed } };
      const { status } = await server.request('PUT', path, { token, body: { parameters } });
      assert.equal(status, 200);
    },
    async close() {
      for (const device of devices) await device.close();
      returnBrowser();
      game_server.close();
      game_server.closeAllConnections();
      await server.close();
      await rm(folder, { recursive: true });
      assert.deepEqual(problems, []);
    },
  };
}

/** Touches the page `y` pixels below its top. The returned function ends the touch. */
export async function touch(page: Page, y = 300): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const touchPoints = [{ x: 180, y }];
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  return async () => {
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await session.detach();
  };
}

/** Sends the event of a page that has come to the foreground. A headless browser never sends it by itself. */
export const comeToForeground = (page: Page) =>
  page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");

/** Reads the results of a night. The keys are `Height`, `Lamps`, `Best chain` and `Pollen`. */
export async function readResults(page: Page): Promise<Map<string, number>> {
  await page.locator('[data-screen=results]').waitFor();
  const names = await page.locator('.tallies dt').allTextContents();
  const values = await page.locator('.tallies dd').allTextContents();
  return new Map(names.map((name, index) => [name, Number.parseInt(values[index]!, 10)]));
}
