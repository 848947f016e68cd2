import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { after, before, test } from 'node:test';
import pino from 'pino';
import { cloneDatabase } from '../../../test/harness.ts';
import { openTestDatabase } from '../../../test/test-database.ts';
import { startSmtpInbox } from '../../../test/smtp-inbox.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { createNotifications } from '../database/notifications.ts';
import { composeMail } from './compose.ts';
import { createMailOutbox, postMail } from './outbox.ts';
import { createMailTransport } from './transport.ts';

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

/** Starts the outbox of a node on the shared database, for mails of one kind. */
async function startOutbox(kind: string, smtp_url: string, retry_delays_ms: number[] = []) {
  const lines: { level: number; attempts?: number }[] = [];
  const logger = pino(
    { level: 'warn' },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  const settings = { smtp_url, mail_from: 'overworld@studio.example', data_dir: '/nowhere' };
  const notifications = createNotifications(database, () => undefined);
  const outbox = createMailOutbox({
    database,
    notifications,
    transport: createMailTransport(settings, logger),
    logger,
    retry_delays_ms,
  });
  const written: string[] = [];
  outbox.define<{ to: string }>(kind, async ({ to }, mail_id) => {
    written.push(mail_id);
    if (to === 'nobody') return null;
    return composeMail({
      to,
      subject: kind,
      paragraphs: [],
      action: { label: 'Open', url: `http://overworld.example/${written.length}` },
      note: '',
    });
  });
  await notifications.start();
  const close = async () => {
    await outbox.close();
    await notifications.close();
  };
  return { outbox, written, lines, close };
}

const countRows = async (kind: string) =>
  (await database.queryOne<{ n: number }>(
    sql`SELECT count(*) AS n FROM mail_outbox WHERE kind = ${kind}`,
  ))!.n;
const waitUntilEmpty = (kind: string) =>
  waitUntil('the outbox is empty', async () => (await countRows(kind)) === 0);

test('a mail is sent after its transaction commits, and never after a rollback', async () => {
  const inbox = await startSmtpInbox();
  const { written, close } = await startOutbox('transactional', inbox.url);
  try {
    await assert.rejects(
      database.transaction(async (tx) => {
        await postMail(tx, 'transactional', { to: 'lost@studio.example' }, { ip: null });
        throw new Error('rolled back');
      }),
      { message: 'rolled back' },
    );
    await database.transaction((tx) =>
      postMail(tx, 'transactional', { to: 'a@studio.example' }, { ip: null }),
    );
    await waitUntil('the mail arrives', async () => inbox.mails.length === 1);
    await waitUntilEmpty('transactional');
    assert.equal(written.length, 1);
    const [mail] = inbox.mails;
    assert.deepEqual(mail?.envelope, {
      from: 'overworld@studio.example',
      to: ['a@studio.example'],
    });
    const automatic = mail.headers.find(({ key }) => key === 'auto-submitted');
    assert.equal(automatic?.value, 'auto-generated');
  } finally {
    await close();
    await inbox.close();
  }
});

test('a mail whose writer returns null is dropped', async () => {
  const inbox = await startSmtpInbox();
  const { written, close } = await startOutbox('nothing', inbox.url);
  try {
    await postMail(database, 'nothing', { to: 'nobody' }, { ip: null });
    await waitUntilEmpty('nothing');
    assert.equal(written.length, 1);
    assert.equal(inbox.mails.length, 0);
  } finally {
    await close();
    await inbox.close();
  }
});

test('the outbox tries again while the mail server is down, until the server takes the mail', async () => {
  const gone = await startSmtpInbox();
  await gone.close();
  const { outbox, written, lines, close } = await startOutbox(
    'away',
    gone.url,
    Array.from({ length: 1000 }, () => 20),
  );
  const retry = setInterval(() => void outbox.deliverDue(), 20);
  let inbox: Awaited<ReturnType<typeof startSmtpInbox>> | undefined;
  try {
    await postMail(database, 'away', { to: 'a@studio.example' }, { ip: null });
    await waitUntil('it was tried three times', async () => written.length >= 3);
    assert.ok(lines.length >= 2 && lines.every(({ level }) => level === 40));
    inbox = await startSmtpInbox({ port: gone.port });
    await waitUntilEmpty('away');
    assert.equal(inbox.mails.length, 1);
    assert.equal(new Set(written).size, 1);
  } finally {
    clearInterval(retry);
    await close();
    await inbox?.close();
  }
});

test('a mail that is refused temporarily is tried again a few times and then given up', async () => {
  let refusals = 0;
  const refuse = () => {
    refusals++;
    return { message: 'Mailbox busy', responseCode: 451 };
  };
  const inbox = await startSmtpInbox({ refuse });
  const { outbox, lines, close } = await startOutbox('busy', inbox.url, [10, 10, 10]);
  const retry = setInterval(() => void outbox.deliverDue(), 10);
  try {
    await postMail(database, 'busy', { to: 'a@studio.example' }, { ip: null });
    await waitUntilEmpty('busy');
    assert.equal(refusals, 4);
    assert.deepEqual(
      lines.map(({ level, attempts }) => [level, attempts]),
      [
        [40, 1],
        [40, 2],
        [40, 3],
        [50, 4],
      ],
    );
  } finally {
    clearInterval(retry);
    await close();
    await inbox.close();
  }
});

test('a mail that is refused permanently is given up immediately, and the next mail is sent', async () => {
  let refusals = 0;
  const refuse = () =>
    ++refusals === 1 ? { message: 'No such mailbox', responseCode: 550 } : null;
  const inbox = await startSmtpInbox({ refuse });
  const { lines, close } = await startOutbox('refused', inbox.url, [10, 10, 10]);
  try {
    await postMail(database, 'refused', { to: 'a@studio.example' }, { ip: null });
    await waitUntilEmpty('refused');
    await postMail(database, 'refused', { to: 'b@studio.example' }, { ip: null });
    await waitUntil('the mail arrives', async () => inbox.mails.length === 1);
    assert.deepEqual(inbox.mails[0]?.envelope.to, ['b@studio.example']);
    assert.deepEqual(
      lines.map(({ level }) => level),
      [50],
    );
  } finally {
    await close();
    await inbox.close();
  }
});

test('exactly one of three nodes sends each mail', async () => {
  const inbox = await startSmtpInbox();
  const nodes = await Promise.all([1, 2, 3].map(() => startOutbox('shared', inbox.url)));
  try {
    const addresses = Array.from({ length: 10 }, (_, index) => `a${index}@studio.example`);
    // A mail to `nobody` takes only a millisecond, so nodes often try to claim the same mail.
    const posted = [...addresses, ...Array.from({ length: 200 }, () => 'nobody')];
    await database.transaction(async (tx) => {
      for (const [index, to] of posted.entries()) {
        await postMail(tx, 'shared', { to }, { ip: `192.0.2.${index % 8}` });
      }
    });
    await waitUntilEmpty('shared');
    const written = nodes.flatMap((node) => node.written);
    assert.equal(written.length, posted.length);
    assert.equal(new Set(written).size, posted.length);
    assert.ok(nodes.filter((node) => node.written.length > 0).length > 1);
    assert.deepEqual(
      inbox.mails.flatMap(({ envelope }) => envelope.to).sort(),
      addresses.toSorted(),
    );
  } finally {
    await Promise.all(nodes.map(({ close }) => close()));
    await inbox.close();
  }
});

test('closing the outbox does not wait for a silent mail server, and the mail is sent later', async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  try {
    const first = await startOutbox('silent', `smtp://127.0.0.1:${port}`);
    await postMail(database, 'silent', { to: 'a@studio.example' }, { ip: null });
    await waitUntil('the server is called', async () => sockets.size > 0);
    const started = Date.now();
    await first.close();
    // An attempt to send ends by itself only after a minute.
    assert.ok(Date.now() - started < 50_000);
    assert.equal(await countRows('silent'), 1);
  } finally {
    sockets.forEach((socket) => socket.destroy());
    await new Promise((resolve) => silent.close(resolve));
  }

  const inbox = await startSmtpInbox();
  const second = await startOutbox('silent', inbox.url);
  try {
    await waitUntil('the mail arrives', async () => inbox.mails.length === 1);
  } finally {
    await second.close();
    await inbox.close();
  }
});
