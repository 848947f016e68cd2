import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import type { TestAccount } from '../../../../test/test-account.ts';
import { waitUntil } from '../../../../test/wait-until.ts';

const METRICS_TOKEN = 'read-by-this-test';

let server: TestServer;
before(async () => {
  server = await startTestServer({ env: { TRUST_PROXY: 'true', METRICS_TOKEN } });
});
after(() => server.close());

/** A studio with a game and a network address of its own. */
async function makeStudio(address: string) {
  const { game_id } = await server.makeGame();
  const account = await server.makeAccount({ game_id });
  const headers = { 'x-forwarded-for': address };
  return {
    game_id,
    ask: (report: string, { token }: TestAccount = account) =>
      server.request('GET', `/v1/games/${game_id}/${report}`, { token, headers }),
    logIn: () => {
      const { email, password } = account;
      return server.request('POST', '/v1/auth/login', { body: { email, password }, headers });
    },
  };
}

test('forty endless reports of one account block no report and no login of others', async () => {
  const noisy = await makeStudio('192.0.2.1');
  const other = await makeStudio('192.0.2.2');
  const locking = await server.database.ofGame(noisy.game_id).connect();
  await locking.query('BEGIN');
  await locking.query('LOCK TABLE daily_event_counts IN ACCESS EXCLUSIVE MODE');
  const asked = Array.from({ length: 40 }, () => noisy.ask('analytics/events'));
  try {
    await waitUntil('the reports wait for their turns', async () => {
      const { text } = await server.request('GET', '/metrics', { token: METRICS_TOKEN });
      const waiting = /^overworld_turns_waiting\{queue="dashboard_reads"\} (\d+)$/m.exec(text);
      // At most three reports of an account run at the same time, fewer on a small machine.
      return Number(waiting?.[1]) >= 37;
    });
    assert.equal((await other.ask('analytics/sessions')).status, 200);
    assert.equal((await other.ask('players')).status, 200);
    assert.equal((await other.logIn()).status, 200);
  } finally {
    await locking.query('ROLLBACK');
    locking.release();
  }
  const answers = await Promise.all(asked);
  // On a very slow machine some reports wait for longer than the deadline.
  for (const { status } of answers) assert.ok(status === 200 || status === 503);
  assert.equal((await noisy.ask('analytics/events')).status, 200);
});
