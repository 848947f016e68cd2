import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pino from 'pino';
import PostalMime from 'postal-mime';
import { composeMail } from './compose.ts';
import { createMailTransport } from './transport.ts';

let data_dir: string;
before(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'overworld-test-'));
});
after(() => rm(data_dir, { recursive: true, force: true }));

const signal = new AbortController().signal;
const mail = composeMail({
  to: 'mira@studio.example',
  subject: 'Ein Schlüssel 🗝',
  paragraphs: ['Grüße aus 東京.'],
  action: { label: 'Open', url: 'http://127.0.0.1:8080/reset-password#token=secret-token' },
  note: 'Once.',
});

test('without SMTP_URL a mail becomes a private file, and the log has the path but no token', async () => {
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const mail_from = 'Overworld <overworld@studio.example>';
  const transport = createMailTransport({ smtp_url: null, mail_from, data_dir }, logger);
  await transport.send(mail, 'reset_password', signal);

  const folder = join(data_dir, 'mails');
  const [name, ...others] = await readdir(folder);
  assert.equal(others.length, 0);
  assert.match(name!, /^\d{4}-\d\d-\d\dT[\d-]+Z-reset_password-[0-9a-f]{8}\.eml$/);
  const path = join(folder, name!);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  assert.equal(lines.length, 1);
  assert.equal(JSON.parse(lines[0]!).path, path);
  assert.ok(!lines[0]!.includes('secret-token'));

  const parsed = await PostalMime.parse(await readFile(path));
  assert.equal(parsed.subject, mail.subject);
  assert.deepEqual(parsed.from, { name: 'Overworld', address: 'overworld@studio.example' });
  assert.deepEqual(parsed.to, [{ name: '', address: mail.to }]);
  assert.equal(parsed.text?.trim(), mail.text);
  assert.equal(parsed.html?.trim(), mail.html.trim());
});

test('in the file of a mail with only ASCII text, the whole link is on one line', async () => {
  const own = await mkdtemp(join(tmpdir(), 'overworld-test-'));
  try {
    const settings = { smtp_url: null, mail_from: 'overworld@localhost', data_dir: own };
    const transport = createMailTransport(settings, pino({ level: 'silent' }));
    const url = `http://127.0.0.1:8080/reset-password#token=${'x'.repeat(32)}`;
    const plain = composeMail({
      to: 'mira@studio.example',
      subject: 'Reset your Overworld password',
      paragraphs: ['Somebody asked for a new password for the account mira@studio.example.'],
      action: { label: 'Choose a new password', url },
      note: 'Once.',
    });
    await transport.send(plain, 'reset_password', signal);
    const [name] = await readdir(join(own, 'mails'));
    const text = await readFile(join(own, 'mails', name!), 'utf8');
    assert.ok(text.split('\n').includes(url));
  } finally {
    await rm(own, { recursive: true });
  }
});

test('an address with a comma stays one address, and a subject with newlines stays one header', async () => {
  const own = await mkdtemp(join(tmpdir(), 'overworld-test-'));
  try {
    const settings = { smtp_url: null, mail_from: 'overworld@localhost', data_dir: own };
    const transport = createMailTransport(settings, pino({ level: 'silent' }));
    const hostile = {
      ...mail,
      to: 'a,victim@b.example',
      subject: 'One\r\nBcc: c@d.example\r\n\r\n',
    };
    await transport.send(hostile, 'test', signal);
    const [name] = await readdir(join(own, 'mails'));
    const bytes = await readFile(join(own, 'mails', name!));
    assert.match(bytes.toString(), /^To: <"a,victim"@b\.example>$/m);
    const parsed = await PostalMime.parse(bytes);
    assert.equal(parsed.bcc, undefined);
    assert.ok(parsed.headers.every(({ key }) => key !== 'bcc'));
    assert.ok(parsed.text?.includes('secret-token'));
  } finally {
    await rm(own, { recursive: true });
  }
});

test('sending fails if the file cannot be written to the folder, so that the outbox tries again', async () => {
  const file = join(data_dir, 'a-file');
  await writeFile(file, '');
  const settings = { smtp_url: null, mail_from: 'overworld@localhost', data_dir: file };
  const transport = createMailTransport(settings, pino({ level: 'silent' }));
  await assert.rejects(transport.send(mail, 'test', signal), { code: 'ENOTDIR' });
});
