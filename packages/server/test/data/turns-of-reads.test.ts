import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../harness.ts';
import type { TestGame, TestServer } from '../harness.ts';
import { waitForLock } from '../wait-for-lock.ts';
import { waitUntil } from '../wait-until.ts';
import { sql } from '../../src/platform/database/sql.ts';

let server: TestServer;
let game: TestGame;
before(async () => {
  server = await startTestServer();
  game = await server.makeGame();
});
after(() => server.close());

async function countWaiting(): Promise<number> {
  const { text } = await server.request('GET', '/metrics');
  return Number(/^overworld_turns_waiting\{queue="dashboard_reads"\} (\d+)$/m.exec(text)![1]);
}

test('a read that may cost far more than its page waits for its turn', async () => {
  const { game_id, production_key: key } = game;
  await server.request('POST', '/v1/identify', { key, body: { player_id: 'p', properties: {} } });
  const board = { board_name: 'b', player_id: 'p', score: 1 };
  await server.request('POST', '/v1/leaderboards', { key, body: board });
  const makeAccount = () => server.makeAccount({ game_id });
  const [{ token }, ...others] = [await makeAccount(), await makeAccount(), await makeAccount()];
  const base = `/v1/games/${game_id}`;
  const webhook = await server.request('POST', `${base}/webhooks`, {
    token,
    body: { url: 'https://studio.example/hook', events: ['player.erased'] },
  });
  const dear = [
    '/v1/players/p/timeline?limit=101',
    '/v1/players/p/timeline?offset=100',
    `${base}/players?environment=production`,
    `${base}/players/p/merges?environment=production`,
    `${base}/players/p/leaderboards?environment=production`,
    `${base}/events?environment=production&event_name=e&player_id=p`,
    `${base}/usage`,
    `${base}/achievements?environment=production`,
    `${base}/leaderboards?environment=production`,
    `${base}/leaderboards/b?environment=production`,
    `${base}/leaderboards/b/entries?environment=production&search=x`,
    `${base}/leaderboards/b/decisions?environment=production`,
    `${base}/webhooks/${webhook.body.id}/deliveries?state=failed`,
    `${base}/audit-log?action=create_webhook`,
    `${base}/players/p/waiting-scores?environment=production`,
    `${base}/experiments?environment=production`,
    `${base}/event-schemas`,
    `${base}/saved-reports`,
    `${base}/api-keys?state=valid`,
  ];
  const answered: string[] = [];
  const answers: ReturnType<TestServer['request']>[] = [];
  const group = server.database.ofGame(game_id);
  await group.transaction(async (tx) => {
    // These reports take all turns of their network, because each waits for the lock.
    await tx.execute(sql`LOCK TABLE annotations IN ACCESS EXCLUSIVE MODE`);
    const report = `${base}/annotations?environment=production`;
    for (let sent = 0; sent < 24; sent++) {
      answers.push(server.request('GET', report, { token: others[sent % 2]!.token }));
    }
    await waitForLock(server.database);
    await waitUntil('the reports wait', async () => (await countWaiting()) >= 20);
    for (const path of dear) {
      const answer = server.request('GET', path, { token });
      answers.push(answer);
      void answer.then(() => answered.push(path));
    }
    await waitUntil(
      'the reads wait',
      async () => answered.length > 0 || (await countWaiting()) >= 20 + dear.length,
    );
    assert.deepEqual(answered, []);
  });
  for (const { status, text } of await Promise.all(answers)) assert.equal(status, 200, text);
});
