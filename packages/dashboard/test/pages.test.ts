import { after, before, describe, test } from 'node:test';
import { gamePath, go, withoutBrowser } from './browser.ts';
import { openHostileStage } from './hostile-game.ts';
import type { HostileStage } from './hostile-game.ts';
import { GAME_PAGES } from './hostile-pages.ts';

/** Each page once, without its further tabs and tables. */
const PAGES = GAME_PAGES.filter(([path]) => !/[?&](tab|table)=/.test(path));

/** Opens the pages in one theme and width; `accessibility.slow.test.ts` checks both themes and two widths. */
describe('pages with hostile names', { skip: withoutBrowser }, () => {
  let hostile: HostileStage;
  before(async () => {
    hostile = await openHostileStage();
  });
  after(() => hostile.stage.close());

  test('all pages of a game open without an error', async () => {
    const { stage, game, owner } = hostile;
    const start = gamePath(game, 'overview');
    const { page, close } = await stage.visit(start, { token: owner.token });
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const [path, heading] of PAGES) await go(page, gamePath(game, path), heading);
    await close();
  });
});
