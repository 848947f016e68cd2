import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { jwtVerify } from 'jose';
import { createAccountServer } from '../studio/account-server.ts';
import { Accounts } from '../studio/accounts.ts';

const SECRET = 'a secret of the test that has enough characters';

let folder: string;
let path: string;
let server: Server;
let url: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overworld-moonward-'));
  path = join(folder, 'accounts.json');
  server = createServer(createAccountServer(await Accounts.open(path), SECRET));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/accounts/`;
});
after(async () => {
  server.close();
  server.closeAllConnections();
  await rm(folder, { recursive: true });
});

const send = async (call: string, body: string, type = 'application/json') => {
  const response = await fetch(url + call, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });
  const answer = (await response.json()) as { token?: string; error?: string };
  return { status: response.status, ...answer };
};
const enter = (call: 'sign-in' | 'sign-up', name: unknown, pin: unknown) =>
  send(call, JSON.stringify({ name, pin }));
const subjectOf = async (token: string) => {
  const { payload } = await jwtVerify(token, new TextEncoder().encode(SECRET));
  assert.ok(payload.exp! <= Date.now() / 1000 + 60, 'the token is short');
  return payload.sub;
};

test('two tokens of a new account differ but have the same id, and its PIN is not stored', async () => {
  const made = await enter('sign-up', ' Ada ', '271828');
  assert.equal(made.status, 200);
  const again = await enter('sign-in', 'ada', '271828');
  assert.equal(await subjectOf(again.token!), await subjectOf(made.token!));
  assert.notEqual(again.token, made.token);
  const text = await readFile(path, 'utf8');
  assert.ok(text.includes('"Ada"') && !text.includes('271828'));
  const reopened = await Accounts.open(path);
  assert.equal(await reopened.signIn('Ada', '271828'), await subjectOf(made.token!));
});

test('if several players sign up with one name at the same time, only one gets the name', async () => {
  const answers = await Promise.all(
    ['1111', '2222', '3333'].map((pin) => enter('sign-up', 'Bea', pin)),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
  assert.equal(JSON.parse(await readFile(path, 'utf8')).length, 2);
});

test('five wrong PINs lock only that account, and for a minute even the right PIN is refused', async () => {
  await enter('sign-up', 'Cleo', '4242');
  await enter('sign-up', 'Dora', '4242');
  const guesses = await Promise.all(
    Array.from({ length: 7 }, (_, index) => enter('sign-in', 'Cleo', `000${index}`)),
  );
  assert.deepEqual(guesses.map(({ status }) => status).sort(), [401, 401, 401, 401, 401, 429, 429]);
  assert.equal((await enter('sign-in', 'Cleo', '4242')).status, 429);
  assert.equal((await enter('sign-in', 'Dora', '4242')).status, 200);
  assert.deepEqual(await enter('sign-in', 'Nobody', '4242'), {
    status: 401,
    error: 'No account has this name and PIN.',
  });
});

test('each invalid input is refused with a reason in words', async () => {
  const stored = await readFile(path, 'utf8');
  for (const name of [undefined, null, 7, '', ' ', 'x'.repeat(21), '<b>', 'a\u0000', '\ud800']) {
    const { status, error } = await enter('sign-up', name, '1234');
    assert.deepEqual([status, error?.includes('account name')], [400, true], String(name));
  }
  for (const pin of [undefined, 1234, '123', '1234567890123', 'abcd', '12 34']) {
    const { status, error } = await enter('sign-up', 'Eve', pin);
    assert.deepEqual([status, error?.includes('PIN')], [400, true], String(pin));
  }
  for (const body of ['', '{', 'null', '[]', '"x"']) {
    assert.equal((await send('sign-up', body)).status, 400, body);
  }
  assert.equal((await send('sign-up', 'x'.repeat(5_000))).status, 413);
  assert.equal((await send('sign-up', '{}', 'text/plain')).status, 415);
  assert.equal((await send('other', '{}')).status, 404);
  assert.equal((await fetch(`${url}sign-in`)).status, 405);
  assert.equal(await readFile(path, 'utf8'), stored);
});
