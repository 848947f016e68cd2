// Takes the pictures of the documentation from a server that runs, with demo data in it:
// npm run screenshots -w packages/dashboard -- <address> <e-mail> <password> [<player id> <board>]
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const folder = fileURLToPath(new URL('../../docs/screenshots', import.meta.url));
const [address, email, password, playerId, boardName] = process.argv.slice(2);
if (!address || !email || !password) {
  console.error('Usage: screenshots.ts <address> <e-mail> <password> [<player id> <board>]');
  process.exit(1);
}

async function ask(path: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const response = await fetch(address + path, init);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as Record<string, unknown>;
}

const { token } = await ask('/v1/auth/login', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ email, password }),
});
const headers = { authorization: `Bearer ${token}` };
const games = (await ask('/v1/games', { headers })).games as { id: string }[];
const api = `/v1/games/${games[0]?.id}`;
const players = (await ask(`${api}/players`, { headers })).players as { player_id: string }[];
const boards = (await ask(`${api}/leaderboards`, { headers })).leaderboards as {
  board_name: string;
}[];

const pages = {
  overview: 'overview',
  players: 'players',
  player: `players/${encodeURIComponent(playerId ?? players[0]?.player_id ?? '')}`,
  leaderboard: `leaderboards/${encodeURIComponent(boardName ?? boards[0]?.board_name ?? '')}`,
};

await mkdir(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
for (const theme of ['light', 'dark'] as const) {
  const context = await browser.newContext({
    baseURL: address,
    colorScheme: theme,
    viewport: { width: 1440, height: 900 },
  });
  await context.addInitScript(`localStorage.setItem('overworld.token', ${JSON.stringify(token)})`);
  const page = await context.newPage();
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(`/games/${games[0]?.id}/production/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    await page.evaluate('document.fonts.ready');
    await page.screenshot({ path: join(folder, `${name}-${theme}.png`) });
  }
  await context.close();
}
await browser.close();
console.log(`Wrote ${Object.keys(pages).length * 2} pictures to docs/screenshots.`);
