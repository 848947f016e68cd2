import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestAccount, TestGame } from '../../server/test/harness.ts';
import { gamePath, undo, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

describe('a studio works in the dashboard', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let game: TestGame;
  let owner: TestAccount;
  let send: GameStage['send'];
  let ask: GameStage['ask'];
  before(async () => {
    ({ stage, game, owner, send, ask } = await openGameStage());
    await send('POST', '/v1/identify', { player_id: 'wren', properties: {} });
  });
  after(() => stage.close());

  test('deleting the last game leads to the page that makes a game', async () => {
    const last = await stage.server.makeGame();
    const { token } = await stage.server.makeAccount({ game_id: last.game_id });
    const { page, close } = await stage.visit(gamePath(last, 'settings'), { token });
    await page.getByRole('button', { name: 'Delete game' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Test game');
    await page.getByRole('button', { name: 'Delete game permanently' }).click();
    await page.getByRole('heading', { name: 'Your first game' }).waitFor();
    await close();
  });

  test('achievements are made, ordered by keyboard, edited and deleted', async () => {
    const other = await stage.server.makeGame();
    const { page, close } = await stage.visit(gamePath(other, 'achievements'), {
      token: owner.token,
      expected: /400|409/,
    });
    const create = async (name: string) => {
      await page.getByRole('button', { name: 'New achievement' }).first().click();
      await page.getByLabel('Name').fill(name);
      await page.getByRole('button', { name: 'Create achievement' }).click();
    };
    await create('First Blood');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await create('Night Owl');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await create('First Blood');
    await page.getByText('An achievement with this key exists already').waitFor();
    await page.getByRole('textbox', { name: 'Key' }).fill('');
    await page.getByRole('button', { name: 'Create achievement' }).click();
    await page.getByText(/^Key /).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Move Night Owl' }).press('ArrowUp');
    const keys = async () => {
      const { body } = await stage.server.request(
        'GET',
        `/v1/games/${other.game_id}/achievements`,
        { token: owner.token },
      );
      return body.achievements.map((each: { key: string }) => each.key).join(' ');
    };
    await until('the order is stored', async () => (await keys()) === 'night_owl first_blood');
    await undo(page, 'Moved Night Owl');
    await until('the order is back', async () => (await keys()) === 'first_blood night_owl');
    await page.getByRole('button', { name: 'Actions for Night Owl' }).click();
    await page.getByRole('menuitem', { name: 'Hide until unlocked' }).click();
    await page.getByText('hidden', { exact: true }).waitFor();
    await undo(page, 'Night Owl is ');
    await page.getByText('hidden', { exact: true }).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Actions for Night Owl' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByLabel('Points').fill('75');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('2 achievements, 85 points').waitFor();
    await page.getByRole('button', { name: 'Actions for First Blood' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete achievement' }).click();
    await page.getByText('1 achievement, 75 points').waitFor();
    await close();
  });

  test('a leaderboard is set up, its entries are found and removed, and a season begins', async () => {
    for (const [player_id, score] of [
      ['owl', 30],
      ['newt', 20],
      ['wren', 10],
    ]) {
      await send('POST', '/v1/leaderboards', { board_name: 'race/1', player_id, score });
    }
    const { page, close } = await stage.visit(gamePath(game, 'leaderboards'), {
      token: owner.token,
      expected: /400|409/,
    });
    await page.getByRole('link', { name: 'race/1' }).waitFor();
    await page.getByRole('button', { name: 'New leaderboard' }).click();
    await page.getByLabel('Name').fill('race/1');
    await page.getByRole('button', { name: 'Create leaderboard' }).click();
    await page.getByText('Name is taken').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'race/1' }).click();
    const table = page.getByRole('region', { name: 'Entries' });
    await table.getByRole('link', { name: 'owl' }).waitFor();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByText('Lowest first').click();
    await page.getByLabel('Lowest score').fill('50');
    await page.getByLabel('Highest score').fill('5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('dialog')
      .getByText(/score must/i)
      .waitFor();
    await page.getByLabel('Lowest score').fill('');
    await page.getByLabel('Highest score').fill('500.0');
    await page.keyboard.press('Enter');
    await until('the lowest ranks first', async () =>
      /wren/.test(await table.getByRole('row').nth(1).innerText()),
    );
    assert.equal((await ask('GET', 'leaderboards/race%2F1')).body.max_score, 500);
    await page.getByLabel('Find a player').fill('newt');
    await table.getByRole('link', { name: 'wren' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Take off newt' }).click();
    await page.getByRole('button', { name: 'Take off the board' }).click();
    await page.getByText('Nobody by that name').waitFor();
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Begin a new season' }).click();
    await page.getByRole('button', { name: 'Begin new season' }).click();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await page.getByText('No scores yet').waitFor();
    await page.getByRole('combobox', { name: 'Season' }).click();
    await page.getByRole('option', { name: 'Season 1' }).click();
    await table.getByRole('link', { name: 'owl' }).waitFor();
    await close();
  });
});
