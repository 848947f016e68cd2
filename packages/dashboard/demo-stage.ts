import { execFile, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

const COMMAND = fileURLToPath(new URL('../server/bin/overworld', import.meta.url));

/** A server with the demo's game, the token of its owner, and a browser to look at it. */
export interface DemoStage {
  url: string;
  token: string;
  game_id: string;
  browser: Browser;
  close(): Promise<void>;
}

/**
 * Makes the demo in a folder of its own and starts its server by the command that people use.
 * @param options Options of the command `demo`, such as `--players 500`.
 */
export async function openDemoStage(options: readonly string[] = []): Promise<DemoStage> {
  const folder = mkdtempSync(join(tmpdir(), 'overworld-demo-'));
  chmodSync(folder, 0o755);
  const env = { PATH: process.env.PATH, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'warn' };
  const demo = await promisify(execFile)(process.execPath, [COMMAND, 'demo', ...options], { env });
  const [, email, password] = /Log in as (\S+) with the password (\S+)/.exec(demo.stdout)!;

  const server = spawn(process.execPath, [COMMAND, 'start'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    server.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const address = /running at (http:\S+)/.exec(said)?.[1];
      if (address) resolve(address);
    });
    server.on('exit', (code) => reject(new Error(`The server ended with ${code}:\n${said}`)));
  });
  const { token } = (await ask(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })) as { token: string };
  const headers = { authorization: `Bearer ${token}` };
  const { games } = (await ask(`${url}/v1/games`, { headers })) as { games: { id: string }[] };
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  return {
    url,
    token,
    game_id: games[0]!.id,
    browser,
    async close() {
      await browser.close();
      const ended = new Promise((resolve) => server.on('exit', resolve));
      server.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function ask(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}
