import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import { startSmtpInbox } from '../../../test/smtp-inbox.ts';
import { waitUntil } from '../../../test/wait-until.ts';

test('invitations that hang at the mail server do not delay invitations of other studios', async () => {
  const hanging = Promise.withResolvers<null>();
  let held = 0;
  const inbox = await startSmtpInbox({
    refuse: ([to]) => {
      if (!to!.endsWith('@hanging.example')) return null;
      held++;
      return hanging.promise;
    },
  });
  await using server = await startTestServer({
    env: { TRUST_PROXY: 'true', SMTP_URL: inbox.url },
  });
  const makeStudio = async (address: string) => {
    const { game_id } = await server.makeGame();
    const { token } = await server.makeAccount({ game_id });
    return async (email: string) => {
      const answer = await server.request('POST', `/v1/games/${game_id}/invitations`, {
        token,
        body: { email, role: 'viewer' },
        headers: { 'x-forwarded-for': address },
      });
      assert.equal(answer.status, 201, answer.text);
    };
  };
  const noisy = await makeStudio('192.0.2.1');
  const other = await makeStudio('192.0.2.2');
  try {
    for (let number = 0; number < 10; number++) await noisy(`${number}@hanging.example`);
    await waitUntil('the mail server hangs', async () => held === 1);
    for (let number = 0; number < 3; number++) await other(`${number}@studio.example`);
    await waitUntil('the others arrive', async () => inbox.mails.length === 3);
    assert.equal(held, 1);
  } finally {
    hanging.resolve(null);
  }
  await waitUntil('all arrive', async () => inbox.mails.length === 13);
  await inbox.close();
});
