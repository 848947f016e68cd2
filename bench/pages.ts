import type { Page } from 'playwright-core';
import { openDemoStage } from '../packages/dashboard/demo-stage.ts';
import type { DemoStage } from '../packages/dashboard/demo-stage.ts';
import { LONG_FRAME_MS, ROWS, scrollPlayers } from './scroll.ts';

/**
 * Measures how long pages of the dashboard take on the demo's data: from the click on a link within
 * the app to the content, with an empty cache. Exits with 1 when a median is over the limit. Then
 * scrolls through a list of 10,000 players, and prints the frames that took long.
 */

const LIMIT_MS = 500;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
/** Before each measured page, the browser goes to this page. */
const REST = 'start';
/** Pages that the sidebar does not link to. The browser finds all other pages in the sidebar. */
const MORE_PAGES = [
  'players?filter=[{"property":"level","operator":"gte","value":10}]&tag=payer',
  'players/player-00042',
  'players/player-00042?tab=timeline',
  'players/player-00042?tab=save',
  'players/player-00042?tab=achievements',
  'players/player-00042?tab=scores',
  'events?tab=counts',
  'event-schemas',
  'events?tab=quality',
  'leaderboards/all-time',
  'config?tab=history',
  '/account',
  '/admin',
];

const say = (text: string) => process.stdout.write(`${text}\n`);
const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Opens a path within the app. Resolves to the milliseconds until its content is painted. */
async function go(page: Page, path: string): Promise<number> {
  const found = await page.evaluate(`new Promise((resolve, reject) => {
    document.querySelector('h1').dataset.left = '';
    const startedAt = performance.now();
    history.pushState(null, '', ${JSON.stringify(path)});
    dispatchEvent(new PopStateEvent('popstate'));
    const look = () => {
      const isThere = document.querySelector('h1:not([data-left])') !== null;
      const waits = document.querySelector('[aria-busy=true], .mantine-Skeleton-root') !== null;
      const milliseconds = performance.now() - startedAt;
      if (milliseconds > 20000) reject(new Error(location.href + ' never had its content'));
      else requestAnimationFrame(isThere && !waits ? () => resolve(milliseconds) : look);
    };
    look();
  })`);
  return found as number;
}

/** Visits every page once, with an empty cache. */
async function visitPages(stage: DemoStage): Promise<Map<string, number>> {
  const context = await stage.browser.newContext({ baseURL: stage.url });
  const setToken = `localStorage.setItem('overworld.token', ${JSON.stringify(stage.token)})`;
  await context.addInitScript(setToken);
  const page = await context.newPage();
  const root = `/games/${stage.game_id}/production/`;
  await page.goto(root + REST);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const links = page.getByRole('navigation', { name: 'Pages' }).locator('a');
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
  const places = hrefs.map((href) => href.replace(root, ''));
  const times = new Map<string, number>();
  for (const path of [...places, ...MORE_PAGES]) {
    await page.waitForLoadState('networkidle');
    times.set(path, await go(page, path.startsWith('/') ? path : root + path));
    await go(page, root + REST);
  }
  await context.close();
  return times;
}

const stage = await openDemoStage();
try {
  const rounds: Map<string, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await visitPages(stage));
  say('  median     worst  page');
  for (const path of rounds[0]!.keys()) {
    const times = rounds.map((round) => round.get(path)!);
    const [middle, worst] = [median(times), Math.max(...times)].map(
      (time) => `${Math.round(time)} ms`,
    );
    say(`${middle!.padStart(8)}  ${worst!.padStart(8)}  ${path}`);
    if (median(times) > LIMIT_MS) process.exitCode = 1;
  }
} finally {
  await stage.close();
}

const long = await openDemoStage(['--players', String(ROWS), '--days', '2']);
try {
  for (let round = 0; round < ROUNDS; round++) {
    const { rows, frames, longest_ms, long_frames, longest_cpu_ms } = await scrollPlayers(long);
    say(
      `${rows} rows in ${frames} frames: the longest took ${Math.round(longest_ms)} ms, ${long_frames} took over ${LONG_FRAME_MS} ms; the longest task took ${Math.round(longest_cpu_ms)} ms of CPU`,
    );
  }
} finally {
  await long.close();
}
