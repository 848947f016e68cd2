import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findViolations, loadAxe } from './axe.ts';
import { gamePath, go, withoutBrowser } from './browser.ts';
import { openHostileStage } from './hostile-game.ts';
import type { HostileStage } from './hostile-game.ts';
import { GAME_PAGES, HTML, LONG } from './hostile-pages.ts';

/** `accessibility.slow.test.ts` checks all pages, in both themes. */
const CHECKED_BY_AXE = ['overview', 'players/p1', 'leaderboards/race', 'funnels', 'api-keys'];

describe('every page', { skip: withoutBrowser }, () => {
  let hostile: HostileStage;
  before(async () => {
    hostile = await openHostileStage();
  });
  after(() => hostile.stage.close());

  test('opens on a phone without an error, not wider than the screen, and accessible', async () => {
    const { stage, game, owner, dashboard, experiment } = hostile;
    const { page, close } = await stage.visit(gamePath(game, 'overview'), {
      token: owner.token,
      width: 390,
    });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await loadAxe(page);
    const tables = GAME_PAGES.filter(([path]) => !path.includes('table='));
    const pages = [...tables, [dashboard, HTML], [experiment, LONG]] as const;
    for (const [path, heading] of pages) {
      await go(page, gamePath(game, path), heading);
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      assert.equal(overflow, 0, `${path} is ${String(overflow)} pixels too wide`);
      if (!CHECKED_BY_AXE.includes(path.split('?')[0]!)) continue;
      const violations = await findViolations(page, 'body');
      const grave = violations.filter(({ impact }) => /serious|critical/.test(impact ?? ''));
      assert.deepEqual(
        grave.map(({ id, nodes }) => [id, nodes[0]?.html]),
        [],
        path,
      );
    }
    await go(page, '/account', 'Your account');
    await go(page, '/admin', 'Administration');
    await close();
  });
});
