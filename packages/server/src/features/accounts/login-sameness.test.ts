import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as argon2 from '@node-rs/argon2';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { createAttemptLimit } from './attempt-limit.ts';
import { logIn } from './login.ts';
import { createPasswords } from './passwords.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

/** The database, noting the text of each statement. */
function watchDatabase(database: Database, texts: string[]): Database {
  const watch = (queryable: Queryable): Queryable => ({
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

test('a login to an unknown address takes the same steps as a wrong password: statements and hashing', async () => {
  const account = await server.makeAccount();
  const stepsOf = async (email: string) => {
    const steps: string[] = [];
    const database = watchDatabase(server.database, steps);
    const passwords = createPasswords({
      hash: argon2.hash,
      verify: (password_hash, password) => {
        const { memoryCost, timeCost, parallelism } = argon2.parseOptions(password_hash);
        steps.push(`argon2 ${memoryCost} ${timeCost} ${parallelism}`);
        return argon2.verify(password_hash, password);
      },
    });
    const failedLogins = createAttemptLimit(database, 'log_in', 30);
    await assert.rejects(
      logIn({ database, passwords, failedLogins }, { email, password: 'wrong' }, '127.0.0.1'),
      { message: 'Invalid email or password' },
    );
    return steps;
  };
  const known = await stepsOf(account.email);
  assert.ok(known.some((step) => step.startsWith('argon2 19456')));
  assert.deepEqual(await stepsOf('nobody@studio.example'), known);
});
