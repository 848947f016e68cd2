import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { gamePath, until, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

describe('saves that a bad build has spoiled', { skip: withoutBrowser }, () => {
  let opened: GameStage;
  before(async () => {
    opened = await openGameStage();
  });
  after(() => opened.stage.close());

  const save = async (player_id: string, coins: number, app_version: string) => {
    const { status } = await opened.stage.server.request('PUT', '/v1/saves', {
      key: opened.game.production_key,
      headers: { 'overworld-app-version': app_version },
      body: { player_id, data: { wallet: { coins }, level: 7 } },
    });
    assert.equal(status, 200);
  };
  const coinsOf = async (player_id: string) =>
    (await opened.send('GET', `/v1/saves?player_id=${player_id}`)).data.wallet.coins;
  const spoil = async (player_id: string) => {
    await save(player_id, 100, '1.4.2');
    await save(player_id, 10, '1.5.0');
  };

  test('they are found, shown, restored and taken back by mouse', async () => {
    const { stage, game, owner } = opened;
    for (const player of ['ada', 'bob', 'cy']) await spoil(player);
    await save('cy', 300, '1.5.1');
    await save('dee', 80, '1.5.0');
    const { page, close } = await stage.visit(gamePath(game, 'players'), { token: owner.token });
    await page.getByRole('link', { name: 'Restore many saves…' }).click();
    await page.getByRole('button', { name: 'Look for bad saves' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Look for bad saves' });
    await dialog.getByLabel('Versions of the game').fill('1.5.0');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Add condition' }).click();
    await page.getByLabel('Place in the data').fill('wallet.coins');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('wallet.coins fell by half or more').waitFor();
    await dialog.getByRole('button', { name: 'Look for bad saves' }).click();

    await page
      .getByText(
        '3 of 4 players have 3 bad saves. 1 of these saves belongs to players who have played on since.',
      )
      .waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: /wallet\.coins\s*10 → 100/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Restore 3 saves…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore 3 saves' }).click();
    await page.getByText('2 saves restored, 1 save left alone.').waitFor();
    assert.deepEqual([await coinsOf('ada'), await coinsOf('cy')], [100, 300]);

    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo 2 saves' }).click();
    await page.getByText(/2 saves taken back\.$/).waitFor();
    assert.equal(await coinsOf('ada'), 10);
    await close();
  });

  test('they are restored by keyboard only', async () => {
    const { stage, game, owner } = opened;
    await spoil('eve');
    const path = gamePath(game, 'save-restorations');
    const { page, close } = await stage.visit(path, { token: owner.token });
    await page.getByRole('heading', { name: 'Restore many saves' }).waitFor();
    await tabTo(page, 'Look for bad saves');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Look for bad saves' });
    await until('the field has the focus', () =>
      dialog
        .getByLabel('Versions of the game')
        .evaluate((element) => element === element.ownerDocument.activeElement),
    );
    await page.keyboard.type('1.5.0');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Look for bad saves', '[role=dialog]');
    await page.keyboard.press('Enter');
    await page.getByText(/players have \d bad saves/).waitFor();
    await tabTo(page, 'Restore \\d saves…');
    await page.keyboard.press('Enter');
    const confirm = page.getByRole('dialog').getByRole('button', { name: /^Restore \d saves$/ });
    await confirm.waitFor();
    await tabTo(page, 'Restore \\d saves$', '[role=dialog]');
    await page.keyboard.press('Enter');
    await page.getByText(/saves? restored/).waitFor();
    await until('it is restored', async () => (await coinsOf('eve')) === 100);
    await close();
  });

  test('a viewer sees the restorations, and can change nothing', async () => {
    const { stage, game, ask } = opened;
    const { token } = await stage.server.makeAccount({ game_id: game.game_id, role: 'viewer' });
    const { restorations } = (await ask('GET', 'save-restorations')).body;
    const path = gamePath(game, `save-restorations/${restorations[0].restoration_id}`);
    const { page, close } = await stage.visit(path, { token });
    await page.getByText('Some of these saves').waitFor();
    for (const name of ['Undo', 'Delete', 'Pause']) {
      assert.equal(await page.getByRole('button', { name }).count(), 0);
    }
    await close();
  });
});

/** Presses Tab until the focus is on a button whose text begins like this. */
async function tabTo(page: Page, text: string, within = 'body'): Promise<void> {
  const wanted = page
    .locator(within)
    .getByRole('button', { name: new RegExp(`^${text}`) })
    .first();
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab');
    if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) return;
  }
  assert.fail(`Tab never comes to ${text}`);
}
