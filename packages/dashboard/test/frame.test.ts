import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gamePath, go, until, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

describe('the frame around pages', { skip: withoutBrowser }, () => {
  let stage: GameStage['stage'];
  let game: GameStage['game'];
  let owner: GameStage['owner'];
  let send: GameStage['send'];
  let ask: GameStage['ask'];
  before(async () => {
    ({ stage, game, owner, send, ask } = await openGameStage());
  });
  after(() => stage.close());

  const visit = (expected?: RegExp) =>
    stage.visit(gamePath(game, 'overview'), { token: owner.token, expected });

  test('a URL without a page still shows the links to all pages', async () => {
    const { page, close } = await visit(/404/);
    await page.goto(gamePath(game, 'nowhere'));
    await page.getByRole('heading', { name: 'Off the map', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Players', exact: true }).click();
    await page.getByRole('heading', { name: 'Players', level: 1 }).waitFor();
    await page.goto('/nowhere');
    await page.getByRole('link', { name: 'Back to your games' }).waitFor();
    await close();
  });

  test('the title of a tab names the page, the game and the environment', async () => {
    const { page, close } = await visit();
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.equal(await page.title(), 'Overview · Test game, Production · Overworld');
    await go(page, gamePath(game, 'players', 'development'), 'Players');
    assert.equal(await page.title(), 'Players · Test game, Development · Overworld');
    await close();
  });

  test('the content gets the focus when a shortcut removes the focused element', async () => {
    const { page, close } = await visit();
    await page.getByRole('button', { name: /^Players (today|yesterday)/ }).focus();
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.getByRole('heading', { name: 'Players', level: 1 }).waitFor();
    await until('the content has the focus', () =>
      page.evaluate("document.activeElement.id === 'content'"),
    );
    await close();
  });

  test('a removed row passes the focus to the next row, and a closed dialog to the button of its menu', async () => {
    const { page, close } = await visit();
    await page.getByRole('heading', { level: 1 }).waitFor();
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
    const properties = { attempts: 1, best: 2 };
    await send('POST', '/v1/identify', { player_id: 'p1', properties });
    await go(page, gamePath(game, 'players/p1'), 'p1');
    await page.getByRole('button', { name: 'Remove best' }).press('Enter');
    await until('the next row has the focus', async () => (await focused()) === 'Edit attempts');

    await ask('POST', 'achievements', { key: 'first', name: 'First step' });
    await go(page, gamePath(game, 'achievements'), 'Achievements');
    await page.getByRole('button', { name: 'Actions for First step' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
    await page.getByRole('button', { name: 'Cancel' }).press('Enter');
    await until(
      'the menu has the focus',
      async () => (await focused()) === 'Actions for First step',
    );
    await close();
  });

  test('a printed page shows only its content, dark on light', async () => {
    const { page, close } = await stage.visit(gamePath(game, 'overview'), {
      token: owner.token,
      theme: 'dark',
    });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    assert.equal(await page.getByRole('link', { name: 'Players', exact: true }).isVisible(), false);
    const theme = () => page.evaluate('document.documentElement.dataset.mantineColorScheme');
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    assert.equal(await theme(), 'light');
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    assert.equal(await theme(), 'dark');
    await close();
  });
});
