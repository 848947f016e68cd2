import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import type { TestAccount } from '../test-account.ts';
import { countCases } from '../long-forms.ts';
import { findToken, waitForMail } from '../mailbox.ts';
import { callCli } from '../run-cli.ts';

const PASSWORD = 'a password of my own';
/** Pairs of addresses that differ in capital letters alone. */
const SPELLINGS = [
  ['İpek@studio.example', 'ipek@studio.example'],
  ['ΟΔΟΣ@studio.example', 'οδος@studio.example'],
  ['жук@studio.example', 'ЖУК@studio.example'],
  ['jürgen@studio.example', 'JÜRGEN@studio.example'],
] as const;

let server: TestServer;
let administrator: TestAccount;
before(async () => {
  server = await startTestServer({
    env: { PUBLIC_URL: 'https://games.example', ACCOUNT_ACTIVATION: 'none' },
  });
  administrator = await server.makeAccount({ is_administrator: true });
});
after(() => server.close());

const post = (path: string, body?: unknown, token?: string) =>
  server.request('POST', path, { body, token });
const register = (email: string) => post('/v1/auth/register', { email, password: PASSWORD });
const logIn = (email: string, password = PASSWORD) => post('/v1/auth/login', { email, password });
const callCommand = (...args: string[]) => callCli(args, { DATABASE_URL: server.database_url });

/** Makes a game, and invites an address into it. @returns the game, and the token of the invitation. */
async function invite(email: string, mails: number) {
  const { game_id } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  const sent = await post(`/v1/games/${game_id}/invitations`, { email, role: 'viewer' }, token);
  assert.equal(sent.status, 201, sent.text);
  const mail = await waitForMail(server.data_dir, email, mails);
  return { game_id, owner: token, link: findToken(mail) };
}

for (const [first, second] of SPELLINGS.slice(0, countCases(SPELLINGS.length))) {
  test(`${first} and ${second} are one account by every path`, async () => {
    const made = await register(first);
    assert.equal(made.status, 201, made.text);
    const { id } = made.body.user;

    assert.equal((await register(second)).status, 409);
    const { token } = administrator;
    assert.equal((await post('/v1/admin/users', { email: second }, token)).status, 409);
    const created = await callCommand('create-account', second);
    assert.match(created.stderr, /already exists/);

    const entered = await logIn(second);
    assert.deepEqual(entered.body.user, { id, email: first });
    const found = await server.request(
      'GET',
      `/v1/admin/users?search=${encodeURIComponent(second)}`,
      { token },
    );
    assert.deepEqual(
      found.body.users.map((user: { id: string }) => user.id),
      [id],
    );

    // Invitations, by both ways to accept one.
    const joined = await invite(second, 1);
    const path = `/v1/invitations/${joined.link}/accept`;
    const accepted = await post(path, undefined, entered.body.token);
    assert.equal(accepted.status, 200, accepted.text);
    for (const email of [first, second]) {
      const body = { email, role: 'viewer' };
      const again = await post(`/v1/games/${joined.game_id}/invitations`, body, joined.owner);
      assert.equal(again.status, 409, again.text);
    }
    const other = await invite(second, 2);
    const guest = { token: other.link, password: PASSWORD };
    const by_password = await post('/v1/auth/accept-invitation', guest);
    assert.deepEqual(by_password.body.user, { id, email: first });

    // The failures of all spellings count together, and a command finds the account by any of them.
    for (const email of [first, second, first, second, first]) await logIn(email, 'wrong');
    assert.equal((await logIn(second)).body.code, 'ACCOUNT_LOCKED');
    const unlocked = await callCommand('unlock-account', second);
    assert.equal(unlocked.stdout, `${first} is unlocked.\n`);
    assert.equal((await logIn(second)).status, 200);

    // The mail goes to the address of the account, whichever spelling asks for it.
    await post('/v1/auth/forgot-password', { email: second });
    const link = findToken(await waitForMail(server.data_dir, first));
    const password = 'another of my own';
    const changed = await post('/v1/auth/reset-password', { token: link, password });
    assert.equal(changed.status, 200, changed.text);
    assert.equal((await logIn(second, password)).status, 200);
  });
}

test('an address that is invited twice in different letters has one invitation', async () => {
  const { game_id, owner } = await invite('İnci@studio.example', 1);
  const body = { email: 'inci@studio.example', role: 'developer' };
  assert.equal((await post(`/v1/games/${game_id}/invitations`, body, owner)).status, 201);
  const { body: listed } = await server.request('GET', `/v1/games/${game_id}/invitations`, {
    token: owner,
  });
  assert.deepEqual(
    listed.invitations.map(({ email }: { email: string }) => email),
    ['inci@studio.example'],
  );
});
