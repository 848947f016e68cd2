import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeFullGame } from '../../server/test/full-game.ts';
import type { FullGame } from '../../server/test/full-game.ts';
import { gamePath, openStage, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

describe('things are found', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: FullGame;
  const ask = (method: string, path: string, body?: unknown) =>
    stage.server.request(method, `/v1/games/${game.game_id}/${path}`, {
      token: game.owner.token,
      body,
    });
  const open = async (path: string) => {
    // The icons of the game's achievements are at another site.
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

  test('the person who deleted an achievement is found by three clicks, or by keys alone', async () => {
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
});
