import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import { findLink, readToken } from '../../../../test/mailbox.ts';
import { startSmtpInbox } from '../../../../test/smtp-inbox.ts';
import { waitUntil } from '../../../../test/wait-until.ts';

test('with SMTP_URL, mails go to the mail server, and the link in a mail resets the password', async () => {
  const inbox = await startSmtpInbox();
  try {
    await using server = await startTestServer({
      env: {
        SMTP_URL: inbox.url,
        MAIL_FROM: 'The Studio <games@studio.example>',
        PUBLIC_URL: 'https://overworld.studio.example',
      },
    });
    const account = await server.makeAccount();
    const asked = await server.request('POST', '/v1/auth/forgot-password', {
      body: { email: account.email },
    });
    assert.equal(asked.status, 200);
    await waitUntil('the mail arrives', async () => inbox.mails.length === 1);
    const mail = inbox.mails[0]!;
    assert.deepEqual(mail.envelope, { from: 'games@studio.example', to: [account.email] });
    assert.deepEqual(mail.from, { name: 'The Studio', address: 'games@studio.example' });
    const link = findLink(mail);
    assert.equal(link.pathname, '/reset-password');
    const body = { token: readToken(link), password: 'a new password' };
    const reset = await server.request('POST', '/v1/auth/reset-password', { body });
    assert.equal(reset.status, 200);
    await assert.rejects(readdir(join(server.data_dir, 'mails')), { code: 'ENOENT' });
  } finally {
    await inbox.close();
  }
});

test('a request that sends a mail succeeds even if the mail server is unreachable', async () => {
  const gone = await startSmtpInbox();
  await gone.close();
  await using server = await startTestServer({ env: { SMTP_URL: gone.url } });
  const account = await server.makeAccount();
  for (const email of [account.email, 'nobody@studio.example']) {
    const asked = await server.request('POST', '/v1/auth/forgot-password', { body: { email } });
    assert.equal(asked.status, 200);
  }
});
