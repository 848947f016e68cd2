import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestGame } from '../../server/test/harness.ts';
import type { TestAccount } from '../../server/test/test-account.ts';
import { gamePath, go, undo, until, withoutBrowser } from './browser.ts';
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

  test('achievements can be made, ordered by keyboard, edited and deleted', async () => {
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
    await page.getByRole('button', { name: 'Add language' }).click();
    await page.getByLabel('Tag of language 1').fill('PT-br');
    await page.getByLabel('Name in Brazilian Portuguese').fill('Coruja');
    await page.getByRole('button', { name: 'Add language' }).press('Enter');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Language 2 needs a tag').waitFor();
    await page.getByRole('button', { name: 'Remove language 2' }).press('Enter');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('2 achievements, 85 points').waitFor();
    const translated = await stage.server.request('GET', '/v1/achievements?locale=pt', {
      key: other.production_key,
    });
    assert.equal(translated.body.achievements[1].name, 'Coruja');
    await page.getByRole('button', { name: 'Actions for First Blood' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete achievement' }).click();
    await page.getByText('1 achievement, 75 points').waitFor();
    await close();
  });

  test('a leaderboard can be set up, its entries found and removed, and a season begun', async () => {
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
    await page.getByRole('button', { name: 'Actions for newt' }).click();
    await page.getByRole('menuitem', { name: 'Take off' }).click();
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

  test('the overview and the counts of events show the same numbers', async () => {
    const mine = await stage.server.makeGame();
    const track = (event_name: string, player_id: string) =>
      stage.server.request('POST', '/v1/track', {
        key: mine.production_key,
        body: { event_name, player_id, session_id: player_id },
      });
    for (const player of ['fox', 'owl']) await track('level_start', player);
    await track('purchase', 'owl');
    const { page, close } = await stage.visit(gamePath(mine, 'overview'), { token: owner.token });
    await page.getByRole('button', { name: /^Players today so far 2/ }).waitFor();
    await page.getByRole('button', { name: /^Events today so far 3/ }).click();
    const chart = page.getByRole('group', { name: /^Events of each/ });
    await chart.press('ArrowRight');
    await chart.getByRole('status').getByText('3', { exact: true }).waitFor();
    assert.match(page.url(), /figure=events/);

    await go(page, gamePath(mine, 'events?tab=counts'), 'Events');
    await page.getByRole('heading', { name: '3 events' }).waitFor();
    const byName = page.getByRole('region', { name: 'Events by name' });
    const first = () => byName.getByRole('row').nth(1).innerText();
    await byName.getByRole('button', { name: 'Events', exact: true }).click();
    await until('the most frequent first', async () => /level_start/.test(await first()));
    await byName.getByRole('button', { name: 'Events', exact: true }).click();
    await until('the rarest first', async () => /purchase/.test(await first()));
    await page.getByTitle('Account').click();
    await page.getByText('Compact', { exact: true }).click();
    await byName.locator('table[data-density=compact]').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'purchase' }).click();
    await page.getByRole('heading', { name: '1 × purchase' }).waitFor();
    await page.getByRole('link', { name: 'Newest purchase' }).click();
    await page.getByRole('link', { name: 'owl' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'level_start' }).count(), 0);
    await close();
  });

  test('the app works by keyboard only', async () => {
    const { page, close } = await stage.visit('/login');
    await page.getByLabel('E-mail').waitFor();
    await page.keyboard.type(owner.email);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type(owner.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Test game' }).waitFor();
    // Delays all timers, as on a slow machine. The next keys are then pressed before the timers fire.
    await page.evaluate(`{
      const wait = setTimeout;
      window.setTimeout = (run, ms = 0, ...values) => wait(run, ms + 300, ...values);
    }`);
    const command = async (words: string) => {
      await page.keyboard.press('Control+KeyK');
      await page.keyboard.type(words);
      await page.keyboard.press('Enter');
    };
    await command('wren');
    await page.getByRole('heading', { name: 'wren', level: 1 }).waitFor();
    await command('leaderb');
    await page.getByRole('heading', { name: 'Leaderboards', level: 1 }).waitFor();
    await command('develop');
    await until('the other environment', async () => page.url().includes('/development/'));
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Remote config').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await until('g and m lead to the members', async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('m');
      return (await page.getByRole('heading', { name: 'Members', level: 1 }).count()) === 1;
    });
    await close();
  });
});
