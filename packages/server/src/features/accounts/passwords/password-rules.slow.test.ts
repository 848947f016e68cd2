import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import { CliProcess } from '../../../../test/run-cli.ts';

test('create-account refuses common passwords, and makes no account', async () => {
  await using server = await startTestServer();
  const create = (email: string, password: string) =>
    new CliProcess(
      ['create-account', email, '--password-stdin'],
      { DATABASE_URL: server.database_url, PASSWORD: password },
      ['sh', '-c', 'echo "$PASSWORD" | "$@"', 'sh'],
    ).done;
  const refused = await create('cli-person@studio.example', 'password123');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /is one of the most common passwords/);
  const named = await create('cli-person@studio.example', 'cli-person');
  assert.match(named.stderr, /must not be the e-mail address/);
  const made = await create('cli-person@studio.example', 'a much better password');
  assert.equal(made.code, 0, made.stderr);
});
