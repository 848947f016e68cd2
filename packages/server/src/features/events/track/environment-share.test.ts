import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';
import { waitForIngest } from '../../../../test/inbox.ts';
import { useTwoServers } from '../../../../test/two-servers.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';

/** One percent of the quota of the Free tier. */
const SHARE = 1_000;

const servers = useTwoServers();

async function openStudio(nodes: readonly [TestServer, ...TestServer[]] = servers) {
  const [server] = nodes;
  const game = await server.makeGame();
  const { game_id, development_key: key } = game;
  const { token } = await server.makeAccount({ game_id });
  const track = (count: number, { node = 0, by = key, headers = {} } = {}) =>
    nodes[node]!.request('POST', '/v1/track', {
      key: by,
      headers,
      body: Array.from({ length: count }, () => ({ event_name: 'e', session_id: 's' })),
    });
  return {
    ...game,
    key,
    track,
    async setShare(monthly_events_percent: number | null, environment = 'development') {
      const path = `/v1/games/${game_id}/shares?environment=${environment}`;
      const options = { token, body: { monthly_events_percent } };
      const { status, text, body } = await server.request('PATCH', path, options);
      assert.equal(status, 200, text);
      assert.equal(body.monthly_events_percent, monthly_events_percent);
    },
    async countStored() {
      await waitForIngest(server.database, game_id);
      const row = await server.database.queryOne<{ stored: number; used: number }>(sql`
        SELECT (SELECT count(*) FROM events WHERE game_id = ${game_id}) AS stored,
               (SELECT used FROM event_usage WHERE game_id = ${game_id}) AS used`);
      return row!;
    },
  };
}

const receivedOf = ({ status, body }: TestAnswer): number => (status === 202 ? body.received : 0);

const sum = (answers: TestAnswer[]) =>
  answers.reduce((total, answer) => total + receivedOf(answer), 0);

const USED_UP = {
  error: 'Monthly event quota exceeded',
  message:
    "Keys of development may use 1000 events of the game's monthly quota, and have used them",
  quota: { current: SHARE, limit: SHARE, remaining: 0 },
};

test('two servers together store exactly as many development events as the share allows, and production is unaffected', async () => {
  const { setShare, track, countStored, game_id, production_key } = await openStudio();
  await setShare(1);
  const server_key = await servers[0].makeKey(game_id, 'development', 'server');
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      track(37, {
        node: index % 2,
        ...(index % 3 === 0 && { by: server_key }),
        ...(index % 5 === 0 && { headers: { 'idempotency-key': randomUUID() } }),
      }),
    ),
  );
  assert.equal(sum(answers), SHARE);
  for (const answer of answers.filter(({ status }) => status === 429)) {
    assert.deepEqual(answer.body, USED_UP);
  }
  for (const node of [0, 1]) {
    assert.deepEqual((await track(1, { node })).body, USED_UP);
    assert.equal(receivedOf(await track(10, { node, by: production_key })), 10);
  }
  assert.deepEqual(await countStored(), { stored: SHARE + 20, used: SHARE + 20 });
});

test('events that were stored before the share was set count towards the share, and a larger share allows more events', async () => {
  const { setShare, track, countStored, key } = await openStudio();
  for (let batch = 0; batch < 6; batch++) await track(100);
  await setShare(1);
  for (let batch = 0; batch < 3; batch++) await track(100);
  const crossing = await track(100 - 37);
  assert.equal(receivedOf(crossing), 63);
  assert.equal(receivedOf(await track(100)), 37);
  assert.deepEqual((await track(1)).body, USED_UP);
  await setShare(2);
  assert.equal(receivedOf(await track(100)), 100);
  await setShare(null);
  await waitUntil('the second server knows that the share has ended', async () => {
    return receivedOf(await track(1, { node: 1, by: key })) === 1;
  });
  const { stored, used } = await countStored();
  assert.equal(stored, used);
});

test('a repeated request gets its first answer, even if the share is used up', async () => {
  const { setShare, track } = await openStudio();
  await setShare(1);
  const headers = { 'idempotency-key': randomUUID() };
  const first = await track(100, { headers });
  const repeated = await Promise.all([0, 1, 0].map((node) => track(100, { node, headers })));
  for (const { body } of repeated) assert.deepEqual(body, first.body);
  for (let batch = 0; batch < 9; batch++) assert.equal(receivedOf(await track(100)), 100);
  assert.deepEqual((await track(1)).body, USED_UP);
  assert.deepEqual((await track(100, { headers })).body, first.body);
  const new_key = { 'idempotency-key': randomUUID() };
  assert.deepEqual((await track(100, { headers: new_key })).body, USED_UP);
});

test('when the share is used up, requests are refused from memory without waiting for others', async () => {
  // Each worker has a memory of its own.
  const options = { database_url: servers[0].database_url, env: { WORKERS: '1' } };
  await using worker = await startTestServer(options);
  const { setShare, track, game_id } = await openStudio([worker]);
  await setShare(1);
  await Promise.all(Array.from({ length: 11 }, () => track(100)));
  await servers[0].database.transaction(async (tx) => {
    await tx.execute(sql`SELECT FROM event_usage WHERE game_id = ${game_id} FOR UPDATE`);
    assert.deepEqual((await track(1)).body, USED_UP);
  });
});

test('events of development are stored once, even if PostgreSQL refuses events of production', async () => {
  const { setShare, track, countStored, production_key, game_id } = await openStudio();
  const database = servers[0].database.ofGame(game_id);
  await database.execute(sql`
    CREATE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION 'poison'; END $$`);
  await database.execute(sql`
    CREATE TRIGGER refuse_poison BEFORE INSERT ON event_inbox FOR EACH ROW
      WHEN (NEW.event_count = 66) EXECUTE FUNCTION refuse_poison()`);
  await setShare(1);
  await setShare(1, 'production');
  // The first request is stored at once, and the other requests of its environment form the next batch.
  const answers = await Promise.all([
    track(1),
    ...[10, 20, 30].map((count) => track(count)),
    track(66, { by: production_key }),
  ]);
  assert.deepEqual(answers.map(receivedOf), [1, 10, 20, 30, 0]);
  await database.execute(sql`DROP TRIGGER refuse_poison ON event_inbox`);
  assert.deepEqual(await countStored(), { stored: 61, used: 61 });
});
