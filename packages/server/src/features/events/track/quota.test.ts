import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TIERS } from '@overworld/contract/tiers';
import { sql } from '../../../platform/database/sql.ts';
import type { TestGame } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';
import { waitForIngest } from '../../../../test/inbox.ts';
import { useTwoServers } from '../../../../test/two-servers.ts';

const LIMIT = TIERS.free.event_quota;

/** Two nodes on one database. */
const servers = useTwoServers();

const events = (count: number) =>
  Array.from({ length: count }, () => ({ event_name: 'e', session_id: 's' }));

const track = (node: 0 | 1, key: string, count: number) =>
  servers[node].request('POST', '/v1/track', { key, body: events(count) });

/** Makes a game of the Free tier that may send this many more events this month. */
async function makeGame(remaining: number): Promise<TestGame> {
  const game = await servers[0].makeGame();
  await setUsed(game.game_id, LIMIT - remaining);
  return game;
}

const setUsed = (game_id: string, used: number, months_ago = 0) =>
  servers[0].database.execute(sql`
    INSERT INTO event_usage (game_id, month, used, last_accepted, quota)
    VALUES (${game_id}, (date_trunc('month', now()) - make_interval(months => ${months_ago}))::date,
            ${used}, 0, ${LIMIT})
    ON CONFLICT (game_id, month) DO UPDATE SET used = EXCLUDED.used`);

async function countStored(game_id: string): Promise<number> {
  await waitForIngest(servers[0].database, game_id);
  const row = await servers[0].database.queryOne<{ count: number }>(
    sql`SELECT count(*) AS count FROM events WHERE game_id = ${game_id}`,
  );
  return row!.count;
}

const exceeded = {
  error: 'Monthly event quota exceeded',
  quota: { current: LIMIT, limit: LIMIT, remaining: 0 },
};

const isExceeded = ({ status, body }: TestAnswer) => {
  assert.equal(status, 429);
  assert.deepEqual(body, exceeded);
};

test('when the quota is used up, the answer is 429 with current, limit and remaining 0', async () => {
  const game = await makeGame(1);
  const last = await track(0, game.production_key, 1);
  assert.deepEqual(last.body, { received: 1, quota: { remaining: 0, limit: LIMIT } });
  isExceeded(await track(0, game.production_key, 1));
  isExceeded(await track(0, game.development_key, 1));
  isExceeded(await track(1, game.production_key, 1));
  assert.equal(await countStored(game.game_id), 1);
});

test('a request that crosses the quota is accepted up to the quota, and the next answers 429', async () => {
  const game = await makeGame(30);
  const crossing = await track(0, game.production_key, 100);
  assert.equal(crossing.status, 202);
  assert.deepEqual(crossing.body, { received: 30, quota: { remaining: 0, limit: LIMIT } });
  isExceeded(await track(0, game.production_key, 1));
  assert.equal(await countStored(game.game_id), 30);
});

test('parallel requests on two nodes count the quota down one after the other', async () => {
  const game = await servers[0].makeGame();
  const { production_key: key } = game;
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => track((index % 2) as 0 | 1, key, 50)),
  );
  assert.ok(answers.every(({ body }) => body.received === 50));
  const remaining = answers.map(({ body }) => body.quota.remaining).toSorted((a, b) => b - a);
  assert.deepEqual(
    remaining,
    answers.map((_, index) => LIMIT - 50 * (index + 1)),
  );
});

test('parallel requests on two nodes share the last events of a quota exactly', async () => {
  const game = await makeGame(500);
  const sizes = Array.from({ length: 120 }, (_, index) => 1 + ((index * 7) % 23));
  const answers = await Promise.all(
    sizes.map((size, index) =>
      track((index % 2) as 0 | 1, index % 3 ? game.production_key : game.development_key, size),
    ),
  );
  const accepted = answers.filter(({ status }) => status === 202);
  answers.filter(({ status }) => status !== 202).forEach(isExceeded);
  const received = accepted.map(({ body }) => body.received as number);
  assert.equal(
    received.reduce((sum, count) => sum + count, 0),
    500,
  );
  const cut = answers.filter(
    ({ status, body }, index) => status === 202 && body.received < sizes[index]!,
  );
  assert.ok(cut.length <= 1, 'only the request that crosses is cut');
  assert.equal(await countStored(game.game_id), 500);
  const row = await servers[0].database.queryOne<{ used: number }>(
    sql`SELECT used FROM event_usage WHERE game_id = ${game.game_id}`,
  );
  assert.equal(row!.used, LIMIT);
});

test('parallel requests share the last events of many games exactly', async () => {
  const games = await Promise.all([3, 10, 25, 60].map((remaining) => makeGame(remaining)));
  const answers = await Promise.all(
    Array.from({ length: 80 }, (_, index) => {
      const game = games[index % games.length]!;
      return track((index % 2) as 0 | 1, game.production_key, 7).then((answer) => ({
        game,
        answer,
      }));
    }),
  );
  for (const [index, remaining] of [3, 10, 25, 60].entries()) {
    const received = answers
      .filter(({ game }) => game === games[index])
      .map(({ answer }) => (answer.status === 202 ? answer.body.received : 0));
    assert.equal(
      received.reduce((sum, count) => sum + count, 0),
      remaining,
    );
  }
});

test('a game that has used up its quota is refused from memory, until its tier is raised', async () => {
  const game = await makeGame(0);
  isExceeded(await track(0, game.production_key, 5));
  const { token } = await servers[0].makeAccount({ is_administrator: true });
  await setUsed(game.game_id, LIMIT - 10);
  isExceeded(await track(0, game.production_key, 1));
  const raised = await servers[0].request('PATCH', `/v1/admin/games/${game.game_id}`, {
    token,
    body: { tier: 'indie' },
  });
  assert.equal(raised.status, 200, raised.text);
  const answer = await track(0, game.production_key, 5);
  assert.deepEqual(answer.body, {
    received: 5,
    quota: { remaining: TIERS.indie.event_quota - LIMIT + 5, limit: TIERS.indie.event_quota },
  });
});

test('events of another month do not count', async () => {
  const game = await servers[0].makeGame();
  await setUsed(game.game_id, LIMIT, 1);
  const answer = await track(0, game.production_key, 1);
  assert.deepEqual(answer.body, { received: 1, quota: { remaining: LIMIT - 1, limit: LIMIT } });
});

test('the tiers have quotas of 100,000, 1,000,000 and 10,000,000 events', async () => {
  for (const [tier, limit] of [
    ['free', 100_000],
    ['indie', 1_000_000],
    ['studio', 10_000_000],
  ] as const) {
    const game = await servers[0].makeGame({ tier });
    const { body } = await track(0, game.production_key, 1);
    assert.equal(body.quota.limit, limit);
  }
});

test('20 simultaneous requests of each of 20 games never deadlock, and all events are counted', async () => {
  const games = await Promise.all(Array.from({ length: 20 }, () => servers[0].makeGame()));
  const answers = await Promise.all(
    Array.from({ length: 400 }, (_, index) =>
      track((index % 2) as 0 | 1, games[(index * 13) % 20]!.production_key, 2),
    ),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]));
  for (const { game_id } of games) assert.equal(await countStored(game_id), 40);
});
