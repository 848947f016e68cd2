import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findViolations, loadAxe, setTheme } from './axe.ts';
import { gamePath, undo, until, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

describe('annotations', { skip: withoutBrowser }, () => {
  let game_stage: GameStage;
  before(async () => {
    game_stage = await openGameStage();
    const event = { event_name: 'run', session_id: 's', player_id: 'owl' };
    await game_stage.send('POST', '/v1/track', event);
    await game_stage.ask('PUT', 'config', { parameters: { reward: { value: 1 } } });
  });
  after(() => game_stage.stage.close());

  const visit = (path: string, options = {}) =>
    game_stage.stage.visit(gamePath(game_stage.game, path), {
      token: game_stage.owner.token,
      ...options,
    });

  test('are shown on charts, and can be read by keyboard, written, edited, deleted and hidden', async () => {
    const { page, close } = await visit('active-players');
    const marks = page.getByRole('button', { name: /Remote config version 1: added reward/ });
    await marks.focus();
    await page.getByRole('status').getByText('Remote config version 1').waitFor();
    await page.getByRole('button', { name: 'Annotations' }).click();
    await page.getByRole('menuitem', { name: 'Write annotation' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Write annotation' }).click();
    await dialog.getByText('Text is required').waitFor();
    await dialog.getByLabel('Text').fill('Featured <b>today</b>');
    await dialog.getByRole('button', { name: 'Write annotation' }).click();
    const both = page.getByRole('button', { name: /Featured <b>today<\/b>/ });
    await both.click();
    await dialog.getByRole('button', { name: 'Edit Featured' }).click();
    await dialog.getByLabel('Text').fill('Featured');
    await dialog.getByLabel('Time').fill('12:30');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('remote config', { exact: true }).waitFor();
    assert.equal(await dialog.getByRole('button', { name: /^Edit Remote/ }).count(), 0);
    await loadAxe(page);
    for (const theme of ['light', 'dark'] as const) {
      await setTheme(page, theme);
      assert.deepEqual(await findViolations(page, '[role=dialog]', undefined, ['region']), []);
    }
    await dialog.getByRole('button', { name: 'Delete Featured' }).click();
    await undo(page, 'Deleted the annotation');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Featured/ }).waitFor();
    const { body } = await game_stage.ask('GET', 'annotations');
    assert.equal(
      body.annotations.find(({ kind }: { kind: string }) => kind === 'note').text,
      'Featured',
    );

    await page.getByRole('button', { name: 'Annotations' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Show on charts' }).click();
    await until('they are hidden', async () => (await marks.count()) === 0);
    await page.reload();
    await page.getByRole('group', { name: 'Daily active players, day by day' }).waitFor();
    assert.equal(await marks.count(), 0);
    await close();
  });

  test('are shown on the chart of events by hour, and on the charts of the overview and of dashboards', async () => {
    const { body } = await game_stage.ask('POST', 'dashboards', {
      name: 'Launch',
      cards: [{ title: 'Daily', report: 'active-players', chart: 'daily' }],
    });
    for (const path of ['events?tab=counts&range=1', 'overview', `dashboards/${body.id}`]) {
      const { page, close } = await visit(path, { width: 390 });
      await page
        .getByRole('button', { name: /Remote config version 1/ })
        .first()
        .waitFor();
      await close();
    }
  });
});
