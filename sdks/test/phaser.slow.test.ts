import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findFreePort } from '../../packages/server/test/free-port.ts';
import { withoutBrowser } from '../../packages/sdk/test/web-game.ts';
import { startTestServer } from '../../packages/server/test/harness.ts';
import type { TestGame, TestServer } from '../../packages/server/test/harness.ts';
import { waitUntil } from '../../packages/server/test/wait-until.ts';

const STARTER = fileURLToPath(new URL('../../examples/phaser', import.meta.url));
/** A run takes ten seconds. */
const RUN_MS = 11_000;

let server: TestServer;
let game: TestGame;
/** A copy of the starter that has run the commands of its README. */
let copy: string;
before(async () => {
  server = await startTestServer();
  game = await server.makeGame();
  copy = await mkdtemp(join(tmpdir(), 'overworld-phaser-'));
  await cp(STARTER, copy, { recursive: true });
  const manifest = await readFile(join(copy, 'package.json'), 'utf8');
  await writeFile(
    join(copy, 'package.json'),
    manifest.replace('http://127.0.0.1:8080', () => server.url),
  );
  await writeFile(
    join(copy, '.env'),
    `VITE_OVERWORLD_KEY=${game.development_key}\nVITE_OVERWORLD_URL=${server.url}\n`,
  );
  await run('npm', ['install', '--no-audit', '--no-fund']);
});
after(async () => {
  await server.close();
  await rm(copy, { recursive: true, maxRetries: 3 });
});

async function run(command: string, args: string[]): Promise<string> {
  const child = spawn(command, args, { cwd: copy });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  assert.equal(code, 0, `${command} ${args.join(' ')}\n${output}`);
  return output;
}

/** Starts `npm start` in the copy, and waits until it answers. */
async function startPages(): Promise<{ url: string; child: ChildProcess }> {
  const port = await findFreePort();
  const args = ['start', '--', '--host', '127.0.0.1', '--port', `${port}`, '--strictPort'];
  const child = spawn('npm', args, { cwd: copy, stdio: 'ignore', detached: true });
  const url = `http://127.0.0.1:${port}/`;
  await waitUntil('the page is served', () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return { url, child };
}

/** The scores on the board of the starter. */
async function listScores(): Promise<number[]> {
  const key = game.development_key;
  const { body } = await server.request('GET', '/v1/leaderboards/lanterns', { key });
  return (body.entries as { score: number }[]).map(({ score }) => score);
}

test('the starter compiles, and builds its page without a warning', async () => {
  assert.doesNotMatch(await run('npm', ['run', 'build']), /\(!\)|warn/i);
});

test(
  'a score of a run without a network is on the board once the network is back',
  { skip: withoutBrowser },
  async () => {
    const { url, child } = await startPages();
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH,
      args: ['--headless', '--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader'],
    });
    try {
      const context = await browser.newContext({ viewport: { width: 480, height: 640 } });
      const page = await context.newPage();
      const errors: Error[] = [];
      page.on('pageerror', (error) => errors.push(error));
      await page.goto(url);
      await page.locator('canvas').waitFor();
      const play = async (taps: number) => {
        for (let tap = 0; tap < taps; tap++) await page.keyboard.press('Space', { delay: 20 });
      };

      await play(5);
      await waitUntil('the score is on the board', async () => (await listScores())[0] === 5);
      await page.waitForTimeout(1_000);

      await context.setOffline(true);
      await play(8);
      await page.waitForTimeout(RUN_MS);
      assert.deepEqual(await listScores(), [5]);
      await context.setOffline(false);
      await waitUntil('the score is on the board', async () => (await listScores())[0] === 8);
      await waitUntil('the save is on the server', async () => {
        const players = await server.request('GET', '/v1/leaderboards/lanterns', {
          key: game.development_key,
        });
        const { player_id } = players.body.entries[0];
        const path = `/v1/saves?player_id=${encodeURIComponent(player_id)}`;
        const { body } = await server.request('GET', path, { key: game.development_key });
        return body.data?.best === 8 && body.data.runs === 2;
      });
      assert.deepEqual(errors, []);
    } finally {
      await browser.close();
      process.kill(-child.pid!, 'SIGTERM');
    }
  },
);
