import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gamePath, until } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

let opened: GameStage;
before(async () => {
  opened = await openGameStage();
});
after(() => opened.stage.close());

/** The players who have 100 wins. */
const EARNERS = 25;

/** Makes the game's statistic, and players who have moved it before there was any achievement. */
async function playAhead(): Promise<void> {
  const { ask, send } = opened;
  assert.equal((await ask('POST', 'stats', { key: 'wins', name: 'Wins' })).status, 201);
  const change = (player_id: string, value: number) =>
    send('POST', '/v1/stats', { player_id, changes: [{ key: 'wins', value }] });
  await Promise.all(Array.from({ length: EARNERS }, (_, index) => change(`owl-${index}`, 100)));
  await change('newcomer', 3);
}

async function countOwners(key: string): Promise<number> {
  const { body } = await opened.ask('GET', 'achievements?environment=production');
  return body.achievements.find((each: { key: string }) => each.key === key).unlock_count;
}

test('an achievement that players have earned already is granted to them, and taken back', async () => {
  const { stage, game, owner } = opened;
  await playAhead();
  const { page, close } = await stage.visit(gamePath(game, 'achievements'), {
    token: owner.token,
  });
  await page.getByRole('button', { name: 'New achievement' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Veteran');
  await dialog.getByRole('button', { name: 'Unlock by a statistic' }).click();
  await dialog.getByLabel('Value of condition 1').fill('100');
  await dialog.getByRole('combobox', { name: 'Statistic of condition 1' }).click();
  await page.getByRole('option', { name: 'Wins' }).click();
  await dialog.getByText(`${EARNERS} players have earned it already in production`).waitFor();
  await dialog.getByText('wins 100 of 100').first().waitFor();
  await dialog.getByRole('link', { name: /^owl-/ }).first().waitFor();
  const tab = page.waitForEvent('popup');
  await dialog.getByRole('link', { name: 'Show all of them' }).click();
  const list = await tab;
  await list.getByText('wins ≥ 100').first().waitFor();
  await list.getByText(`${EARNERS} in all`).waitFor();
  await list.getByRole('link', { name: 'owl-24' }).waitFor();
  assert.equal(await list.getByRole('link', { name: 'newcomer' }).count(), 0);
  await list.close();
  await dialog
    .getByLabel(`Give it to these ${EARNERS} players of production now`)
    .isChecked()
    .then(assert.ok);
  await dialog.getByRole('button', { name: 'Create achievement' }).click();
  await page.getByText(`Given to ${EARNERS} players`).waitFor();
  assert.equal(await countOwners('veteran'), EARNERS);
  await page.getByRole('button', { name: 'Undo the grant of Veteran' }).click();
  await page.getByText('Taken back').waitFor();
  await until('nobody has it', async () => (await countOwners('veteran')) === 0);
  await close();
});

test('the rule of an achievement is changed and granted by keyboard alone', async () => {
  const { stage, game, owner, ask } = opened;
  await ask('POST', 'achievements', { key: 'master', name: 'Master' });
  const { page, close } = await stage.visit(gamePath(game, 'achievements'), {
    token: owner.token,
  });
  const { keyboard } = page;
  await page.getByRole('button', { name: 'Actions for Master' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Edit' }).press('Enter');
  const dialog = page.getByRole('dialog');
  // A dialog takes the focus a moment after it opens.
  await dialog.locator(':focus').waitFor();
  await dialog.getByRole('button', { name: 'Unlock by a statistic' }).press('Enter');
  await dialog.getByLabel('Value of condition 1').focus();
  await keyboard.type('50');
  await dialog.getByRole('combobox', { name: 'Statistic of condition 1' }).focus();
  await keyboard.type('Wins');
  await page.getByRole('option', { name: 'Wins' }).waitFor();
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await dialog.getByText(`${EARNERS} players have earned it already`).waitFor();
  await dialog.getByRole('button', { name: 'Save' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await until('all have it', async () => (await countOwners('master')) === EARNERS);
  await page.getByRole('button', { name: 'Undo the grant of Master' }).press('Enter');
  await until('nobody has it', async () => (await countOwners('master')) === 0);
  await close();
});
