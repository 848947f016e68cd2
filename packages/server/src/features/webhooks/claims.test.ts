import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { cloneDatabase } from '../../../test/harness.ts';
import { openTestDatabase } from '../../../test/test-database.ts';
import { measureRows } from '../../../test/measured-rows.ts';
import type { Database } from '../../platform/database/database.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { sql } from '../../platform/database/sql.ts';
import { claimDelivery } from './claims.ts';
import { listDueGames, measureWaiting } from './due-webhooks.ts';
import { giveUpWaiting } from './given-up.ts';
import { createGameTurns } from './turns.ts';
import { disableWebhook, insertWebhook } from './webhook-store.ts';

const BACKLOG = 20_000;
const LEASE_MS = 30_000;

let database: GroupedDatabase;
let closeDatabase: () => Promise<void>;
before(async () => {
  const cloned = await cloneDatabase();
  database = openTestDatabase(
    { url: cloned.url },
    { application_name: 'test', max_connections: 2 },
  );
  closeDatabase = async () => {
    await database.close();
    await cloned.drop();
  };
});
after(() => closeDatabase());

async function makeGame(): Promise<string> {
  const game_id = randomUUID();
  await database.execute(sql`
    INSERT INTO games (id, name, time_zone) VALUES (${game_id}, 'Test game', 'UTC')`);
  return game_id;
}

/**
 * Makes a webhook with messages that have been due for `due_for_s` seconds; if the number is negative, the
 * messages are not due yet.
 */
async function makeWebhook(game_id: string, count: number, due_for_s: number): Promise<string> {
  const webhook_id = randomUUID();
  const settings = { url: 'http://127.0.0.1:1/', description: '', environments: [], events: [] };
  await insertWebhook(database, { game_id, webhook_id }, settings, 'sealed');
  await database.execute(sql`
    INSERT INTO webhook_deliveries (game_id, webhook_id, event_type, body, next_attempt_at)
    SELECT ${game_id}, ${webhook_id}, 'webhook.test', '{}',
           now() - ${due_for_s}::integer * interval '1 second'
    FROM generate_series(1, ${count}::integer)`);
  return webhook_id;
}

test('a claim reads few rows, however many messages of other webhooks wait', async () => {
  const game_id = await makeGame();
  const busy = await makeWebhook(game_id, BACKLOG, 600);
  const quick = await makeWebhook(game_id, 2, 60);
  const later = await makeGame();
  await makeWebhook(later, BACKLOG, -600);
  await database.execute(sql`ANALYZE webhook_deliveries, webhooks`);
  const { measured, readRows } = measureRows(database);
  assert.deepEqual(await listDueGames(measured), [game_id]);
  const claimed = await claimDelivery(measured, game_id, [busy], LEASE_MS);
  assert.equal(claimed?.webhook_id, quick);
  assert.ok(readRows() < 100, `${readRows()} rows`);
  const { messages, lag_seconds } = await measureWaiting(database);
  assert.equal(messages, 2 * BACKLOG + 2);
  assert.ok(lag_seconds >= 600);
});

test('a claim takes the message that has been due for longest, but skips messages that another server has locked', async () => {
  const game_id = await makeGame();
  const first = await makeWebhook(game_id, 1, 600);
  const second = await makeWebhook(game_id, 1, 60);
  await database.transaction(async (other) => {
    const taken = await claimDelivery(other, game_id, [], LEASE_MS);
    assert.equal(taken?.webhook_id, first);
    const next = await claimDelivery(database, game_id, [], LEASE_MS);
    assert.equal(next?.webhook_id, second);
  });
  assert.equal(await claimDelivery(database, game_id, [], LEASE_MS), null);
});

test('taking turns between games reads few rows, however many webhooks have waiting messages', async () => {
  const waiting = await makeGame();
  await database.execute(sql`
    WITH made AS (
      INSERT INTO webhooks (game_id, url, description, environments, events, sealed_secret)
      SELECT ${waiting}, 'http://127.0.0.1:1/', '', '{}', '{}', 'sealed'
      FROM generate_series(1, 10000)
      RETURNING id
    )
    INSERT INTO webhook_deliveries (game_id, webhook_id, event_type, body, next_attempt_at)
    SELECT ${waiting}, id, 'webhook.test', '{}', now() + interval '1 hour' FROM made`);
  const games = [await makeGame(), await makeGame()];
  // Both games have enough due messages for all claims below.
  for (const game_id of games) await makeWebhook(game_id, 20, 6_000);
  await database.execute(sql`ANALYZE webhook_deliveries, webhooks`);
  const { measured, readRows } = measureRows(database);
  const turns = createGameTurns(measured, () => 0);
  const claim = () =>
    turns.take(async (game_id) =>
      games.includes(game_id) ? claimDelivery(measured, game_id, [], LEASE_MS) : null,
    );
  const first = await claim();
  const looked = readRows();
  const claimed = [first];
  for (let count = 1; count < 20; count++) claimed.push(await claim());
  assert.ok(readRows() - looked < 19 * 100, `${readRows() - looked} rows`);
  const of = claimed.map((each) => games.indexOf(each!.game_id));
  assert.deepEqual(new Set([of[0], of[1]]), new Set([0, 1]));
  assert.deepEqual([of.filter((game) => game === 0).length, of.length], [10, 20]);
});

test('messages of a disabled webhook are given up in batches, and those of others stay', async () => {
  const game_id = await makeGame();
  const webhook_id = await makeWebhook(game_id, 2_500, 60);
  const other = await makeWebhook(game_id, 1, 60);
  const written: number[] = [];
  const counted: Database = {
    ...database,
    load: database.load,
    async execute(statement) {
      written.push(await database.execute(statement));
      return written.at(-1)!;
    },
  };
  await giveUpWaiting(counted, { game_id, webhook_id });
  await disableWebhook(database, { game_id, webhook_id }, 'member');
  await giveUpWaiting(counted, { game_id, webhook_id });
  assert.deepEqual(written, [0, 1_000, 1_000, 500, 0]);
  const left = await database.query<{ webhook_id: string }>(sql`
    SELECT webhook_id FROM webhook_deliveries
    WHERE game_id = ${game_id} AND next_attempt_at IS NOT NULL`);
  assert.deepEqual(left, [{ webhook_id: other }]);
});
