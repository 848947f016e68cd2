import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { test } from 'node:test';
import { startTestServer } from '../harness.ts';
import { ask } from './client.ts';

const LIMIT = 200;

test('all workers together allow a key exactly its requests per minute, however many come at once', async () => {
  await using server = await startTestServer({
    env: { WORKERS: '2', RATE_LIMIT_PER_MINUTE: String(LIMIT) },
  });
  const { production_key } = await server.makeGame();
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const answers = await Promise.all(
    Array.from({ length: 2 * LIMIT }, () =>
      ask(server.url, '/v1/achievements', { agent, headers: { 'x-game-api-key': production_key } }),
    ),
  );
  agent.destroy();
  const left = answers.map(({ headers }) => Number(headers['x-ratelimit-remaining']));
  const accepted = answers.filter(({ status }) => status === 200);
  assert.equal(accepted.length, LIMIT);
  assert.equal(new Set(left.filter((_, index) => answers[index]!.status === 200)).size, LIMIT);
});
