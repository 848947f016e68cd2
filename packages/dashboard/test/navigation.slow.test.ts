import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { gamePath, go, until, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

const GROUPS = ['Watch', 'Players', 'Live', 'Build', 'Studio'];

describe('the navigation', { skip: withoutBrowser }, () => {
  let stage: GameStage['stage'];
  let game: GameStage['game'];
  let owner: GameStage['owner'];
  before(async () => {
    ({ stage, game, owner } = await openGameStage());
  });
  after(() => stage.close());

  const visit = async (path: string, width = 1280) => {
    const visited = await stage.visit(gamePath(game, path), {
      token: owner.token,
      isNewReader: true,
      width,
    });
    await visited.page.setViewportSize({ width, height: 720 });
    await visited.page.getByRole('heading', { level: 1 }).waitFor();
    return visited;
  };
  const linksOf = (page: Page) => page.getByRole('navigation', { name: 'Pages' });
  const headingOf = (page: Page, group: string) =>
    linksOf(page).locator('summary').getByText(group, { exact: true });
  /** Returns the names of the links that are in sight, from top to bottom. */
  const listShown = (page: Page) => linksOf(page).getByRole('link').allInnerTexts();

  test('on a laptop, every heading and the links of the open group are in sight on each page', async () => {
    const { page, close } = await visit('overview');
    const hidden = await linksOf(page).locator('a').all();
    const paths = await Promise.all(hidden.map((link) => link.getAttribute('href')));
    assert.ok(paths.length > 25);
    const opened = new Set<string>();
    for (const path of paths) {
      await go(page, path!);
      const { room, height, here } = await page.evaluate<{
        room: number;
        height: number;
        here: string;
      }>(`{
        const pages = document.querySelector('nav[aria-label=Pages]');
        const here = pages.querySelector('[aria-current]').textContent;
        ({ room: pages.clientHeight, height: pages.scrollHeight, here });
      }`);
      assert.ok(height <= room, `${path}: ${height} pixels in ${room}`);
      assert.ok((await listShown(page)).includes(here), `${here} is in sight on its own page`);
      for (const group of GROUPS) assert.ok(await headingOf(page, group).isVisible(), group);
      opened.add(here);
    }
    assert.equal(opened.size, paths.length);
    await close();
  });

  test('a group that the reader opens or closes stays so after a reload, and keys do it too', async () => {
    const { page, close } = await visit('retention');
    const isShown = (name: string) =>
      linksOf(page).getByRole('link', { name, exact: true }).isVisible();
    assert.equal(await isShown('Retention'), true);
    assert.equal(await isShown('Members'), false);
    await headingOf(page, 'Studio').click();
    await until('Studio is open', () => isShown('Members'));
    await headingOf(page, 'Watch').focus();
    await page.keyboard.press('Enter');
    await until('Watch is closed', async () => !(await isShown('Retention')));
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.equal(await isShown('Members'), true);
    assert.equal(await isShown('Retention'), false);
    await headingOf(page, 'Studio').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    await close();
  });

  test('a page that the reader keeps on top stands there in all groups and after a reload', async () => {
    const { page, close } = await visit('audit-log');
    const star = linksOf(page).getByRole('button', { name: 'Keep this page on top' });
    await star.click();
    await until('it is on top', async () => (await listShown(page))[1] === 'Audit log');
    assert.deepEqual(await listShown(page), ['Overview', 'Audit log']);
    await page.reload();
    await go(page, gamePath(game, 'members'), 'Members');
    const shown = await listShown(page);
    assert.deepEqual(shown.slice(0, 2), ['Overview', 'Audit log']);
    assert.equal(shown.filter((name) => name === 'Audit log').length, 1);
    await linksOf(page).getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
    await star.and(page.locator('[aria-pressed=true]')).click();
    await until('it is back in its group', async () => (await listShown(page))[1] === 'Members');
    await close();
  });

  test('broken settings in the browser are ignored, and the pages stand in their groups', async () => {
    const { page, close } = await visit('usage');
    for (const broken of ['{', 'null', '7', '{"a":1}', '["nowhere"]']) {
      await page.evaluate(`{
        localStorage.setItem('overworld.favourites', ${JSON.stringify(broken)});
        localStorage.setItem('overworld.navigation', ${JSON.stringify(broken)});
      }`);
      await page.reload();
      await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
      assert.deepEqual((await listShown(page)).slice(0, 3), ['Overview', 'Members', 'Usage']);
    }
    await close();
  });

  test('on a phone the drawer has the same groups, and a star that a thumb can hit', async () => {
    const { page, close } = await visit('sessions', 390);
    await page.getByRole('button', { name: 'Menu' }).click();
    await headingOf(page, 'Live').click();
    await linksOf(page).getByRole('link', { name: 'Leaderboards' }).waitFor();
    const star = linksOf(page).getByRole('button', { name: 'Keep this page on top' });
    const { width, height } = (await star.boundingBox())!;
    assert.ok(width >= 40 && height >= 40, `${width} × ${height}`);
    await linksOf(page).getByRole('link', { name: 'Leaderboards' }).click();
    await page.getByRole('heading', { name: 'Leaderboards', level: 1 }).waitFor();
    await close();
  });

  test('the palette finds every page by its name', async () => {
    const { page, close } = await visit('overview');
    const names = await linksOf(page).locator('a').allTextContents();
    const elsewhere = [
      'Connect your game',
      'Data quality',
      'Counts of events',
      'Restore many saves',
      'Take back changes',
    ];
    await page.keyboard.press('Control+KeyK');
    const palette = page.getByRole('dialog');
    for (const name of [...names, ...elsewhere]) {
      await palette.getByRole('textbox').fill(name);
      await palette.getByRole('button', { name, exact: true }).waitFor();
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: elsewhere.at(-1), level: 1 }).waitFor();
    await close();
  });
});
