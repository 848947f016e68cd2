import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { until, withoutBrowser } from '../../../packages/dashboard/test/browser.ts';
import { nameOf, openPhoneAndComputer } from './phone-and-computer.ts';
import type { PhoneAndComputer } from './phone-and-computer.ts';

// Each test continues from the state that the previous test has left.
describe('Moonward on a phone and a computer', { skip: withoutBrowser }, () => {
  let playing: PhoneAndComputer['playing'];
  let computer: BrowserContext;
  let on_phone: Page;
  let on_computer: Page;
  let code = '';

  before(async () => {
    ({ playing, computer, on_phone, on_computer } = await openPhoneAndComputer());
  });
  after(() => playing?.close());

  test('the title screen explains the controls, and says that the player is logged in', async () => {
    await on_phone.getByText('Hold a finger anywhere to circle a lamp, lift it to fly.').waitFor();
    await on_computer.getByText('Hold Space to circle a lamp, let go to fly.').last().waitFor();
    for (const page of [on_phone, on_computer]) {
      await page.getByText('Logged in', { exact: true }).waitFor();
    }
    const saved = on_phone.waitForRequest(
      (request) => request.method() === 'PUT' && request.url().includes('/v1/saves'),
    );
    await on_phone.getByLabel('You are').fill('Phone Moth');
    await on_phone.getByLabel('You are').blur();
    const request = await saved;
    assert.ok(request.headers()['x-player-token'], 'a save carries the token of the player');
    await request.response();
  });

  test('the pause screen explains the controls again', async () => {
    await on_phone.getByRole('button', { name: 'Set off' }).tap();
    await on_phone.locator('canvas').tap();
    await on_phone.getByRole('button', { name: 'Pause' }).tap();
    await on_phone.locator('.panel-pause .controls').waitFor();
    await on_phone.getByRole('button', { name: 'Give up this night' }).tap();
    await on_phone.getByRole('button', { name: 'Title' }).tap();
  });

  test('a code of twelve characters appears on the phone', async () => {
    await on_phone.getByRole('button', { name: 'Devices' }).tap();
    await on_phone.getByText('This device has logged in as Phone Moth').waitFor();
    await on_phone.getByRole('button', { name: 'Make a code' }).tap();
    const shown = on_phone.locator('output.code', { hasText: /^\w{4}-\w{4}-\w{4}$/ });
    code = (await shown.textContent())!;
  });

  test('a wrong code is refused with a reason in words, and the device keeps its player', async () => {
    const name = await nameOf(on_computer);
    await on_computer.getByRole('button', { name: 'Devices' }).click();
    await on_computer.getByRole('button', { name: 'Enter a code' }).click();
    await on_computer.keyboard.type('2222-2222-2222');
    await on_computer.keyboard.press('Enter');
    await on_computer.getByText('This code is wrong').waitFor();
    await on_computer.keyboard.press('Escape');
    await on_computer.keyboard.press('Escape');
    assert.equal(await nameOf(on_computer), name);
  });

  test('with the code, all tabs of the computer play as the player of the phone', async () => {
    const other_tab = await playing.openTab(computer);
    await on_computer.bringToFront();
    await on_computer.getByRole('button', { name: 'Devices' }).click();
    await on_computer.getByRole('button', { name: 'Enter a code' }).click();
    await on_computer.keyboard.type(code.toLowerCase().replaceAll('-', ' '));
    await on_computer.getByRole('button', { name: 'Play as this moth' }).click();
    for (const tab of [on_computer, other_tab]) {
      await until('the name of the phone is here', async () => {
        const field = tab.getByLabel('You are');
        return (await field.count()) === 1 && (await field.inputValue()) === 'Phone Moth';
      });
      await tab.getByText('Logged in', { exact: true }).waitFor();
    }
    await other_tab.close();
  });

  test('a change on the computer reaches the phone', async () => {
    const saved = on_computer.waitForResponse(
      (response) => response.request().method() === 'PUT' && response.url().includes('/v1/saves'),
    );
    await on_computer.getByLabel('You are').fill('Both Moths');
    await on_computer.getByLabel('You are').blur();
    await saved;
    const loaded = on_phone.waitForResponse(/\/v1\/saves\?/);
    await on_phone.reload();
    await loaded;
    await until('the name of the computer is here', async () => {
      const field = on_phone.getByLabel('You are');
      return (await field.count()) === 1 && (await field.inputValue()) === 'Both Moths';
    });
  });

  test('without a network, a code can be neither made nor entered, and the game says so', async () => {
    await computer.setOffline(true);
    await on_computer.getByRole('button', { name: 'Devices' }).click();
    await on_computer.getByRole('button', { name: 'Make a code' }).click();
    await on_computer.getByText('The server cannot be reached now.').waitFor();
    await on_computer.keyboard.press('Escape');
    await on_computer.getByRole('button', { name: 'Enter a code' }).click();
    await on_computer.keyboard.type('2222 2222 2222');
    await on_computer.keyboard.press('Enter');
    await on_computer.getByText('The server cannot be reached now.').waitFor();
  });
});
