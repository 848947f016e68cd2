import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { TestAccount } from '../../server/test/harness.ts';
import { withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';
import { openSecondFactorStage } from './second-factor-stage.ts';
import type { SecondFactorStage } from './second-factor-stage.ts';

/** Refusals that the tests are about are errors to the browser's console. */
const expected = /40[0139]/;

describe('two-factor login', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let codeOf: SecondFactorStage['codeOf'];
  let fillPassword: SecondFactorStage['fillPassword'];
  let setUpApp: SecondFactorStage['setUpApp'];
  let typePassword: SecondFactorStage['typePassword'];
  before(async () => {
    ({ stage, codeOf, fillPassword, setUpApp, typePassword } = await openSecondFactorStage());
  });
  after(() => stage.close());

  /**
   * Opens a page at the name of this machine, because passkeys do not work at an IP address. The
   * tests add an authenticator to the browser.
   */
  const visitByName = async (path: string, account: TestAccount | null, width = 1440) => {
    const options = { token: account?.token, width, expected, host: 'localhost', isAlone: true };
    return stage.visit(path, options);
  };

  test('a login asks for the app that was set up, or a recovery code, until the app is removed', async () => {
    const account = await stage.server.makeAccount();
    const { page, close } = await stage.visit('/account', { token: account.token, expected });
    const secret = await setUpApp(page, account);
    const list = page.getByRole('list', { name: 'Recovery codes' });
    const codes = await list.getByRole('listitem').allInnerTexts();
    assert.equal(codes.length, 10);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    const file = await readFile(await download.path(), 'utf8');
    for (const code of codes) assert.ok(file.includes(code));
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('10 left').waitFor();

    await page.getByRole('button', { name: 'Log out', exact: true }).click();
    await typePassword(page, account);
    const field = page.getByLabel('Code of your authenticator app');
    assert.equal(await field.getAttribute('autocomplete'), 'one-time-code');
    await field.fill('12345');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByText('This code is wrong or was used already').waitFor();
    await field.fill(codeOf(secret));
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByText('10 left').waitFor();

    await page.getByRole('button', { name: 'Log out', exact: true }).click();
    await typePassword(page, account);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(codes[0]!.toLowerCase());
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByText('9 left').waitFor();

    await page.getByRole('button', { name: 'Remove the authenticator app' }).click();
    await fillPassword(page, { ...account, password: 'wrong' }, 'Remove app');
    await page.getByText('Your password is wrong').waitFor();
    await fillPassword(page, account, 'Remove app');
    await page.getByRole('button', { name: 'Set up an app' }).waitFor();
    await close();
  });

  test('a passkey is added, renamed, used to log in, and removed', async () => {
    const account = await stage.server.makeAccount();
    const { page, context, close } = await visitByName('/account', account);
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name').fill('Laptop');
    await fillPassword(page, account, 'Add passkey');
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByRole('button', { name: 'Rename Laptop' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Old laptop');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await page.getByRole('button', { name: 'Remove Old laptop' }).waitFor();

    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await fillPassword(page, account, 'Add passkey');
    await page.getByText('This device has a passkey of your account already').waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Log out', exact: true }).click();
    await typePassword(page, account);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('button', { name: 'Remove Old laptop' }).click();
    await fillPassword(page, account, 'Remove passkey');
    await page.getByText('The passkey was removed.').waitFor();
    await page.getByText('off', { exact: true }).waitFor();
    await close();
  });

  test('a page at an IP address says why passkeys do not work there', async () => {
    const account = await stage.server.makeAccount();
    const { page, close } = await stage.visit('/account', { token: account.token });
    await page.getByText('Passkeys need a name, not a number').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Add a passkey' }).isDisabled());
    await close();
  });
});
