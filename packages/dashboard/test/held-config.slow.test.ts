import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gamePath, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

const parameters = { reward: { value: 100 }, shop: { value: 1 } };

describe('a parameter on which an experiment runs', { skip: withoutBrowser }, () => {
  let opened: GameStage;
  let id: string;
  before(async () => {
    opened = await openGameStage();
    const { ask } = opened;
    await ask('PUT', 'config', { parameters: { reward: { value: 50 } } });
    await ask('PUT', 'config', { parameters });
    const { body } = await ask('POST', 'experiments', {
      name: 'Higher reward',
      share: 100,
      variants: [
        { name: 'Control', weight: 1 },
        { name: 'Generous', weight: 1, values: { reward: 200 } },
      ],
      metrics: [{ kind: 'retention', days: 1 }],
    });
    id = body.id as string;
    await ask('POST', `experiments/${id}/start`);
  });
  after(() => opened.stage.close());

  test('says so where somebody edits, deletes, restores or schedules it, and stays as it is', async () => {
    const { stage, game, owner, ask } = opened;
    const { page, close } = await stage.visit(gamePath(game, 'config'), {
      token: owner.token,
      expected: /409/,
    });
    const dialog = page.getByRole('dialog');
    const note = dialog.getByText('so its value and its rules cannot change');
    const refusal = dialog.getByText('the running experiment "Higher reward" has it');
    const leave = async () => {
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    };
    await page.getByText('experiment', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Edit reward' }).click();
    await note.waitFor();
    await dialog.getByLabel('Value', { exact: true }).fill('120');
    await dialog.getByRole('button', { name: 'Review change' }).click();
    await note.waitFor();
    await dialog.getByRole('button', { name: 'Publish to production' }).click();
    await refusal.waitFor();
    await leave();

    await page.getByRole('button', { name: 'Delete reward' }).click();
    await note.waitFor();
    await dialog.getByRole('button', { name: 'Delete parameter' }).click();
    await refusal.waitFor();
    await leave();

    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await note.waitFor();
    await dialog.getByRole('button', { name: 'Restore version' }).click();
    await refusal.waitFor();
    await leave();

    await page.getByRole('tab', { name: 'Scheduled' }).click();
    await page.getByRole('button', { name: 'Schedule a change' }).first().click();
    await dialog.getByLabel('Name', { exact: true }).fill('Sale');
    await dialog.getByLabel('Parameter to change').fill('reward');
    await page.getByRole('option', { name: 'reward' }).click();
    await dialog.getByRole('button', { name: 'Add parameter' }).click();
    await note.waitFor();
    await dialog.getByLabel('Value', { exact: true }).fill('5');
    await dialog.getByRole('button', { name: 'Review change' }).click();
    await dialog.getByRole('button', { name: 'Schedule change' }).click();
    await refusal.waitFor();

    const { body } = await ask('GET', 'config');
    assert.deepEqual([body.version, body.parameters], [2, parameters]);
    await close();
  });

  test('is shipped in view of the scheduled change that follows', async () => {
    const { stage, game, owner, ask } = opened;
    await ask('POST', `experiments/${id}/stop`);
    await ask('POST', 'config/schedules', {
      name: 'Sale',
      starts_at: new Date(Date.now() + 86_400_000).toISOString(),
      parameters: { reward: { value: 5 } },
    });
    const { page, close } = await stage.visit(gamePath(game, `experiments/${id}`), owner);
    await page.getByRole('button', { name: 'Ship the winner' }).click();
    await page.getByRole('dialog').getByText('will be set by “Sale” at').waitFor();
    await close();
  });
});
