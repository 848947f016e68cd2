import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';

test('the 301st registration from one address in a minute gets 429, and other addresses do not', async () => {
  await using server = await startTestServer({ env: { TRUST_PROXY: 'true' } });
  const registerFrom = (address: string) =>
    server.request('POST', '/v1/auth/register', {
      body: { email: 'not an address', password: 'long enough' },
      headers: { 'x-forwarded-for': address },
    });
  const answers = await Promise.all(Array.from({ length: 301 }, () => registerFrom('192.0.2.1')));
  const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
  assert.deepEqual([count(400), count(429)], [300, 1]);
  assert.equal((await registerFrom('192.0.2.2')).status, 400);
});
