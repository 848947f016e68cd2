import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { findLink, waitForMail } from '../../server/test/mailbox.ts';
import { callCli } from '../../server/test/run-cli.ts';
import { sql } from '../../server/src/platform/database/sql.ts';
import { findViolations, loadAxe, setTheme } from './axe.ts';
import { gamePath, withoutBrowser } from './browser.ts';
import { logInAtProvider, openIdentityStage } from './identity-stage.ts';
import type { IdentityStage } from './identity-stage.ts';

/** Checks all rules of axe in both themes. */
async function checkAccess(page: Page): Promise<void> {
  await loadAxe(page);
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    assert.deepEqual(await findViolations(page, 'body'), [], theme);
  }
}

describe('logging in with the studio’s identity', { skip: withoutBrowser }, () => {
  let stage: IdentityStage;
  before(async () => {
    stage = await openIdentityStage();
    await stage.server.makeAccount({ is_administrator: true });
  });
  after(() => stage.close());

  /** Makes an account with a password. `name` is the name of its owner at the provider. */
  const register = async (name: string, isProved: boolean) => {
    const account = await stage.server.makeAccount();
    const email = `${name}@studio.example`;
    await stage.server.database.execute(sql`
      UPDATE accounts SET email = ${email}, email_verified_at = ${isProved ? new Date() : null}
      WHERE id = ${account.account_id}`);
    return { ...account, email };
  };
  const withProvider = (page: Page) => page.getByRole('button', { name: 'Log in with Studio' });
  const seeFirstGame = (page: Page) =>
    page.getByRole('heading', { name: 'Your first game' }).waitFor();

  for (const width of [390, 1440]) {
    test(`a person without an account logs in, and comes to the page they asked for, ${width} px wide`, async () => {
      const { page, close } = await stage.visitAlone('/account', { width });
      await withProvider(page).waitFor();
      await checkAccess(page);
      await withProvider(page).click();
      await logInAtProvider(page, `new${width}`);
      await page.getByRole('heading', { name: 'Your account' }).waitFor();
      await page.getByText(`new${width}@studio.example`).waitFor();
      await page.getByText('have never chosen a password').waitFor();
      await page.getByRole('link', { name: 'Set a password' }).click();
      await page.getByRole('heading', { name: 'Reset your password' }).waitFor();
      await close();
    });
  }

  test('the owner of an account joins it with its password', async () => {
    const { password } = await register('bo', true);
    const { page, close } = await stage.visitAlone('/login', { expected: /409|401/ });
    await withProvider(page).click();
    await logInAtProvider(page, 'bo');
    await page.getByRole('heading', { name: 'Is this account yours?' }).waitFor();
    await page.getByRole('link', { name: 'Forgot your password?' }).waitFor();
    await checkAccess(page);
    await page.getByLabel('Password', { exact: true }).fill('wrong password');
    await page.getByRole('button', { name: 'Join the account' }).click();
    await page.getByText('Invalid email or password').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Join the account' }).click();
    await seeFirstGame(page);
    await close();
  });

  test('the owner of an address takes the account that a stranger has registered with it', async () => {
    const { token } = await register('kim', false);
    const { page, close } = await stage.visitAlone('/login', { expected: /409/ });
    await withProvider(page).click();
    await logInAtProvider(page, 'kim');
    await page.getByRole('button', { name: 'I do not know this password' }).click();
    await page.getByRole('heading', { name: 'Take this account?' }).waitFor();
    await checkAccess(page);
    await page.getByRole('button', { name: 'Take the account' }).click();
    await seeFirstGame(page);
    assert.equal((await stage.server.request('GET', '/v1/auth/me', { token })).status, 401);
    await close();
  });

  test('a login that the provider refuses, or that another browser began, leads back to the login', async () => {
    const { page, close } = await stage.visitAlone('/login/identity?error=access_denied&state=x', {
      expected: /401/,
    });
    await page.getByText('has not logged you in: access_denied').waitFor();
    await page.goto('/login/identity?code=x&state=y');
    await page.getByText('This login was begun in another browser').waitFor();
    await page.getByRole('link', { name: 'Back to login' }).click();
    await withProvider(page).waitFor();
    await close();
  });

  test('a link of the command line logs in once', async () => {
    const { email } = await stage.server.makeAccount();
    const { database_url: DATABASE_URL } = stage.server;
    const printed = await callCli(['login-link', email], { DATABASE_URL });
    const { pathname, hash } = new URL(printed.stdout.trim());
    const { page, close } = await stage.visitAlone(pathname + hash, { expected: /400/ });
    await page.getByText('This link logs you in once').waitFor();
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await seeFirstGame(page);
    await page.goto('/account');
    await page.goto(pathname + hash);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByText('Token is invalid or has expired').waitFor();
    await close();
  });

  test('without a password, a fresh login confirms a token and a second factor', async () => {
    const { page, close } = await stage.visitAlone('/account', { expected: /40[014]/ });
    await withProvider(page).click();
    await logInAtProvider(page, 'ada');
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    const { game_id } = await stage.server.makeGame();
    await stage.server.database.execute(sql`
      INSERT INTO game_members (game_id, account_id, role)
      SELECT ${game_id}, id, 'owner' FROM accounts WHERE email = 'ada@studio.example'`);
    const path = gamePath({ game_id, production_key: '', development_key: '' }, 'access-tokens');
    await page.goto(path);
    await page.getByRole('button', { name: 'New token' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Your account has no password').waitFor();
    assert.equal(await dialog.getByLabel('Name').count(), 0);
    await checkAccess(page);
    await dialog.getByRole('button', { name: 'Confirm with Studio' }).click();
    await logInAtProvider(page, 'ada');
    await page.getByText('no password is needed').waitFor();
    // The reader comes back to the open dialog.
    await page.waitForURL((url) => url.pathname === path);
    await dialog.getByText('You have just logged in anew').waitFor();
    assert.equal(await dialog.getByLabel('Your password').count(), 0);
    await dialog.getByLabel('Name').fill('Nightly build');
    await dialog.getByRole('button', { name: 'Make token' }).click();
    await page.getByTestId('new-key').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();

    // Another person at the provider confirms nothing.
    await page.goto('/account');
    await page.getByRole('button', { name: 'Set up an app' }).click();
    await dialog.getByRole('button', { name: 'Confirm with Studio' }).click();
    await logInAtProvider(page, 'eve');
    await page.getByText('This is not the identity of your account').waitFor();
    await page.getByRole('link', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Set up an app' }).click();
    await dialog.getByRole('button', { name: 'Confirm with Studio' }).click();
    await logInAtProvider(page, 'ada');
    await page.getByText('no password is needed').waitFor();
    await page.getByRole('button', { name: 'Set up an app' }).click();
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await page.getByTestId('totp-secret').waitFor();
    await close();
  });
});

describe('an installation that takes only identities', { skip: withoutBrowser }, () => {
  let stage: IdentityStage;
  before(async () => {
    stage = await openIdentityStage({ OIDC_ONLY: 'true' });
  });
  after(() => stage.close());

  test('has no field for a password, and an invited person joins by the provider', async () => {
    const { game_id } = await stage.server.makeGame();
    const owner = await stage.server.makeAccount({ game_id, is_administrator: true });
    const { page, close } = await stage.visitAlone('/login');
    const button = page.getByRole('button', { name: 'Log in with Studio' });
    await button.waitFor();
    assert.equal(await page.getByLabel('Password').count(), 0);
    await checkAccess(page);

    const email = 'guest@studio.example';
    const path = `/v1/games/${game_id}/invitations`;
    const body = { email, role: 'developer' };
    await stage.server.request('POST', path, { token: owner.token, body });
    const { pathname, hash } = findLink(await waitForMail(stage.server.data_dir, email));
    await page.goto(pathname + hash);
    await page.getByRole('heading', { name: 'Join Test game' }).waitFor();
    await button.waitFor();
    assert.equal(await page.getByLabel('Password').count(), 0);
    await checkAccess(page);
    await button.click();
    await logInAtProvider(page, 'guest');
    await page.getByText('You are logged in as').waitFor();
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.waitForURL(new RegExp(`/games/${game_id}/`));
    await close();
  });
});
