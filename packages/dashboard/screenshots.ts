// Makes the screenshots for the documentation from a new demo, in half a minute. Run it with:
// npm run screenshots -w packages/dashboard
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { openDemoStage } from './demo-stage.ts';

interface Picture {
  name: string;
  themes: ('light' | 'dark')[];
  path: string;
  /** Opens a dialog or another view for the picture, starting on the page at `path`. */
  open?: (page: Page) => Promise<void>;
}

const PICTURES: Picture[] = [
  { name: 'overview', themes: ['light', 'dark'], path: 'overview' },
  {
    name: 'players',
    themes: ['light', 'dark'],
    path: 'players?filter=[{"property":"level","operator":"gte","value":10}]&columns=country&columns=level&columns=platform&columns=total_spent',
  },
  { name: 'player', themes: ['dark'], path: 'players/player-01170' },
  { name: 'story', themes: ['light'], path: 'players/player-01170?tab=timeline' },
  { name: 'leaderboard', themes: ['dark'], path: 'leaderboards/all-time' },
  { name: 'retention', themes: ['light'], path: 'retention' },
  { name: 'revenue', themes: ['light'], path: 'revenue' },
  { name: 'paths', themes: ['dark'], path: 'paths?event_name=level_complete' },
  {
    name: 'dashboard',
    themes: ['light'],
    path: 'dashboards',
    open: (page) => page.getByRole('link', { name: 'Every morning' }).click(),
  },
  {
    name: 'experiment',
    themes: ['dark'],
    path: 'experiments',
    open: (page) => page.getByRole('link', { name: 'Higher daily reward' }).click(),
  },
  {
    name: 'alert',
    themes: ['light'],
    path: 'alerts',
    async open(page) {
      await page.getByRole('button', { name: 'New alert' }).first().click();
      await page.getByText('The alert would').waitFor();
    },
  },
];

const folder = fileURLToPath(new URL('../../docs/screenshots', import.meta.url));
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
    for (const { name, path, open } of PICTURES.filter(({ themes }) => themes.includes(theme))) {
      await page.goto(`/games/${stage.game_id}/production/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await open?.(page);
      // If `open` has clicked a link, the new page is shown before its data is loaded.
      await page.waitForLoadState('networkidle');
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      await page.evaluate('document.fonts.ready');
      await page.screenshot({ path: join(folder, `${name}-${theme}.png`) });
    }
    await context.close();
  }
  console.log('Wrote the pictures to docs/screenshots.');
} finally {
  await stage.close();
}
