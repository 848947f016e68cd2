import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { shareOfNewPlayers } from '@overworld/contract/limits';
import { sql } from '../../src/platform/database/sql.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { waitUntil } from '../wait-until.ts';
import { inParallel, statuses } from './limited-game.ts';

const env = { RATE_LIMIT_PER_MINUTE: '100000' };
let servers: TestServer[];
before(async () => {
  const first = await startTestServer({ env });
  servers = [first, await startTestServer({ env, database_url: first.database_url })];
});
after(async () => {
  await servers[1]!.close();
  await servers[0]!.close();
});

test('a network makes its share of the new players over all servers, and no more on any of them', async () => {
  const [first, second] = servers as [TestServer, TestServer];
  const { game_id, production_key: key } = await first.makeGame();
  let sent = 0;
  const identify = (on: TestServer) =>
    on.request('POST', '/v1/identify', {
      key,
      body: { player_id: `p${sent++}`, properties: {} },
    });
  await waitUntil('both servers refuse new players', async () => {
    const answers = await inParallel(40, (index) => identify(index % 2 ? first : second));
    return statuses(answers)[429] === 40;
  });
  const row = await first.database.queryOne<{ count: number }>(
    sql`SELECT count(*) FROM players WHERE game_id = ${game_id}`,
  );
  const share = shareOfNewPlayers(0);
  // Both servers may make players for a second until they know that the share is used up.
  assert.ok(row!.count >= share && row!.count < sent, `${row!.count} of ${sent} players`);
  for (const player_id of ['p0', 'p1', 'p2']) {
    const body = { player_id, properties: { known: true } };
    assert.equal((await first.request('POST', '/v1/identify', { key, body })).status, 200);
  }
  await first.database.execute(sql`
    UPDATE attempt_counts SET minute_started_at = minute_started_at - interval '1 hour'`);
  await using third = await startTestServer({ env, database_url: first.database_url });
  assert.equal((await identify(third)).status, 200);
});
