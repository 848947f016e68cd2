import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { until, withoutBrowser } from '../../../packages/dashboard/test/browser.ts';
import { nameOf, openPhoneAndComputer } from './phone-and-computer.ts';
import type { PhoneAndComputer } from './phone-and-computer.ts';

// Each test continues from the state that the previous test has left.
describe('A Moonward account on a phone and a computer', { skip: withoutBrowser }, () => {
  let playing: PhoneAndComputer['playing'];
  let computer: BrowserContext;
  let on_phone: Page;
  let on_computer: Page;
  let computer_moth = '';

  before(async () => {
    ({ playing, computer, on_phone, on_computer } = await openPhoneAndComputer());
    for (const page of [on_phone, on_computer]) {
      await page.getByText('Logged in', { exact: true }).waitFor();
    }
    computer_moth = await nameOf(on_computer);
  });
  after(() => playing?.close());

  const press = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).click();
  const openAccount = async (page: Page) => {
    await press(page, 'Account and devices');
    await press(page, 'Sign in with your Moonward account');
  };
  const enter = async (page: Page, name: string, pin: string, submit = 'Sign in') => {
    await page.getByLabel('Account name').fill(name);
    await page.getByLabel('PIN').fill(pin);
    await press(page, submit);
  };
  const waitForMoth = (page: Page, name: string) =>
    until(`the game plays as ${name}`, async () => {
      const field = page.getByLabel('You are');
      return (await field.count()) === 1 && (await field.inputValue()) === name;
    });
  /** Reloads the page. Returns the id of the player whose save the page requests after the reload. */
  const playerOf = async (page: Page) => {
    const loaded = page.waitForRequest(/\/v1\/saves\?/);
    await page.reload();
    return new URL((await loaded).url()).searchParams.get('player_id');
  };

  test('a new account is linked to the player of the phone', async () => {
    const saved = on_phone.waitForResponse(
      (response) => response.request().method() === 'PUT' && response.url().includes('/v1/saves'),
    );
    await on_phone.getByLabel('You are').fill('Phone Moth');
    await on_phone.getByLabel('You are').blur();
    await saved;
    await openAccount(on_phone);
    await enter(on_phone, 'Ada', '271828', 'Make a new account');
    await on_phone.getByText('Phone Moth is linked to the account Ada.').waitFor();
    await press(on_phone, 'Back');
  });

  test('a wrong PIN is refused with a reason in words', async () => {
    await openAccount(on_computer);
    await enter(on_computer, 'Ada', '000000');
    await on_computer.getByText('No account has this name and PIN.').waitFor();
  });

  test('an account of another player is refused with a reason, and the device keeps its player', async () => {
    await enter(on_computer, 'Ada', '271828');
    await on_computer.getByText(`The account Ada cannot take ${computer_moth}`).waitFor();
    await on_computer.getByText('This login belongs to another player').waitFor();
    await on_computer.getByText('Staff can merge both moths').waitFor();
    await on_computer.keyboard.press('Escape');
    await on_computer.keyboard.press('Escape');
    assert.equal(await nameOf(on_computer), computer_moth);
  });

  test('after a login by account, all tabs of the computer play as the player of the phone', async () => {
    const other_tab = await playing.openTab(computer);
    await on_computer.bringToFront();
    await openAccount(on_computer);
    await enter(on_computer, 'Ada', '271828');
    await press(on_computer, 'Play as that moth');
    for (const tab of [on_computer, other_tab]) await waitForMoth(tab, 'Phone Moth');
    await other_tab.close();
    const player_id = await playerOf(on_computer);
    assert.ok(player_id);
    assert.equal(player_id, await playerOf(on_phone));
    await press(on_computer, 'Account and devices');
    await on_computer.getByText('This device plays as Phone Moth by the account Ada.').waitFor();
  });

  test('a device that signs out plays as its own player again', async () => {
    await press(on_computer, 'Sign out');
    await waitForMoth(on_computer, computer_moth);
    await on_computer.getByText('Logged in', { exact: true }).waitFor();
    assert.notEqual(await playerOf(on_computer), await playerOf(on_phone));
  });

  test('an account can be unlinked after a confirmation, and then be linked to another player', async () => {
    await press(on_phone, 'Account and devices');
    await press(on_phone, 'Unlink');
    await on_phone.getByText('Phone Moth leaves the account Ada').waitFor();
    await press(on_phone, 'Back');
    await on_phone.getByText('Phone Moth is linked to the account Ada.').waitFor();
    await press(on_phone, 'Unlink');
    await press(on_phone, 'Unlink');
    await on_phone.getByRole('button', { name: 'Sign in with your Moonward account' }).waitFor();

    await openAccount(on_computer);
    await enter(on_computer, 'Ada', '271828');
    await on_computer.getByText(`${computer_moth} is linked to the account Ada.`).waitFor();
  });

  test('when the login by the account has ended, the device asks the player to sign in again', async () => {
    await press(on_phone, 'Sign in with your Moonward account');
    await enter(on_phone, 'Ada', '271828');
    await press(on_phone, 'Play as that moth');
    await waitForMoth(on_phone, computer_moth);
    await press(on_computer, 'Unlink');
    await press(on_computer, 'Unlink');
    await on_computer.getByRole('button', { name: 'Sign in with your Moonward account' }).waitFor();
    // The server has ended the login, but its token is valid for one more hour. Let the token expire now.
    await on_phone.evaluate(`
      for (const key of Object.keys(localStorage).filter((name) => name.endsWith('login'))) {
        const login = JSON.parse(localStorage.getItem(key));
        localStorage.setItem(key, JSON.stringify({ ...login, expires_at: new Date(0).toISOString() }));
      }`);
    await on_phone.reload();
    await on_phone.getByText('Not logged in', { exact: true }).waitFor();
    await press(on_phone, 'Account and devices');
    await on_phone.getByText('The login by the account Ada has ended.').waitFor();
    await on_phone.getByRole('button', { name: 'Sign in again' }).waitFor();
    await press(on_phone, 'Sign out');
    await waitForMoth(on_phone, 'Phone Moth');
  });

  test('a sign-in without a network says that the server cannot be reached', async () => {
    await computer.setOffline(true);
    await press(on_computer, 'Sign in with your Moonward account');
    await enter(on_computer, 'Ada', '271828');
    await on_computer.getByText('The server cannot be reached now.').waitFor();
  });
});
