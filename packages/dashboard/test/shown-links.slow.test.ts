import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { gamePath, go, withoutBrowser } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

describe('an installation that sends no mail', { skip: withoutBrowser }, () => {
  let stage: GameStage['stage'];
  let game: GameStage['game'];
  let owner: GameStage['owner'];
  before(async () => {
    ({ stage, game, owner } = await openGameStage());
  });
  after(() => stage.close());

  const readLink = async (page: Page) => {
    const { pathname, hash } = new URL(await page.getByTestId('link').innerText());
    await page.getByRole('button', { name: 'Done' }).click();
    return pathname + hash;
  };

  test('shows the link of an invitation, which makes an account and joins the game', async () => {
    const { page, close } = await stage.visit(gamePath(game, 'members'), { token: owner.token });
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('textbox', { name: 'E-mail' }).fill('noor@studio.example');
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    await page.getByText('copy the link below').waitFor();
    await page.getByRole('button', { name: 'Copy link for noor@studio.example' }).click();
    const link = await readLink(page);
    await close();

    const guest = await stage.visit(link, { expected: /401/ });
    await guest.page.getByLabel('Password', { exact: true }).fill('a password of my own');
    await guest.page.getByRole('button', { name: 'Create account and join' }).click();
    await guest.page.getByRole('link', { name: 'Players', exact: true }).waitFor();
    // Nobody has proved that mail to this e-mail address arrives.
    await go(guest.page, '/account', 'Your account');
    await guest.page.getByText('an administrator can verify it').waitFor();
    assert.equal(await guest.page.getByRole('button', { name: 'Send me the link' }).count(), 0);
    await guest.close();
  });

  test('shows administrators a link to reset a password, and says on the health page why no mail is sent', async () => {
    const lost = await stage.server.makeAccount();
    const { page, close } = await stage.visit('/admin', { token: owner.token });
    await page.getByText('No e-mail is sent: SMTP_URL is not set.').waitFor();
    await page.getByRole('button', { name: `Reset password of ${lost.email}` }).click();
    await page.getByRole('button', { name: 'Make link' }).click();
    const link = await readLink(page);
    await close();

    const reader = await stage.visit('/forgot-password');
    await reader.page.getByText('An administrator can make you a link').waitFor();
    await reader.page.goto(link);
    await reader.page.getByLabel('New password').fill('a better password');
    await reader.page.getByRole('button', { name: 'Set password' }).click();
    await reader.page.getByRole('heading', { name: 'Password changed' }).waitFor();
    await reader.close();
  });
});
