import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { TestAccount } from '../../server/test/test-account.ts';
import { findLink, waitForMailAbout } from '../../server/test/mailbox.ts';
import { findViolations, loadAxe } from './axe.ts';
import { withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';
import { openSecondFactorStage } from './second-factor-stage.ts';
import type { SecondFactorStage } from './second-factor-stage.ts';

/** These tests cause refusals, which the browser's console reports as errors. */
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
   * Opens a page under the host name `localhost`, because passkeys do not work at an IP address. The
   * tests add a virtual authenticator to the browser.
   */
  const visitByName = async (path: string, account: TestAccount | null, width = 1440) => {
    const options = { token: account?.token, width, expected, host: 'localhost', isAlone: true };
    return stage.visit(path, options);
  };

  test('a login asks for a code of the authenticator app or a recovery code until the app is removed', async () => {
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

  test('a passkey can be added, renamed, used to log in, and removed', async () => {
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

  test('an administrator can require a second factor of everybody, and can reset the factor of a member', async () => {
    const administrator = await stage.server.makeAccount({ is_administrator: true });
    const { game_id } = await stage.server.makeGame();
    const member = await stage.server.makeAccount({ game_id });
    const admin = await stage.visit('/account', { token: administrator.token, expected });
    await setUpApp(admin.page, administrator);
    await admin.page.goto('/admin?tab=settings');
    await admin.page.getByLabel('Everybody').click();
    await admin.page.getByRole('button', { name: 'Ask for it' }).click();
    await admin.page.getByText('The setting applies from now on').waitFor();

    const path = `/games/${game_id}/production/overview`;
    const visit = await stage.visit(path, { token: member.token, expected });
    await visit.page.getByText('This installation asks for two-factor login').waitFor();
    await setUpApp(visit.page, member);
    await visit.page.getByRole('button', { name: 'I have kept them' }).click();
    await visit.page.getByRole('link', { name: 'Back to your games' }).click();
    await visit.page.getByRole('heading', { name: 'Test game' }).waitFor();
    await visit.close();

    await admin.page.goto('/admin?tab=settings');
    await admin.page.getByLabel('Nobody').click();
    await admin.page.getByText('The setting applies from now on').waitFor();
    await admin.page.goto('/admin');
    await admin.page
      .getByRole('button', { name: `Reset two-factor login of ${member.email}` })
      .click();
    await admin.page.getByRole('button', { name: 'Remove second factors' }).click();
    await admin.page.getByText(`${member.email} logs in with the password alone now`).waitFor();
    await admin.close();
  });

  test('accepting an invitation asks for the second step, and then opens the game', async () => {
    const { server } = stage;
    const account = await server.makeAccount();
    const { game_id } = await server.makeGame();
    const owner = await server.makeAccount({ game_id });
    const setup = await stage.visit('/account', { token: account.token, expected });
    const secret = await setUpApp(setup.page, account);
    await setup.close();
    await server.request('POST', `/v1/games/${game_id}/invitations`, {
      token: owner.token,
      body: { email: account.email, role: 'viewer' },
    });
    const link = findLink(await waitForMailAbout(server.data_dir, account.email, /invit/i));
    const { page, close } = await stage.visit(link.pathname + link.hash, { expected });
    await page.getByLabel('Password', { exact: true }).fill(account.password);
    await page.getByRole('button', { name: 'Log in and join' }).click();
    await page.getByLabel('Code of your authenticator app').fill(codeOf(secret));
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('heading', { name: 'Test game' }).waitFor();
    await close();
  });

  for (const theme of ['light', 'dark'] as const) {
    test(`the pages and dialogs of second factors are accessible, ${theme}`, async () => {
      const account = await stage.server.makeAccount();
      const options = { token: account.token, expected, theme, width: 390 };
      const { page, close } = await stage.visit('/account', options);
      await loadAxe(page);
      const look = async () => {
        const violations = await findViolations(page, 'body');
        const serious = violations.filter(({ impact }) => /serious|critical/.test(impact ?? ''));
        assert.deepEqual(
          serious.map(({ id, nodes }) => [id, nodes[0]?.html]),
          [],
        );
      };
      await page.getByRole('button', { name: 'Set up an app' }).click();
      await look();
      await fillPassword(page, account, 'Continue');
      await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
      await look();
      await page.keyboard.press('Escape');
      await setUpApp(page, account);
      await look();
      await page.getByRole('button', { name: 'I have kept them' }).click();
      await page.getByText('10 left').waitFor();
      await look();
      await page.getByRole('button', { name: 'Log out', exact: true }).click();
      await typePassword(page, account);
      await look();
      await close();
    });
  }
});
