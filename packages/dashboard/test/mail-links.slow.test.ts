import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '../../server/src/platform/database/sql.ts';
import type { TestGame } from '../../server/test/harness.ts';
import type { TestAccount } from '../../server/test/test-account.ts';
import { findLink } from '../../server/test/mailbox.ts';
import { startSmtpInbox } from '../../server/test/smtp-inbox.ts';
import type { SmtpInbox } from '../../server/test/smtp-inbox.ts';
import { gamePath, openStage, until, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

describe('the links in mails', { skip: withoutBrowser }, () => {
  let stage: Stage;
  let inbox: SmtpInbox;
  let game: TestGame;
  let owner: TestAccount;
  before(async () => {
    inbox = await startSmtpInbox();
    stage = await openStage({ env: { ACCOUNT_ACTIVATION: 'email', SMTP_URL: inbox.url } });
    game = await stage.server.makeGame();
    owner = await stage.server.makeAccount({ game_id: game.game_id, is_administrator: true });
  });
  after(async () => {
    await stage.close();
    await inbox.close();
  });

  const linkTo = async (email: string, count = 1) => {
    const list = () => inbox.mails.filter(({ envelope }) => envelope.to.includes(email));
    await until(`${email} has ${count} mails`, async () => list().length >= count);
    const { pathname, hash } = findLink(list().at(-1)!);
    return pathname + hash;
  };
  const invite = async (email: string, role = 'developer') => {
    const path = `/v1/games/${game.game_id}/invitations`;
    const body = { email, role };
    const answer = await stage.server.request('POST', path, { token: owner.token, body });
    assert.equal(answer.status, 201, answer.text);
    return linkTo(email);
  };

  test('a new account logs in after the link in the mail activates it', async () => {
    const email = 'noor@studio.example';
    const { page, close } = await stage.visit('/register', { expected: /403/ });
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('a good password');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('We sent an e-mail to').waitFor();
    await page.getByRole('button', { name: 'Send it again' }).click();
    await page.getByText('If ').waitFor();
    await page.goto(await linkTo(email, 2));
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByRole('link', { name: 'Log in' }).click();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('a good password');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Your first game' }).waitFor();
    await close();
  });

  test('the link for a forgotten password sets a new password only once', async () => {
    const { email } = await stage.server.makeAccount();
    const { page, close } = await stage.visit('/forgot-password', { expected: /400/ });
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
    const link = await linkTo(email);
    await page.goto(link);
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('Password must have at least 8 characters').waitFor();
    await page.getByLabel('New password').fill('a better password');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('heading', { name: 'Password changed' }).waitFor();
    // From another page: the same address with a fragment would load nothing.
    await page.goto('/login');
    await page.goto(link);
    await page.getByLabel('New password').fill('yet another password');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('alert').waitFor();
    await close();
  });

  test('the invited account accepts the invitation by one click', async () => {
    const { email, token } = await stage.server.makeAccount();
    const { page, close } = await stage.visit(await invite(email), { token, expected: /404/ });
    await page.getByText(`You are logged in as ${email}`).waitFor();
    assert.equal(await page.getByLabel('Password', { exact: true }).count(), 0);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('heading', { name: 'Test game', level: 1 }).waitFor();
    await page.goto('/invitations#token=used');
    await page.getByRole('heading', { name: 'This invitation does not work' }).waitFor();
    await close();
  });

  test('an invitation makes an account, also in a browser that is logged in with another account', async () => {
    const email = 'ilse@studio.example';
    const other = await stage.server.makeAccount();
    const { page, close } = await stage.visit(await invite(email, 'viewer'), {
      token: other.token,
    });
    await page.getByText(`You are logged in as ${other.email}`).waitFor();
    await page.getByLabel('Password', { exact: true }).fill('a password of my own');
    await page.getByRole('button', { name: 'Create account and join' }).click();
    await page.getByRole('heading', { name: 'Test game', level: 1 }).waitFor();
    await page.getByRole('button', { name: email }).waitFor();
    await close();
  });

  test('a member without a verified e-mail address must verify it before inviting', async () => {
    const { game_id } = game;
    const member = await stage.server.makeAccount({ game_id });
    await stage.server.database.execute(sql`
      UPDATE accounts SET email_verified_at = NULL WHERE id = ${member.account_id}`);
    const { page, close } = await stage.visit(gamePath(game, 'members'), {
      token: member.token,
      expected: /403/,
    });
    await page.getByRole('button', { name: 'Invite' }).first().click();
    await page.getByRole('textbox', { name: 'E-mail' }).fill('guest@studio.example');
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByText('Verify your e-mail address before you invite others').waitFor();
    await page.getByRole('button', { name: 'Send me the link' }).click();
    await page.getByRole('button', { name: 'Link sent' }).waitFor();
    await page.goto(await linkTo(member.email));
    await page.getByRole('button', { name: 'Verify the address' }).click();
    await page.getByText('Your address is verified').waitFor();
    await page.goto(gamePath(game, 'members'));
    await page.getByRole('button', { name: 'Invite' }).first().click();
    await page.getByRole('textbox', { name: 'E-mail' }).fill('guest@studio.example');
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByText('The invitation to guest@studio.example is on its way').waitFor();
    await close();
  });
});
