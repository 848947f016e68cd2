import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import pino from 'pino';
import { cloneDatabase } from '../../../test/harness.ts';
import { openTestDatabase } from '../../../test/test-database.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { createNotifications } from '../database/notifications.ts';
import { composeMail } from './compose.ts';
import { createMailOutbox, postMail } from './outbox.ts';

let cloned: Awaited<ReturnType<typeof cloneDatabase>>;
let database: Database;
before(async () => {
  cloned = await cloneDatabase();
  database = openTestDatabase(
    { url: cloned.url },
    { application_name: 'test', max_connections: 8 },
  );
});
after(async () => {
  await database.close();
  await cloned.drop();
});

/** Makes an outbox that passes its mails to `takeMail` instead of a mail server. */
function makeOutbox(kind: string, takeMail: (to: string) => Promise<void>) {
  const outbox = createMailOutbox({
    database,
    notifications: createNotifications(database, () => undefined),
    transport: { send: (mail) => takeMail(mail.to) },
    logger: pino({ level: 'silent' }),
  });
  outbox.define<{ to: string }>(kind, async ({ to }) =>
    composeMail({ to, subject: kind, paragraphs: [], action: { label: '', url: '' }, note: '' }),
  );
  return outbox;
}

test('addresses take turns, even if one address has posted many mails before the others', async () => {
  for (let number = 0; number < 30; number++) {
    await postMail(database, 'turns', { to: `flood${number}@a.example` }, { ip: '192.0.2.1' });
  }
  await postMail(database, 'turns', { to: 'first@b.example' }, { ip: '192.0.2.2' });
  await postMail(database, 'turns', { to: 'first@c.example' }, { ip: '192.0.2.3' });
  const sent: string[] = [];
  const outbox = makeOutbox('turns', async (to) => void sent.push(to));
  outbox.deliverDue();
  await waitUntil('all are sent', async () => sent.length === 32);
  await outbox.close();
  const floodBefore = (to: string) =>
    sent.slice(0, sent.indexOf(to)).filter((other) => other.startsWith('flood')).length;
  assert.ok(floodBefore('first@b.example') <= 3, sent.join(' '));
  assert.ok(floodBefore('first@c.example') <= 3, sent.join(' '));
  const flood = sent.filter((to) => to.startsWith('flood'));
  assert.deepEqual(
    flood,
    Array.from({ length: 30 }, (_, number) => `flood${number}@a.example`),
  );
});

test('when the mail server hangs on mails of one address, mails of other addresses are sent', async () => {
  const hanging = Promise.withResolvers<void>();
  const begun: string[] = [];
  const sent: string[] = [];
  const outbox = makeOutbox('hanging', async (to) => {
    begun.push(to);
    if (to.endsWith('@hanging.example')) await hanging.promise;
    sent.push(to);
  });
  for (let number = 0; number < 5; number++) {
    await postMail(database, 'hanging', { to: `${number}@hanging.example` }, { ip: '2001:db8::1' });
  }
  outbox.deliverDue();
  await waitUntil('it hangs', async () => begun.length > 0);
  await postMail(database, 'hanging', { to: 'a@b.example' }, { ip: '192.0.2.2' });
  outbox.deliverDue();
  await waitUntil('the other is sent', async () => sent.length === 1);
  // This address is in the same network, which has a mail in flight, so its mail waits.
  await postMail(database, 'hanging', { to: '5@hanging.example' }, { ip: '2001:db8::2' });
  outbox.deliverDue();
  await postMail(database, 'hanging', { to: 'b@b.example' }, { ip: '192.0.2.2' });
  outbox.deliverDue();
  await waitUntil('the next is sent', async () => sent.length === 2);
  assert.deepEqual(begun, ['0@hanging.example', 'a@b.example', 'b@b.example']);
  hanging.resolve();
  await waitUntil('all are sent', async () => sent.length === 8);
  await outbox.close();
});

test('at most 200 mails of one address may wait, and other addresses still have room', async () => {
  const post = (to: string, ip: string) => postMail(database, 'bounded', { to }, { ip });
  for (let number = 0; number < 200; number++) await post(`${number}@a.example`, '192.0.2.1');
  await assert.rejects(post('more@a.example', '192.0.2.1'), {
    status: 503,
    message: 'Too many mails from your address are waiting to be sent, try again in a few minutes',
    headers: { 'retry-after': '120' },
  });
  await post('a@b.example', '192.0.2.2');
  // Mails of the kind `news` for an account with too many waiting mails are dropped without an error.
  const account_id = randomUUID();
  for (let number = 0; number < 201; number++) {
    await postMail(database, 'news', { number }, { account_id });
  }
  const news = await database.query(sql`SELECT FROM mail_outbox WHERE kind = 'news'`);
  assert.equal(news.length, 200);
  const waiting = await database.query(sql`
    SELECT owner, count(*) FROM mail_outbox WHERE kind = 'bounded' GROUP BY owner ORDER BY owner`);
  assert.deepEqual(waiting, [
    { owner: '192.0.2.1', count: 200 },
    { owner: '192.0.2.2', count: 1 },
  ]);
});
