import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gamePath, go, until, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

const PLAYERS_CODE = /players-page-.*\.js/;

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

  test('the focus goes to the next row after a removal, and to the menu button after a dialog', async () => {
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

  test('a page opens even if its code once fails to load', async () => {
    const { page, context, close } = await visit(/ERR_FAILED/);
    let failures = 0;
    await context.route(PLAYERS_CODE, (route) =>
      failures++ === 0 ? route.abort() : route.continue(),
    );
    await page.getByRole('link', { name: 'Players', exact: true }).click();
    await page.getByRole('heading', { name: 'Players', level: 1 }).waitFor();
    assert.equal(failures, 2);
    await close();
  });

  test('a page whose code does not load offers to try again, and the URL stays', async () => {
    const { page, context, close } = await visit(/ERR_FAILED/);
    await context.route(PLAYERS_CODE, (route) => route.abort());
    await page.getByRole('link', { name: 'Players', exact: true }).click();
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    await page.getByRole('link', { name: 'Events', exact: true }).waitFor();
    assert.match(page.url(), /\/players$/);
    await context.unroute(PLAYERS_CODE);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Players', level: 1 }).waitFor();
    await close();
  });

  test('after an update of the server, the page opens in the new release', async () => {
    const { page, context, close } = await visit(/404/);
    // The files of the old release are gone, and the start page names the files of the new release.
    await context.route(PLAYERS_CODE, (route) => route.fulfill({ status: 404 }));
    await context.route(/\/$/, (route) => route.fulfill({ body: '<script src="/new.js">' }));
    await context.route(/\/players$/, async (route) => {
      await context.unroute(PLAYERS_CODE);
      await route.continue();
    });
    await page.getByRole('link', { name: 'Players', exact: true }).click();
    await page.getByRole('heading', { name: 'Players', level: 1 }).waitFor();
    assert.match(page.url(), /\/players$/);
    await close();
  });

  test('the field of the palette stays in place, and a match hides the message "nothing found"', async () => {
    const { page, close } = await visit();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+KeyK');
    const field = page.getByRole('textbox', { name: 'Search pages, players and everything else' });
    const place = await field.boundingBox();
    await field.fill('development');
    await page.getByText('Switch to Development').waitFor();
    await until('the players are searched', async () => (await field.inputValue()) !== '');
    await page.waitForLoadState('networkidle');
    assert.equal(await page.getByText('Nothing here by that name').count(), 0);
    assert.equal((await field.boundingBox())?.y, place?.y);
    await field.fill('nothing has this name');
    await page.getByText('Nothing here by that name. Players are found by their ids').waitFor();
    assert.equal((await field.boundingBox())?.y, place?.y);
    await close();
  });

  test('pages stay in place on a phone while they load', async () => {
    await send('POST', '/v1/track', { event_name: 'e', session_id: 's', player_id: 'p2' });
    await ask('PUT', 'config', { parameters: { reward: { value: 1 } } });
    const { body: experiment } = await ask('POST', 'experiments', {
      name: 'Higher reward',
      share: 100,
      variants: [
        { name: 'Control', weight: 1 },
        { name: 'Generous', weight: 1, values: { reward: 2 } },
      ],
      metrics: [{ kind: 'retention', days: 1 }],
    });
    await ask('POST', `experiments/${experiment.id}/start`);
    const { page, context, close } = await stage.visit('/favicon.svg', {
      token: owner.token,
      width: 390,
      isAlone: true,
      expected: /404/,
    });
    await context.addInitScript(`{
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries()) {
          if (!hadRecentInput) window.shift += value;
        }
      }).observe({ type: 'layout-shift', buffered: true });
    }`);
    const pages = ['overview', 'events?tab=counts', 'active-players', 'players/p2?tab=timeline'];
    pages.push(`experiments/${experiment.id}`, 'retention', 'members', 'audit-log');
    for (const path of pages) {
      await page.goto(gamePath(game, path));
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      const shift = await page.evaluate<number>('window.shift');
      assert.ok(shift <= 0.05, `${path} shifts by ${shift}`);
    }
    await close();
  });
});
