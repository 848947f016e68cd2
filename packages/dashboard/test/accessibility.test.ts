import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findViolations, loadAxe } from './axe.ts';
import { gamePath, go, withoutBrowser } from './browser.ts';
import { openHostileStage } from './hostile-game.ts';
import type { HostileStage } from './hostile-game.ts';
import { FUNNEL, GAME_PAGES } from './hostile-pages.ts';

/** `accessibility.slow.test.ts` looks at all pages, in both themes and two widths. */
const PAGES = [
  ['overview', 'Test game'],
  ['players/p1', 'p1'],
  ['leaderboards/race', 'race'],
  [FUNNEL, 'Funnels'],
  ['api-keys', 'API Keys'],
] as const;

describe('pages with hostile names', { skip: withoutBrowser }, () => {
  let hostile: HostileStage;
  before(async () => {
    hostile = await openHostileStage();
  });
  after(() => hostile.stage.close());

  test('all pages of a game open, and raise no error', async () => {
    const { stage, game, owner } = hostile;
    const start = gamePath(game, 'overview');
    const { page, close } = await stage.visit(start, { token: owner.token });
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const [path, heading] of GAME_PAGES) await go(page, gamePath(game, path), heading);
    await close();
  });

  test('five pages of different kinds are accessible on a phone, and not wider than the screen', async () => {
    const { stage, game, owner } = hostile;
    const start = gamePath(game, 'overview');
    const { page, close } = await stage.visit(start, { token: owner.token, width: 390 });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await loadAxe(page);
    for (const [path, heading] of PAGES) {
      await go(page, gamePath(game, path), heading);
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      assert.equal(overflow, 0, `${path} is ${String(overflow)} pixels too wide`);
      const violations = await findViolations(page, 'body');
      const grave = violations.filter(
        ({ impact }) => impact === 'serious' || impact === 'critical',
      );
      assert.deepEqual(
        grave.map(({ id, nodes }) => [id, nodes[0]?.html]),
        [],
        path,
      );
    }
    await close();
  });
});
