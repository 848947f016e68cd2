import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestAccount } from '../../server/test/test-account.ts';
import { openStage, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('the page of the account', { skip: withoutBrowser }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());

  const isOpen = async (token: string) =>
    (await stage.server.request('GET', '/v1/auth/me', { token })).status === 200;
  const logInElsewhere = async ({ email, password }: TestAccount) => {
    const { body } = await stage.server.request('POST', '/v1/auth/login', {
      body: { email, password },
      headers: { 'user-agent': FIREFOX },
    });
    return body.token as string;
  };
  const visitAccount = async (options: { width?: number; expected?: RegExp } = {}) => {
    const account = await stage.server.makeAccount();
    const elsewhere = await logInElsewhere(account);
    const visit = await stage.visit('/account', { token: account.token, ...options });
    const sessions = visit.page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    await sessions.first().waitFor();
    return { ...visit, account, elsewhere, sessions };
  };

  for (const width of [390, 1440]) {
    test(`the account page can log out another browser, ${width} px wide`, async () => {
      const { page, close, account, elsewhere, sessions } = await visitAccount({ width });
      assert.equal(await sessions.count(), 2);
      assert.match(await sessions.first().innerText(), /This browser/i);
      assert.match(await sessions.last().innerText(), /^Firefox on Linux\s+127\.0\.0\.1 · used/);

      await sessions.last().getByRole('button', { name: 'Log out Firefox on Linux' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      assert.ok(await isOpen(elsewhere));
      await sessions.last().getByRole('button', { name: 'Log out Firefox on Linux' }).click();
      await dialog.getByRole('button', { name: 'Log out', exact: true }).click();
      await until('one session is left', async () => (await sessions.count()) === 1);
      assert.ok(!(await isOpen(elsewhere)));
      assert.ok(await isOpen(account.token));
      assert.equal(await page.getByRole('button', { name: /everywhere else/ }).count(), 0);
      await close();
    });
  }

  test('one button logs out all other sessions', async () => {
    const { page, close, account, elsewhere, sessions } = await visitAccount();
    const third = await logInElsewhere(account);
    await page.getByRole('button', { name: 'Log out everywhere else' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Log out everywhere else' }).click();
    await page.getByText('All other sessions were ended').waitFor();
    await until('one session is left', async () => (await sessions.count()) === 1);
    for (const token of [elsewhere, third]) assert.ok(!(await isOpen(token)));
    assert.ok(await isOpen(account.token));
    await close();
  });

  test('a known browser can be forgotten', async () => {
    const { page, close } = await visitAccount();
    const devices = page.getByRole('list', { name: 'Known browsers' }).getByRole('listitem');
    await devices.first().waitFor();
    await page.getByRole('button', { name: 'Forget Firefox on Linux' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Forget browser' }).click();
    await page.getByText('None yet').waitFor();
    await close();
  });

  test('logging in makes the browser known, and logging out ends the token on the server', async () => {
    const account = await stage.server.makeAccount();
    const { page, close } = await stage.visit('/login?return_to=/account');
    await page.getByLabel('E-mail').fill(account.email);
    await page.getByLabel('Password', { exact: true }).fill(account.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    const devices = page.getByRole('list', { name: 'Known browsers' }).getByRole('listitem');
    await devices.first().waitFor();
    assert.match(await devices.first().innerText(), /This browser/i);
    const token = await page.evaluate<string>(`localStorage.getItem('overworld.token')`);
    assert.ok(await isOpen(token));
    const ended = page.waitForResponse(/auth\/logout/);
    await page.getByRole('main').getByRole('button', { name: 'Log out', exact: true }).click();
    assert.equal((await ended).status(), 204);
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    assert.ok(!(await isOpen(token)));
    await close();
  });

  test('logging out while the server is away ends the session in the browser, with a warning', async () => {
    const { page, context, close } = await visitAccount({ expected: /ERR_|Failed to load/ });
    await context.route(/auth\/logout/, (route) => route.abort());
    await page.getByRole('main').getByRole('button', { name: 'Log out', exact: true }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await page.getByText('the server could not be told', { exact: false }).waitFor();
    const kept = await page.evaluate(`localStorage.getItem('overworld.token')`);
    assert.equal(kept, null);
    await close();
  });

  test('a common password is refused at its field, and a good password ends other sessions', async () => {
    const { page, close, account, elsewhere, sessions } = await visitAccount({ expected: /400/ });
    const fill = async (password: string) => {
      await page.getByLabel('Current password').fill(account.password);
      await page.getByLabel('New password').fill(password);
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    await fill('password123');
    await page.getByText('New password is one of the most common passwords').waitFor();
    const described = await page.getByLabel('New password').getAttribute('aria-describedby');
    assert.match(described!, /error/);
    await fill('a much better password');
    await page.getByText('Password changed').waitFor();
    await until('one session is left', async () => (await sessions.count()) === 1);
    assert.ok(!(await isOpen(elsewhere)));
    await close();
  });
});
