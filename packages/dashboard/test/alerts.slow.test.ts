import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { chooseByKeys, gamePath, openStage, until, withoutBrowser } from './browser.ts';
import { openPayersStage } from './payers-stage.ts';
import type { PayersStage } from './payers-stage.ts';

describe('a studio is alerted when payers stay away', { skip: withoutBrowser }, () => {
  let payers: PayersStage;
  before(async () => {
    payers = await openPayersStage();
  });
  after(() => payers.close());

  test('the webhook and the alert are set up by mouse', async () => {
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

  test('the webhook and the alert are set up by keyboard only', async () => {
    const { stage, receiver, makeStudio, expectMessage } = payers;
    const studio = await makeStudio();
    const { page, close } = await stage.visit(gamePath(studio.game, 'overview'), {
      token: studio.owner.token,
    });
    await page.getByRole('heading', { level: 1 }).waitFor();
    const { keyboard } = page;
    await keyboard.press('g');
    await keyboard.press('j');
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await tabTo(page, 'New webhook');
    await keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await until('the address has the focus', async () => (await focused(page)) === 'Address');
    await keyboard.type(receiver.url);
    await keyboard.press('Enter');
    await page.getByRole('region', { name: 'Secret' }).waitFor();
    const secret = (await page.getByRole('region', { name: 'Secret' }).innerText()).trim();
    await tabTo(page, 'Done');
    await keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await keyboard.press('g');
    await keyboard.press('z');
    await page.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor();
    await tabTo(page, 'New alert');
    await keyboard.press('Enter');
    await until('the metric has the focus', async () => (await focused(page)) === 'When');
    await keyboard.press('ArrowDown');
    await chooseByKeys(page, 'Paying players');
    await page.getByText('The alert would fire.').waitFor();
    await tabTo(page, 'Message to webhooks');
    await chooseByKeys(page, receiver.url);
    await keyboard.press('Escape');
    await tabTo(page, 'Create alert');
    await keyboard.press('Enter');
    await page.getByText('Paying players down').waitFor();
    await expectMessage(studio, page, secret);
    await close();
  });

  test('a refused webhook URL is reported at its field, which gets the focus', async () => {
    const strict = await openStage();
    const game = await strict.server.makeGame();
    const owner = await strict.server.makeAccount({ game_id: game.game_id });
    const { page, close } = await strict.visit(gamePath(game, 'webhooks'), {
      token: owner.token,
      expected: /400/,
    });
    await page.getByRole('button', { name: 'New webhook' }).first().click();
    await page.getByLabel('Address').fill('ftp://files.example');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('Address must be an address that begins with https://').waitFor();
    assert.equal(await focused(page), 'Address');
    await page.getByLabel('Address').fill('http://10.0.0.7/hook');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page
      .getByText('Address must be on the internet: 10.0.0.7 is in a private network')
      .waitFor();
    await close();
    await strict.close();
  });
});

/** Reads the name of the control that has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const element = document.activeElement;
    return element?.labels?.[0]?.textContent ?? element?.getAttribute('aria-label')
      ?? element?.textContent ?? '';
  })()`);

/** Presses Tab until a control has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${name}`);
}
