import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AxeResults } from 'axe-core';
import { findViolations, loadAxe, setTheme } from './axe.ts';
import type { Theme } from './axe.ts';
import { gamePath, go, withoutBrowser } from './browser.ts';
import { openHostileStage } from './hostile-game.ts';
import type { HostileStage } from './hostile-game.ts';
import { HOSTILE_NAMES } from './hostile-names.ts';
import { FUNNEL, GAME_PAGES, HTML, LONG, PAGES_OF_NAMES } from './hostile-pages.ts';
import { findPhoneProblems, loadPhoneQuestions } from './phone.ts';

/** Pages of different kinds, which are checked at the width of a phone. */
const PHONE_PAGES = [
  ['overview', 'Test game'],
  ['players/p1', 'p1'],
  ['leaderboards/race', 'race'],
  [FUNNEL, 'Funnels'],
  ['api-keys', 'API Keys'],
] as const;

describe('every page', { skip: withoutBrowser }, () => {
  let hostile: HostileStage;
  before(async () => {
    hostile = await openHostileStage();
  });
  after(() => hostile.stage.close());

  test('has no serious accessibility violation in either theme', async () => {
    const { stage, game, owner, dashboard, experiment, shared } = hostile;
    const { page, close } = await stage.visit('/login', { expected: /404/ });
    await loadAxe(page);
    const problems: string[] = [];
    let theme: Theme = 'light';
    // The frame is the same around all pages of a game, so only `main` is checked. A change of theme takes
    // longer than a check, so each page is first checked in the theme in which the previous page ended.
    const look = async (path: string, heading: string, part = 'main') => {
      await go(page, path, heading);
      note(`${path} ${theme}`, await findViolations(page, part));
      theme = theme === 'light' ? 'dark' : 'light';
      await setTheme(page, theme);
      // The theme changes only colours.
      const rules = ['color-contrast', 'link-in-text-block'];
      note(`${path} ${theme}`, await findViolations(page, part, rules));
    };
    const note = (where: string, violations: AxeResults['violations']) =>
      problems.push(...listGrave(where, violations));
    await look('/login', 'Log in');
    await look('/register', 'Create an account');
    await look('/forgot-password', 'Reset your password');
    await look(shared, HTML, 'body');
    await page.evaluate(`localStorage.setItem('overworld.token', ${JSON.stringify(owner.token)})`);
    await look(gamePath(game, 'overview', 'development'), 'Test game', 'body');
    for (const [path, heading] of GAME_PAGES) await look(gamePath(game, path), heading);
    await look(gamePath(game, dashboard), HTML);
    await look(gamePath(game, experiment), LONG);
    await look('/games/new', 'New game');
    await look('/account', 'Your account');
    await look('/admin', 'Administration');
    await look('/admin?tab=settings', 'Administration');
    await look('/admin?tab=sizes', 'Administration');
    await look('/admin?tab=calls', 'Administration');
    assert.deepEqual(problems, []);
    await close();
  });

  test('has no serious accessibility violation on a phone, with the frame around it', async () => {
    const { stage, game, owner } = hostile;
    const start = gamePath(game, 'overview');
    const { page, close } = await stage.visit(start, { token: owner.token, width: 390 });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await loadAxe(page);
    for (const [path, heading] of PHONE_PAGES) {
      await go(page, gamePath(game, path), heading);
      assert.deepEqual(listGrave(path, await findViolations(page, 'body')), []);
    }
    await close();
  });

  // On a phone every page is visited, because each must be read and used with a thumb.
  for (const [width, pages] of [
    [1440, PAGES_OF_NAMES],
    [390, GAME_PAGES],
  ] as const) {
    test(`shows hostile names as text and keeps its layout, ${width} pixels wide`, async () => {
      const { stage, game, owner, dashboard, experiment } = hostile;
      const start = gamePath(game, 'overview');
      const { page, close } = await stage.visit(start, { token: owner.token, width });
      await page.getByRole('heading', { level: 1 }).waitFor();
      await loadPhoneQuestions(page);
      const problems: string[] = [];
      const check = async (path: string, heading: string) => {
        await go(page, gamePath(game, path), heading);
        const overflow = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        assert.equal(overflow, 0, `${path} is ${String(overflow)} pixels too wide`);
        assert.match(await page.title(), / · Overworld$/);
        if (width > 390) return;
        const where = path.slice(0, 40);
        for (const problem of await findPhoneProblems(page)) problems.push(`${where}: ${problem}`);
      };
      for (const [path, heading] of pages) await check(path, heading);
      await check(dashboard, HTML);
      await check('experiments', 'Experiments');
      await check(experiment, LONG);
      for (const name of HOSTILE_NAMES) {
        await check(`players/${encodeURIComponent(name)}`, name);
        await page.getByRole('region', { name: 'Properties' }).getByText('level').waitFor();
      }
      assert.deepEqual(problems, []);
      await close();
    });
  }
});

/** Describes the violations that keep somebody from using a page. */
const listGrave = (where: string, violations: AxeResults['violations']) =>
  violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes: [node] }) =>
      `${where} ${id}: ${node?.html} ${node?.failureSummary}`.slice(0, 600),
    );
