import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import type { TestAccount } from '../../server/test/test-account.ts';
import { openStage } from './browser.ts';
import type { Stage } from './browser.ts';

/**
 * A server and a browser for tests of second factors. After each code that a test uses, the clock of the
 * server moves on, so the next code of the authenticator app is a new one.
 */
export interface SecondFactorStage {
  stage: Stage;
  /** Returns the current code of the authenticator app with this secret. */
  codeOf(secret: string): string;
  fillPassword(page: Page, account: TestAccount, action: string): Promise<void>;
  /** Sets up an authenticator app. @returns its secret. */
  setUpApp(page: Page, account: TestAccount): Promise<string>;
  /** Logs in with the password, up to the second step. */
  typePassword(page: Page, account: TestAccount): Promise<void>;
}

export async function openSecondFactorStage(): Promise<SecondFactorStage> {
  let offset_ms = 0;
  const stage = await openStage({ clock: () => new Date(Date.now() + offset_ms) });

  const codeOf = (secret: string) => {
    const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) });
    return totp.generate({ timestamp: Date.now() + offset_ms });
  };

  const fillPassword = async (page: Page, { password }: TestAccount, action: string) => {
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password').fill(password);
    await dialog.getByRole('button', { name: action }).click();
  };

  const setUpApp = async (page: Page, account: TestAccount): Promise<string> => {
    await page.getByRole('button', { name: 'Set up an app' }).click();
    await fillPassword(page, account, 'Continue');
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    const secret = await page.getByTestId('totp-secret').innerText();
    await page.getByLabel('Code that the app shows').fill(codeOf(secret));
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
    offset_ms += 30_000;
    return secret;
  };

  const typePassword = async (page: Page, { email, password }: TestAccount) => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'One more step' }).waitFor();
  };

  return { stage, codeOf, fillPassword, setUpApp, typePassword };
}
