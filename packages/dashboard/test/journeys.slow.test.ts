import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestAccount } from '../../server/test/harness.ts';
import { gamePath, go, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

describe('a studio works in the dashboard', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let owner: TestAccount;
  let send: GameStage['send'];
  before(async () => {
    ({ stage, owner, send } = await openGameStage());
    await send('POST', '/v1/identify', { player_id: 'wren', properties: {} });
  });
  after(() => stage.close());

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

  test('the app works by keyboard alone', async () => {
    const { page, close } = await stage.visit('/login');
    await page.getByLabel('E-mail').waitFor();
    await page.keyboard.type(owner.email);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type(owner.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Test game' }).waitFor();
    // On a slow machine, timers fire after the keys.
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
