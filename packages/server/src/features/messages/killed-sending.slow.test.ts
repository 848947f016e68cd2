import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cloneDatabase, startTestServer } from '../../../test/harness.ts';
import { startVictim } from '../../../test/run-cli.ts';
import { openTestDatabase } from '../../../test/test-database.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';

const PLAYERS = 20_000;
const KILLS = 3;

const partOf = (player_id: string): number =>
  createHash('sha256').update(player_id).digest().readUInt16BE(0) >> 2;

test('a message whose servers are killed while they store its members is sent once, with all of them', async () => {
  const { url: database_url, drop } = await cloneDatabase();
  await using stack = new AsyncDisposableStack();
  stack.defer(drop);
  const options = { application_name: 'test', max_connections: 4 };
  const database = openTestDatabase({ url: database_url }, options);
  stack.defer(() => database.close());
  const game = await database.queryOne<{ id: string }>(sql`
    INSERT INTO games (name, time_zone) VALUES ('Test', 'UTC') RETURNING id`);
  const { id } = game!;
  await database.execute(sql`
    INSERT INTO players (game_id, environment, player_id, tags)
    SELECT ${id}, 'production', 'p' || n, CASE WHEN n % 2 = 0 THEN '{even}'::text[] ELSE '{}' END
    FROM generate_series(1, ${PLAYERS}) AS n`);
  const audience = JSON.stringify({ type: 'segment', has_tags: ['even'], joiners: 'excluded' });
  const message_id = randomUUID();
  await database.execute(sql`
    INSERT INTO messages (game_id, environment, message_id, audience, is_sending, title, text, translations,
      data, rewards, reason, starts_at, sent_at)
    VALUES (${id}, 'production', ${message_id}, ${audience}::json, true, 'T', '', '{}', '{}', '[]', '', now(),
      now())`);
  const read = async () => {
    const row = await database.queryOne<{
      is_sending: boolean;
      member_count: number;
      bytes: number;
    }>(sql`
      SELECT is_sending, member_count,
        (SELECT coalesce(sum(length(members)), 0)::bigint FROM messaged_members
         WHERE game_id = ${id}) AS bytes
      FROM messages WHERE game_id = ${id} AND message_id = ${message_id}`);
    return row!;
  };
  const isStoring = async () =>
    (await database.execute(sql`
      SELECT FROM pg_stat_activity
      WHERE state = 'active' AND query LIKE '%INSERT INTO messaged_members%'
        AND query LIKE '%sha256%' AND pid <> pg_backend_pid()`)) > 0;
  /** Keeps servers from storing the last members while `work` runs: a part of them is taken. */
  const inTheMiddle = (work: () => Promise<void>) =>
    database
      .transaction(async (tx) => {
        await tx.execute(sql`
          INSERT INTO messaged_members (game_id, environment, part, message_id, members)
          VALUES (${id}, 'production', ${partOf('p2')}, ${message_id}, '')`);
        await work();
        throw new Error('rolled back');
      })
      .catch((error: Error) => assert.equal(error.message, 'rolled back'));

  for (let kill = 0; kill < KILLS; kill++) {
    await inTheMiddle(async () => {
      const { victim } = await startVictim({
        DATABASE_URL: database_url,
        PORT: '0',
        LOG_REQUESTS: 'none',
      });
      stack.defer(async () => {
        victim.child.kill('SIGKILL');
        await victim.done;
      });
      await waitUntil('it stores the members', isStoring);
      await sleep(50 * kill);
      victim.child.kill('SIGKILL');
      await victim.done;
    });
    // PostgreSQL notices the lost connection only when the statement has ended.
    await waitUntil('its statement has ended', async () => !(await isStoring()));
    assert.deepEqual(await read(), { is_sending: true, member_count: null, bytes: 0 });
  }
  await using server = await startTestServer({ database_url, groups: 1 });
  await waitUntil('it is sent', async () => !(await read()).is_sending);
  const sent = await read();
  assert.deepEqual([sent.member_count, sent.bytes], [PLAYERS / 2, (PLAYERS / 2) * 8]);
  const key = await server.makeKey(id, 'production');
  const list = async (player_id: string) => {
    const { body } = await server.request('GET', `/v1/messages?player_id=${player_id}`, { key });
    return body.messages.length;
  };
  assert.deepEqual([await list('p2'), await list('p3')], [1, 0]);
});
