import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as argon2 from '@node-rs/argon2';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { postLinkMail } from '../links/account-mails.ts';
import { createAttemptLimit } from '../../../platform/limits/attempt-limit.ts';
import { logIn } from './login.ts';
import { createPasswords, HASH_COST } from '../passwords/passwords.ts';
import { listHashCosts } from '../store.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

/** Wraps a database so that the text of each statement is recorded in `texts`. */
function watchDatabase(database: Database, texts: string[]): Database {
  const watch = (queryable: Queryable): Queryable => ({
    ...queryable,
    query: (statement) => (texts.push(statement.text), queryable.query(statement)),
    queryOne: (statement) => (texts.push(statement.text), queryable.queryOne(statement)),
    execute: (statement) => (texts.push(statement.text), queryable.execute(statement)),
  });
  return {
    ...database,
    ...watch(database),
    transaction: (work) => database.transaction((tx) => work(watch(tx))),
  };
}

test('failed logins take the same steps for known addresses, unknown addresses and hashes of another cost', async () => {
  const account = await server.makeAccount();
  const outdated = await server.makeAccount();
  const cheap = await argon2.hash(outdated.password, { memoryCost: 64, timeCost: 1 });
  await server.database.execute(
    sql`UPDATE accounts SET password_hash = ${cheap} WHERE id = ${outdated.account_id}`,
  );
  const steps: string[] = [];
  const database = watchDatabase(server.database, steps);
  const passwords = createPasswords({
    listCosts: () => listHashCosts(server.database),
    engine: {
      hash: argon2.hash,
      verify: (password_hash, password) => {
        const { memoryCost, timeCost, parallelism } = argon2.parseOptions(password_hash);
        steps.push(`argon2 ${memoryCost} ${timeCost} ${parallelism}`);
        return argon2.verify(password_hash, password);
      },
    },
  });
  const failedLogins = createAttemptLimit(database, 'log_in', 30);
  const services = { database, passwords, failedLogins, askSecondStep: async () => null };
  const stepsOf = async (email: string, cookies?: string) => {
    steps.length = 0;
    const client = { ip: '127.0.0.1', user_agent: null, cookies, origin: undefined };
    await assert.rejects(logIn(services, { email, password: 'wrong' }, client), {
      message: 'Invalid email or password',
    });
    return [...steps];
  };
  const known = await stepsOf(account.email);
  const hashing = known.filter((step) => step.startsWith('argon2'));
  assert.deepEqual(hashing, ['argon2 19456 2 1', 'argon2 64 1 1']);
  assert.deepEqual(await stepsOf('nobody@studio.example'), known);
  assert.deepEqual(await stepsOf(outdated.email), known);

  // The steps are also the same for a cookie of another account's browser and for an invented cookie.
  const login = await server.request('POST', '/v1/auth/login', {
    body: { email: outdated.email, password: outdated.password },
  });
  const cookies = login.headers.get('set-cookie')!.split(';')[0]!;
  const foreign = await stepsOf(account.email, cookies);
  assert.equal(foreign.length, known.length + 1);
  const made_up = `overworld_device=${'x'.repeat(32)}`;
  for (const cookie of [cookies, made_up]) {
    assert.deepEqual(await stepsOf('nobody@studio.example', cookie), foreign);
  }
  assert.deepEqual(await stepsOf(account.email, made_up), foreign);
});

test('a request for a reset takes the same steps and gives the same answer for every address', async () => {
  const account = await server.makeAccount();
  const steps: string[] = [];
  const database = watchDatabase(server.database, steps);
  const stepsOf = async (email: string) => {
    steps.length = 0;
    await postLinkMail(
      database,
      'reset_password',
      { email: email },
      {
        ip: '127.0.0.1',
        user_agent: null,
        cookies: undefined,
        origin: undefined,
      },
    );
    return [...steps];
  };
  assert.deepEqual(await stepsOf('nobody@studio.example'), await stepsOf(account.email));
  const ask = (email: string) =>
    server.request('POST', '/v1/auth/forgot-password', { body: { email } });
  const [known, unknown] = [await ask(account.email), await ask('nobody@studio.example')];
  assert.deepEqual([known.status, known.text], [unknown.status, unknown.text]);
});

test('a hash made at another cost is replaced when its owner logs in', async () => {
  const account = await server.makeAccount();
  const ask = (password: string) =>
    server.request('POST', '/v1/auth/login', { body: { email: account.email, password } });
  const cheap = await argon2.hash(account.password, { memoryCost: 64, timeCost: 1 });
  const readHash = async () =>
    (await server.database.queryOne<{ password_hash: string }>(
      sql`SELECT password_hash FROM accounts WHERE id = ${account.account_id}`,
    ))!.password_hash;
  await server.database.execute(
    sql`UPDATE accounts SET password_hash = ${cheap} WHERE id = ${account.account_id}`,
  );
  await ask('wrong');
  assert.equal(await readHash(), cheap);

  assert.equal((await ask(account.password)).status, 200);
  const upgraded = await readHash();
  assert.match(upgraded, /^\$argon2id\$/);
  assert.equal(argon2.parseOptions(upgraded).memoryCost, HASH_COST.memoryCost);
  assert.equal(argon2.parseOptions(upgraded).timeCost, HASH_COST.timeCost);

  assert.equal((await ask(account.password)).status, 200);
  assert.equal(await readHash(), upgraded);
});
