import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gamePath, withoutBrowser } from './browser.ts';
import { openPayersStage } from './payers-stage.ts';
import type { PayersStage } from './payers-stage.ts';

describe('a studio hears of payers who stay away', { skip: withoutBrowser }, () => {
  let payers: PayersStage;
  before(async () => {
    payers = await openPayersStage();
  });
  after(() => payers.close());

  test('by mouse', async () => {
    const { stage, receiver, makeStudio, expectMessage } = payers;
    const studio = await makeStudio();
    const { page, close } = await stage.visit(gamePath(studio.game, 'webhooks'), {
      token: studio.owner.token,
    });
    await page.getByRole('button', { name: 'New webhook' }).first().click();
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const secret = (await page.getByRole('region', { name: 'Secret' }).innerText()).trim();
    assert.match(secret, /^whsec_/);
    await page.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('webhook.test').waitFor();
    await page.getByText('delivered', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Show webhook.test/ }).click();
    await page.getByRole('region', { name: 'Answer' }).getByText('taken').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Try webhook.test/ }).click();
    await page.getByText('2 attempts').waitFor();

    await page.getByRole('link', { name: 'Alerts', exact: true }).click();
    await page.getByRole('button', { name: 'New alert' }).first().click();
    await page.getByRole('combobox', { name: 'When' }).click();
    await page.getByRole('option', { name: 'Paying players' }).click();
    await page.getByText('The alert would fire.').waitFor();
    await page.getByLabel('Percent').fill('');
    await page.getByText('Enter a number to see whether').waitFor();
    assert.equal(await page.getByText('The last full day').count(), 0);
    await page.getByLabel('Percent').fill('20');
    await page.getByText('The alert would fire.').waitFor();
    await page.getByRole('combobox', { name: 'Message to webhooks' }).click();
    await page.getByRole('option', { name: receiver.url }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Create alert' }).click();
    await page.getByText('Paying players down').waitFor();
    await expectMessage(studio, page, secret);

    await page.getByRole('button', { name: 'Actions for Paying players down' }).click();
    await page.getByRole('menuitem', { name: 'Mute' }).click();
    await page.getByText('muted', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Actions for Paying players down' }).click();
    await page.getByRole('menuitem', { name: 'History' }).click();
    await page.getByRole('dialog').getByText('Fired').waitFor();
    await page.keyboard.press('Escape');
    await close();
  });
});
