// Takes the pictures of the documentation from a demo made for it, which takes half a minute:
// npm run screenshots -w packages/dashboard
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDemoStage } from './demo-stage.ts';

const folder = fileURLToPath(new URL('../../docs/screenshots', import.meta.url));
const PAGES = {
  overview: 'overview',
  players:
    'players?filter=[{"property":"level","operator":"gte","value":10}]&columns=country&columns=level&columns=platform&columns=total_spent',
  player: 'players/player-01170',
  leaderboard: 'leaderboards/all-time',
  retention: 'retention',
};

const stage = await openDemoStage();
try {
  await mkdir(folder, { recursive: true });
  for (const theme of ['light', 'dark'] as const) {
    const context = await stage.browser.newContext({
      baseURL: stage.url,
      colorScheme: theme,
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
    });
    const setToken = `localStorage.setItem('overworld.token', ${JSON.stringify(stage.token)})`;
    await context.addInitScript(setToken);
    const page = await context.newPage();
    for (const [name, path] of Object.entries(PAGES)) {
      await page.goto(`/games/${stage.game_id}/production/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      await page.evaluate('document.fonts.ready');
      await page.screenshot({ path: join(folder, `${name}-${theme}.png`) });
    }
    await context.close();
  }
  console.log(`Wrote ${Object.keys(PAGES).length * 2} pictures to docs/screenshots.`);
} finally {
  await stage.close();
}
