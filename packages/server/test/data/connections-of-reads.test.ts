import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import type { TestAccount } from '../test-account.ts';
import type { TestAnswer } from '../test-request.ts';
import { waitForLocks } from '../wait-for-lock.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { countChangeSlots, countReadSlots } from '../../src/platform/queue/dashboard-turns.ts';

let server: TestServer;
let game_id: string;
let key: string;
const owners: TestAccount[] = [];
before(async () => {
  server = await startTestServer({ env: { TRUST_PROXY: 'true', WORKERS: '1' } });
  ({ game_id, production_key: key } = await server.makeGame());
  const body = { player_id: 'p', properties: {} };
  const identified = await server.request('POST', '/v1/identify', { key, body });
  assert.equal(identified.status, 200, identified.text);
  for (let made = 0; made < countReadSlots(1); made++) {
    owners.push(await server.makeAccount({ game_id }));
  }
});
after(() => server.close());

const LONG_WORK = [
  {
    what: 'reads',
    slots: countReadSlots(1),
    method: 'GET',
    path: 'annotations?environment=production',
    lock: sql`LOCK TABLE annotations IN ACCESS EXCLUSIVE MODE`,
  },
  {
    what: 'changes',
    slots: countChangeSlots(1),
    method: 'DELETE',
    path: 'leaderboards/none',
    lock: sql`LOCK TABLE leaderboards IN ACCESS EXCLUSIVE MODE`,
  },
];
for (const { what, slots, method, path, lock } of LONG_WORK) {
  test(`${what} that take all turns leave connections for logins, players and other changes`, async () => {
    const [{ email, password, token }] = owners as [TestAccount];
    const base = `/v1/games/${game_id}`;
    const answers: Promise<TestAnswer>[] = [];
    await server.database.ofGame(game_id).transaction(async (tx) => {
      await tx.execute(lock);
      for (const [index, owner] of owners.slice(0, slots).entries()) {
        // A network may not take all turns.
        const headers = { 'x-forwarded-for': `192.0.2.${index}` };
        answers.push(server.request(method, `${base}/${path}`, { token: owner.token, headers }));
      }
      await waitForLocks(server.database, slots);
      const login = await server.request('POST', '/v1/auth/login', { body: { email, password } });
      assert.equal(login.status, 200, login.text);
      const body = { name: `Renamed during ${what}` };
      const renamed = await server.request('PATCH', base, { token, body });
      assert.equal(renamed.status, 200, renamed.text);
      const player = await server.request('GET', '/v1/players/p', { key });
      assert.equal(player.status, 200, player.text);
      if (what === 'reads') return;
      const report = `${base}/audit-log`;
      const read = await server.request('GET', report, { token: owners[0]!.token });
      assert.equal(read.status, 200, read.text);
    });
    for (const { status, text } of await Promise.all(answers)) assert.notEqual(status, 503, text);
  });
}
