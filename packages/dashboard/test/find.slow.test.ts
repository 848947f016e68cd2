import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { makeFullGame } from '../../server/test/full-game.ts';
import type { FullGame } from '../../server/test/full-game.ts';
import { gamePath, openStage, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

describe('finding things in the dashboard', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: FullGame;
  const ask = (method: string, path: string, body?: unknown) =>
    stage.server.request(method, `/v1/games/${game.game_id}/${path}`, {
      token: game.owner.token,
      body,
    });
  const open = async (path: string) => {
    // The icons of the game's achievements are on another site.
    const expected = /icons\.example|ERR_NAME_NOT_RESOLVED/;
    const as = { token: game.owner.token, expected };
    const { page, close } = await stage.visit(gamePath(game, path), as);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return { page, close };
  };
  before(async () => {
    stage = await openStage();
    game = await makeFullGame(stage.server, { marker: 'moss' });
  });
  after(() => stage.close());

  test('a reader finds out who deleted an achievement with three clicks, or with only the keyboard', async () => {
    await ask('POST', 'achievements', { key: 'night_owl', name: 'Night Owl' });
    const keeper = await stage.server.makeAccount({ game_id: game.game_id, role: 'developer' });
    await stage.server.request('DELETE', `/v1/games/${game.game_id}/achievements/night_owl`, {
      token: keeper.token,
    });
    const { page, close } = await open('overview');
    const rows = page.getByRole('region', { name: 'Audit log' }).locator('tbody tr');
    const isFound = async () => {
      if ((await rows.count()) !== 1) return false;
      const text = await rows.first().innerText();
      return text.includes(keeper.email) && /Night Owl\s+night_owl/.test(text);
    };

    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('combobox', { name: 'Change' }).click();
    await page.getByRole('option', { name: 'Deleted an achievement' }).click();
    await until('the mouse finds it', isFound);
    assert.match(page.url(), /audit-log\?action=delete_achievement$/);

    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('combobox', { name: 'Person' }).click();
    await page.getByRole('option', { name: keeper.email }).click();
    await until('the person is enough', isFound);
    await page.getByLabel('Last day').fill('2020-01-01');
    await page.getByText('No such changes').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText(/^50 of|in all$/).waitFor();

    await page.keyboard.press('Control+KeyK');
    await page.keyboard.type('deleted an ach');
    await page.keyboard.press('Enter');
    await until('the keys find it', isFound);
    await close();
  });

  test('Enter opens the best match, even when it is pressed before the palette or the search result is loaded', async () => {
    const { page, close } = await open('overview');
    const held = async (address: string) => {
      const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
      await page.route(address, async (route) => {
        await isReleased;
        await route.continue();
      });
      return release;
    };
    const releasePalette = await held('**/assets/command-palette*');
    await page.keyboard.press('Control+KeyK');
    await page.keyboard.type('deleted an ach');
    // The first key after the palette appears is Enter. The field of the palette does not have the
    // focus yet.
    await page.evaluate(`new MutationObserver((_changes, observer) => {
      if (!document.querySelector('[role=dialog] input')) return;
      observer.disconnect();
      const enter = { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true };
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', enter));
    }).observe(document.body, { childList: true, subtree: true })`);
    releasePalette();
    await page.waitForURL('**/audit-log?action=delete_achievement');

    // The name of the funnels page begins with these letters. The player has exactly this name.
    await stage.server.request('POST', '/v1/identify', {
      key: game.production_key,
      body: { player_id: 'funnel', properties: {} },
    });
    await until('the player is found', async () => {
      const { body } = await ask('GET', 'players?search=funnel');
      return body.players.length === 1;
    });
    const releasePlayers = await held('**/players?*search=funnel*');
    await page.keyboard.press('Control+KeyK');
    await page.keyboard.type('funnel');
    await page.getByRole('button', { name: 'Funnels' }).waitFor();
    await page.keyboard.press('Enter');
    releasePlayers();
    await page.getByRole('heading', { name: 'funnel', level: 1, exact: true }).waitFor();
    await close();
  });

  /** Tells whether the focus is in the dialog. */
  const hasFocus = (page: Page) =>
    page.evaluate('document.activeElement.closest("[role=dialog]") !== null');

  test('the palette opens the chosen item, and Escape closes the dialog of the item and shows the list of such items', async () => {
    const { page, close } = await open('usage');
    const command = async (words: string) => {
      await page.keyboard.press('Control+KeyK');
      await page.keyboard.type(words);
      await page.getByRole('button', { name: words }).first().waitFor();
      await page.keyboard.press('Enter');
    };
    for (const [words, heading] of [
      ['moss experiment', 'moss experiment'],
      ['moss dashboard', 'moss dashboard'],
      ['hooks.studio.example', 'https://hooks.studio.example/moss'],
      ['a report', 'Breakdown'],
    ] as const) {
      await command(words);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    }
    for (const [words, title, list] of [
      ['moss name', 'Edit achievement', 'achievements'],
      ['shop', 'Parameter', 'config'],
      ['moss alert', 'Edit alert', 'alerts'],
      // The page below this dialog is already open.
      ['moss alert', 'Edit alert', 'alerts'],
    ] as const) {
      await command(words);
      const dialog = page.getByRole('dialog', { name: title });
      await dialog.waitFor();
      await until(`${words} has the focus`, async () => (await hasFocus(page)) === true);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      assert.equal(new URL(page.url()).search, '', words);
      assert.equal(new URL(page.url()).pathname, gamePath(game, list));
    }
    await close();
  });

  test('a dialog or drawer that the URL opens gets the focus, and Escape leads back to the URL of its page', async () => {
    const cell = {
      report: 'active-players',
      players: 'active',
      from: '2026-03-01',
      to: '2026-03-02',
    };
    for (const [path, rest] of [
      [`achievements?open=${encodeURIComponent(game.params.key!)}`, ''],
      [`alerts?open=${game.params.alert_id}`, ''],
      ['config?open=shop', ''],
      [
        `active-players?range=30&drill_down=${encodeURIComponent(JSON.stringify({ cell, players: {} }))}`,
        '?range=30',
      ],
    ] as const) {
      const { page, close } = await open(path);
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await until(`${path} has the focus`, async () => (await hasFocus(page)) === true);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      assert.equal(new URL(page.url()).search, rest, path);
      await close();
    }
  });
});
