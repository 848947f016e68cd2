import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { findViolations, loadAxe, setTheme } from './axe.ts';
import { chooseByKeys, gamePath, until, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

/** A studio finds players by a statistic, and defines one that events move. */
describe('conditions on statistics', { skip: withoutBrowser }, () => {
  let opened: GameStage;
  before(async () => {
    opened = await openGameStage();
    const { ask, send } = opened;
    await ask('POST', 'stats', { key: 'coins', name: 'Coins' });
    for (const [player_id, value] of Object.entries({ fox: 120, owl: 7 })) {
      await send('POST', '/v1/stats', { player_id, changes: [{ key: 'coins', value }] });
    }
  });
  after(() => opened.stage.close());

  const visit = (path: string, expected?: RegExp) =>
    opened.stage.visit(gamePath(opened.game, path), { token: opened.owner.token, expected });

  /** Adds the condition that a player has at least so many coins, by mouse. */
  async function addCoins(page: Page, at_least: string): Promise<void> {
    await page.getByRole('button', { name: 'Add condition' }).click();
    await page.getByText('Statistic', { exact: true }).click();
    await page.getByRole('combobox', { name: 'Statistic' }).click();
    await page.getByRole('option', { name: 'Coins' }).click();
    // A parameter of the config has a field of this name, too.
    await page.getByRole('textbox', { name: 'Value', exact: true }).last().fill(at_least);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: `Remove coins ≥ ${at_least}` }).waitFor();
  }

  test('players are searched by keyboard alone, and the form is accessible in both themes and on a phone', async () => {
    const { page, close } = await visit('players');
    await page.getByRole('link', { name: 'owl' }).waitFor();
    await loadAxe(page);
    await page.getByRole('button', { name: 'Add condition' }).press('Enter');
    const kinds = page.getByRole('radiogroup', { name: 'Condition on' });
    await kinds.getByRole('radio', { name: 'Property' }).focus();
    await page.keyboard.press('ArrowRight');
    const stat = page.getByRole('combobox', { name: 'Statistic' });
    for (const theme of ['light', 'dark'] as const) {
      await setTheme(page, theme);
      assert.deepEqual(await findViolations(page, '[role=dialog]', undefined, ['region']), []);
    }
    await stat.focus();
    await page.keyboard.press('Enter');
    await chooseByKeys(page, 'Coins');
    await page.getByRole('textbox', { name: 'Value', exact: true }).focus();
    await page.keyboard.type('a few');
    const add = page.getByRole('button', { name: 'Add', exact: true });
    assert.equal(await add.isDisabled(), true);
    await page.getByRole('textbox', { name: 'Value', exact: true }).fill('100');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove coins ≥ 100' }).waitFor();
    await page.getByRole('link', { name: 'owl' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'fox' }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const wide = 'document.documentElement.scrollWidth > innerWidth';
    assert.equal(await page.evaluate(wide), false);
    await close();
  });

  test('a segment, a rule of the config and a message take a statistic, and then it is not deleted', async () => {
    const { ask } = opened;
    const segment = await visit('segments');
    await addCoins(segment.page, '100');
    await segment.page.getByText('1 player').first().waitFor();
    await segment.close();

    const { page, close } = await visit('config', /409/);
    await page.getByRole('button', { name: 'New parameter' }).first().click();
    await page.getByRole('textbox', { name: 'Key' }).fill('shop');
    await page.getByRole('textbox', { name: 'Value' }).fill('"small"');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('textbox', { name: 'They get' }).fill('"large"');
    await addCoins(page, '50');
    await page.getByRole('button', { name: 'Who would get what?' }).click();
    await page.getByText('50% · 1').or(page.getByText('1 of 2')).first().waitFor();
    await page
      .getByRole('button', { name: /^(Add|Create|Save|Review)/ })
      .last()
      .click();
    await page.getByRole('button', { name: 'Publish' }).click();
    await until('the rule is stored', async () => {
      const { parameters } = (await ask('GET', 'config')).body;
      return parameters.shop?.rules?.[0]?.properties?.[0]?.stat === 'coins';
    });
    await close();

    const messages = await visit('messages');
    await messages.page.getByRole('button', { name: 'Send a message' }).first().click();
    await messages.page.getByText('Some players').click();
    await addCoins(messages.page, '100');
    await messages.page.getByRole('textbox', { name: 'Title' }).fill('To the rich');
    await messages.page.getByText('1 player', { exact: true }).waitFor();
    await messages.page.getByRole('button', { name: 'Send message' }).click();
    await messages.page.getByText('coins ≥ 100, later players too').waitFor();
    await messages.close();

    const stats = await visit('stats', /409/);
    await stats.page.getByRole('button', { name: 'Actions for Coins' }).click();
    await stats.page.getByRole('menuitem', { name: 'Delete' }).click();
    await stats.page.getByRole('button', { name: 'Delete statistic' }).click();
    const words =
      'The statistic "coins" is used by the message "To the rich" and the parameter "shop" in production: take it out of them first, or archive it';
    await stats.page.getByText(words).waitFor();
    await stats.close();
  });

  test('an experiment is for players by a statistic', async () => {
    const { page, close } = await visit('experiments/new');
    await addCoins(page, '1.5');
    await close();
  });

  test('a report is limited to players by a statistic', async () => {
    const { page, close } = await visit('active-players');
    await page.getByRole('button', { name: 'Filter players' }).click();
    await page.getByRole('combobox', { name: 'Players by' }).click();
    await page.getByRole('option', { name: 'Statistic' }).click();
    await page.getByRole('combobox', { name: 'Statistic' }).click();
    await page.getByRole('option', { name: 'Coins' }).click();
    await page.getByRole('textbox', { name: 'Value', exact: true }).fill('100');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Remove coins ≥ 100' }).waitFor();
    await close();
  });

  test('a statistic that events move is defined by keyboard, and its events are changed later', async () => {
    const { ask, send } = opened;
    const opening = { event_name: 'chest_opened', session_id: 's', player_id: 'fox' };
    const events = [3, 9].map((gold) => ({ ...opening, properties: { gold } }));
    await send('POST', '/v1/track', events);
    const { page, close } = await visit('stats', /503/);
    const stored = async () =>
      (await ask('GET', 'stats')).body.stats.find((each: { key: string }) => each.key === 'gold');
    await page.getByRole('button', { name: 'New statistic' }).first().press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New statistic' });
    await dialog.getByRole('textbox', { name: 'Name' }).waitFor();
    await page.keyboard.type('Gold');
    await dialog.getByRole('radio', { name: 'Calls of the game' }).focus();
    await page.keyboard.press('ArrowRight');
    await dialog.getByRole('button', { name: 'Create statistic' }).press('Enter');
    await dialog.getByText('Choose an event').waitFor();
    await dialog.getByRole('combobox', { name: 'Event' }).focus();
    await page.keyboard.type('chest_opened');
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Add condition' }).press('Enter');
    const property = page.getByRole('combobox', { name: 'Property' }).last();
    await until('the form has the focus', () =>
      property.evaluate((field) => field.matches(':focus')),
    );
    await page.keyboard.type('gold');
    await page.keyboard.press('Tab');
    await page.getByRole('combobox', { name: 'Comparison' }).press('Enter');
    await chooseByKeys(page, '≥');
    await page.getByRole('textbox', { name: 'Value', exact: true }).focus();
    await page.keyboard.type('5');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Remove gold ≥ 5' }).waitFor();
    await dialog.getByRole('combobox', { name: 'Property' }).focus();
    await page.keyboard.type('gold');
    await page.keyboard.press('Tab');
    await loadAxe(page);
    for (const theme of ['light', 'dark'] as const) {
      await setTheme(page, theme);
      assert.deepEqual(await findViolations(page, '[role=dialog]', undefined, ['region']), []);
    }
    await dialog.getByRole('button', { name: 'Create statistic' }).press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('chest_opened: gold, gold ≥ 5').waitFor();
    assert.deepEqual((await stored()).source, {
      event_name: 'chest_opened',
      conditions: [{ property: 'gold', operator: 'gte', value: 5 }],
      property: 'gold',
    });
    const value = async () => {
      const { stats } = await send('GET', '/v1/stats?player_id=fox');
      return stats.find((each: { key: string }) => each.key === 'gold').value;
    };
    await until('it is counted', async () => (await value()) === 9);
    await until('it is marked as counted', async () => !(await stored()).is_counting);

    await page.getByRole('button', { name: 'Actions for Gold' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Remove gold ≥ 5' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('chest_opened: gold', { exact: true }).waitFor();
    await until('it is counted anew', async () => (await value()) === 12);
    await close();
  });
});
