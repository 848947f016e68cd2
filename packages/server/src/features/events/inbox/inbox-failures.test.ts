import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { TestGame } from '../../../../test/harness.ts';
import { insertInboxRow, waitForIngest } from '../../../../test/inbox.ts';
import { useTwoServers } from '../../../../test/two-servers.ts';
import { listLockWaits } from '../../../../test/wait-for-lock.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { sql } from '../../../platform/database/sql.ts';
import { countRows, makeBatch } from '../test/batches.ts';
import { measureInboxLag } from './inbox-lag.ts';

const servers = useTwoServers();
let database: GroupedDatabase;
before(() => {
  ({ database } = servers[0]);
});

const track = async (node: 0 | 1, { production_key: key }: TestGame, body: object) => {
  const answer = await servers[node].request('POST', '/v1/track', { key, body });
  assert.equal(answer.status, 202, answer.text);
};

test('a connection killed in mid-transaction leaves no rows, and every event is stored once', async () => {
  const game = await servers[0].makeGame();
  await track(0, game, makeBatch('before', 5));
  await waitForIngest(database, game.game_id);

  const listBlocked = async () =>
    (await listLockWaits(database)).filter(
      ({ application_name, statement }) =>
        application_name === 'overworld-inbox' && statement.includes('INTO players'),
    );
  await database.transaction(async (tx) => {
    // An ingester that waits for the row of this player has already inserted events and sessions.
    await tx.execute(sql`
      SELECT FROM players WHERE game_id = ${game.game_id} AND player_id = 'p2' FOR UPDATE`);
    await Promise.all([
      track(0, game, makeBatch('on_first', 50)),
      track(1, game, makeBatch('on_second', 50)),
    ]);
    for (let killed = 0; killed < 4; killed++) {
      let blocked: { pid: number }[] = [];
      await waitUntil('an ingester waits for the player', async () => {
        blocked = await listBlocked();
        return blocked.length > 0;
      });
      await database.execute(
        sql`SELECT pg_terminate_backend(pid) FROM unnest(${blocked.map(({ pid }) => pid)}::int[]) AS pid`,
      );
      await waitUntil('the ingester is gone', async () => {
        const left = await listBlocked();
        return !left.some(({ pid }) => blocked.some((gone) => gone.pid === pid));
      });
      const rows = await countRows(database, game.game_id);
      assert.equal(rows.events, 5);
      assert.ok(rows.inbox > 0);
    }
  });
  await waitForIngest(database, game.game_id);
  assert.deepEqual(await countRows(database, game.game_id), {
    inbox: 0,
    events: 105,
    distinct: 105,
  });
  const row = await database.queryOne<{ total: number }>(sql`
    SELECT sum(event_count)::int AS total FROM sessions WHERE game_id = ${game.game_id}`);
  assert.equal(row!.total, 105);
});

test('two ingesters under load, and connections killed at random, store every event once', async () => {
  const game = await servers[0].makeGame();
  let sent = 0;
  const done = new AbortController();
  const killing = (async () => {
    while (!done.signal.aborted) {
      await database.execute(sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'overworld-inbox' AND datname = current_database()
          AND state = 'active'`);
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  })();
  await Promise.all(
    Array.from({ length: 8 }, async (_, client) => {
      for (let request = 0; request < 15; request++) {
        await track((client % 2) as 0 | 1, game, makeBatch(`load-${client}-${request}`, 20));
        sent += 20;
      }
    }),
  );
  done.abort();
  await killing;
  await waitForIngest(database, game.game_id);
  assert.deepEqual(await countRows(database, game.game_id), {
    inbox: 0,
    events: sent,
    distinct: sent,
  });
});

test('only requests that cannot be read are quarantined, each with the reason', async () => {
  const { game_id } = await servers[0].makeGame();
  const bad = ['{', '[{"event_name":"x","session_id":"s","properties":{"a":"\\u0000"}}]', '[{}]'];
  const good = JSON.stringify(makeBatch('good', 2));
  await database.transaction(async (tx) => {
    for (const body of [good, ...bad, good]) {
      await insertInboxRow(tx, game_id, body, 2);
    }
  });
  await waitForIngest(database, game_id);
  assert.equal((await countRows(database, game_id)).events, 4);
  const rows = await database.query<{ body: string; reason: string }>(sql`
    SELECT body, reason FROM event_quarantine WHERE game_id = ${game_id} ORDER BY inbox_id`);
  assert.deepEqual(
    rows.map(({ body }) => body),
    bad,
  );
  assert.match(rows[0]!.reason, /invalid input syntax for type json/);
  assert.match(rows[1]!.reason, /unsupported Unicode escape sequence/);
  assert.match(rows[2]!.reason, /null value in column "event_name"/);
  assert.equal((await measureInboxLag(database)).quarantined_rows, 3);
});
