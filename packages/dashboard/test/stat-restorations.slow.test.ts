import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { insertSpoiledValues } from '../../server/src/features/stats/undo/test/spoiled-values.ts';
import { hourBefore } from '../../server/src/features/stats/undo/test/stat-restoration-game.ts';
import { findViolations, loadAxe } from './axe.ts';
import { gamePath, until, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

describe('changes of statistics that were made by mistake', { skip: withoutBrowser }, () => {
  let opened: GameStage;
  before(async () => {
    opened = await openGameStage();
    const { ask, stage, game } = opened;
    const stat = { key: 'coins', name: 'Coins', aggregation: 'sum', minimum: 0 };
    assert.equal((await ask('POST', 'stats', stat)).status, 201);
    await insertSpoiledValues(stage.server.database, game.game_id, 3);
    await change('p3', -5);
  });
  after(() => opened.stage.close());

  const change = (player_id: string, value: number) =>
    opened.send('POST', '/v1/stats', { player_id, changes: [{ key: 'coins', value }] });
  const coinsOf = async (player_id: string) =>
    (await opened.send('GET', `/v1/stats?player_id=${player_id}`)).stats[0].value;

  test('they are found, shown, taken back and brought back by mouse', async () => {
    const { stage, game, owner } = opened;
    const { page, close } = await stage.visit(gamePath(game, 'stats'), { token: owner.token });
    await page.getByRole('link', { name: 'Take back changes…' }).click();
    await page.getByRole('button', { name: 'Look for bad changes' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Look for bad changes' });
    await dialog.getByRole('combobox', { name: 'Statistics' }).click();
    await page.getByRole('option', { name: 'Coins' }).click();
    await page.keyboard.press('Escape');
    await dialog.getByLabel('Changed from (UTC)').fill(hourBefore(6).slice(0, 16));
    await dialog.getByLabel('Changed until (UTC)').fill(hourBefore(3).slice(0, 16));
    await loadAxe(page);
    assert.deepEqual(await findViolations(page, '[role=dialog]'), []);
    await dialog.getByRole('button', { name: 'Look for bad changes' }).click();

    const words =
      '3 of 3 players have changes in these hours, of 3 values. 1 value would leave its bounds.';
    await page.getByText(words).waitFor();
    await page.getByRole('row', { name: /^p1 coins 11 → 1$/ }).waitFor();
    await page.getByRole('row', { name: /^p3 past a bound coins 6 → -4$/ }).waitFor();
    assert.deepEqual(await findViolations(page, 'main'), []);
    await page.getByLabel('Set their values to the bound').check();
    await page.getByRole('button', { name: 'Restore 3 values…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore 3 values' }).click();
    await page.getByText('3 values restored.').waitFor();
    assert.deepEqual([await coinsOf('p1'), await coinsOf('p3')], [1, 0]);
    await change('p1', 4);

    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo 3 values' }).click();
    await page.getByText(/3 values taken back\.$/).waitFor();
    assert.deepEqual([await coinsOf('p1'), await coinsOf('p3')], [15, 6]);
    await close();
  });

  test('they are taken back by keyboard only', async () => {
    const { stage, game, owner } = opened;
    const path = gamePath(game, 'stat-restorations');
    const { page, close } = await stage.visit(path, { token: owner.token });
    await page.getByRole('heading', { name: 'Take back changes' }).waitFor();
    await page.getByRole('button', { name: 'Look for bad changes' }).first().focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Look for bad changes' });
    const field = dialog.getByRole('combobox', { name: 'Statistics' });
    await until('the field has the focus', () =>
      field.evaluate((element) => element === element.ownerDocument.activeElement),
    );
    await page.keyboard.type('coins');
    await page.getByRole('option', { name: 'Coins' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Changed from (UTC)').fill(hourBefore(6).slice(0, 16));
    await dialog.getByLabel('Changed until (UTC)').fill(hourBefore(3).slice(0, 16));
    await dialog.getByRole('button', { name: 'Look for bad changes' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Restore 3 values…' }).focus();
    await page.keyboard.press('Enter');
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Restore 3 values' });
    await confirm.waitFor();
    await confirm.focus();
    await page.keyboard.press('Enter');
    await page.getByText('2 values restored, 1 value left alone.').waitFor();
    await until('it is restored', async () => (await coinsOf('p2')) === 1);
    await close();
  });

  test('a viewer sees the restorations, and can change nothing', async () => {
    const { stage, game, ask } = opened;
    const { token } = await stage.server.makeAccount({ game_id: game.game_id, role: 'viewer' });
    const { restorations } = (await ask('GET', 'stat-restorations')).body;
    const path = gamePath(game, `stat-restorations/${restorations[0].restoration_id}`);
    const { page, close } = await stage.visit(path, { token });
    await page.getByText('Some of these values').first().waitFor();
    for (const name of ['Undo', 'Delete', 'Pause']) {
      assert.equal(await page.getByRole('button', { name }).count(), 0);
    }
    await close();
  });
});
