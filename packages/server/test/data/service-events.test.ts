import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SERVICE_EVENTS } from '@overworld/contract/webhooks/service-events';
import type { ServiceEventType } from '@overworld/contract/webhooks/service-events';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { waitUntil } from '../wait-until.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { compileBody } from '../../src/platform/http/validation.ts';
import { announceSeasonEnds } from '../../src/features/leaderboards/seasons/season-ends.ts';
import { announceConflicts } from '../../src/features/saves/save-counts.ts';
import { announceQuotaSteps } from '../../src/features/events/quota.ts';
import { makeStudio } from '../../src/features/webhooks/test/studio.ts';
import type { Studio } from '../../src/features/webhooks/test/studio.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
});
after(() => server.close());

/** Nothing listens at this URL, so messages stay in the database. */
const NOWHERE = 'http://127.0.0.1:1/';

/**
 * Lists the `data` of a game's messages about one type of event, after checking them against the contract.
 */
async function listData(studio: Studio, type: ServiceEventType) {
  const check = compileBody({ ...SERVICE_EVENTS[type].data, additionalProperties: false });
  const rows = await server.database.query<{ body: string; environment: string | null }>(sql`
    SELECT body, environment FROM webhook_deliveries
    WHERE game_id = ${studio.game_id} AND event_type = ${type} ORDER BY created_at, body`);
  return rows.map(({ body }) => {
    const message = JSON.parse(body);
    assert.deepEqual(Object.keys(message), ['type', 'timestamp', 'data']);
    assert.equal(message.type, type);
    check(message.data);
    return message.data;
  });
}

test('the examples in the contract match its schemas', () => {
  for (const { data, example } of Object.values(SERVICE_EVENTS)) {
    compileBody({ ...data, additionalProperties: false })(structuredClone(example));
  }
});

test('achievement.unlocked is sent for the first unlock and for a grant, with any characters', async () => {
  const studio = await makeStudio(server);
  await studio.makeWebhook(NOWHERE);
  const player = 'an "odd" \\ \u{1F600}';
  await Promise.all(Array.from({ length: 20 }, () => studio.unlock(player)));
  await studio.send('POST', '/achievements', { key: 'gift', name: 'Gift', description: '' });
  const path = `/players/${encodeURIComponent(player)}/achievements/gift`;
  const granted = await studio.send('POST', path);
  assert.equal(granted.status, 201);
  await studio.send('POST', path);
  const data = await listData(studio, 'achievement.unlocked');
  assert.deepEqual(
    data.map(({ player_id, achievement }) => [player_id, achievement.key]),
    [
      [player, 'boss'],
      [player, 'gift'],
    ],
  );
});

test('leaderboard.season_ended is sent once when a season ends by schedule or by reset', async () => {
  const studio = await makeStudio(server);
  await studio.makeWebhook(NOWHERE, { events: ['leaderboard.season_ended'] });
  for (const board of ['daily', 'reset']) {
    await studio.send('PUT', `/leaderboards/${board}`, {
      reset_schedule: board === 'daily' ? 'daily' : 'never',
    });
    const { status } = await server.request('POST', '/v1/leaderboards', {
      key: studio.production_key,
      body: { player_id: 'ann', board_name: board, score: 1 },
    });
    assert.equal(status, 201);
  }
  const reset = await studio.send('POST', '/leaderboards/reset/reset?environment=production');
  assert.equal(reset.status, 201, JSON.stringify(reset.body));
  const tomorrow = new Date(Date.now() + 86_400_000);
  const group = server.database.ofGame(studio.game_id);
  await announceSeasonEnds(group, tomorrow);
  await announceSeasonEnds(group, tomorrow);
  // The next score closes the season whose end was announced.
  await server.database.execute(sql`
    UPDATE leaderboard_seasons SET ends_at = now() - interval '1 second'
    WHERE game_id = ${studio.game_id} AND board_name = 'daily'`);
  await server.request('POST', '/v1/leaderboards', {
    key: studio.production_key,
    body: { player_id: 'ben', board_name: 'daily', score: 1 },
  });
  const data = await listData(studio, 'leaderboard.season_ended');
  assert.deepEqual(
    data.map(({ board_name, season, total_entries }) => [board_name, season, total_entries]).sort(),
    [
      ['daily', 1, 1],
      ['reset', 1, 1],
    ],
  );
});

test('quota.reached is sent once at 80 % and once at 100 %', async () => {
  const studio = await makeStudio(server);
  const deaf = await makeStudio(server);
  await studio.makeWebhook(NOWHERE, { events: ['quota.reached'] });
  const setUsed = async (used: number) => {
    for (const { game_id } of [studio, deaf]) {
      await server.database.execute(sql`
        INSERT INTO event_usage (game_id, month, used, last_accepted, quota)
        VALUES (${game_id}, date_trunc('month', now() AT TIME ZONE 'UTC')::date, ${used}, 0, 1000)
        ON CONFLICT (game_id, month) DO UPDATE SET used = EXCLUDED.used`);
    }
    for (const group of server.database.groups) await announceQuotaSteps(group);
  };
  const percents = async () =>
    (await listData(studio, 'quota.reached')).map(({ percent, used }) => [percent, used]);
  await setUsed(799);
  assert.deepEqual(await percents(), []);
  await setUsed(800);
  await setUsed(999);
  assert.deepEqual(await percents(), [[80, 800]]);
  await setUsed(1_000);
  await setUsed(1_000);
  assert.deepEqual(await percents(), [
    [80, 800],
    [100, 1_000],
  ]);
  assert.deepEqual(await listData(deaf, 'quota.reached'), []);
});

test('player.erased is sent with the id, and other messages about the player are deleted', async () => {
  const studio = await makeStudio(server);
  const events = ['achievement.unlocked', 'player.erased'];
  await studio.makeWebhook(NOWHERE, { events });
  await studio.unlock('ann');
  await studio.unlock('ben');
  const { status } = await studio.send('DELETE', '/players/ann?environment=production');
  assert.equal(status, 204);
  const unlocked = await listData(studio, 'achievement.unlocked');
  assert.deepEqual(
    unlocked.map(({ player_id }) => player_id),
    ['ben'],
  );
  const [erased, ...others] = await listData(studio, 'player.erased');
  assert.deepEqual([erased.player_id, erased.environment, others], ['ann', 'production', []]);
  const again = await studio.send('DELETE', '/players/ann?environment=production');
  assert.equal(again.status, 404);
  assert.equal((await listData(studio, 'player.erased')).length, 1);
});

test('saves.conflict_rate_high is sent once for an hour with many conflicts', async () => {
  const studio = await makeStudio(server);
  await studio.makeWebhook(NOWHERE, { events: ['saves.conflict_rate_high'] });
  const save = (version?: number) =>
    server.request('PUT', '/v1/saves', {
      key: studio.production_key,
      body: { player_id: 'ann', data: {}, version },
    });
  await save();
  for (let turn = 0; turn < 3; turn++) assert.equal((await save(999)).status, 409);
  await waitUntil('the saves are counted', async () => {
    const row = await server.database.queryOne<{ saves: number; conflicts: number }>(sql`
      SELECT sum(saves)::bigint AS saves, sum(conflicts)::bigint AS conflicts
      FROM hourly_save_counts WHERE game_id = ${studio.game_id}`);
    return row!.saves === 4 && row!.conflicts === 3;
  });
  const setCounts = async (hours_ago: number, saves: number, conflicts: number) => {
    await server.database.execute(sql`
      INSERT INTO hourly_save_counts (game_id, environment, hour, saves, conflicts)
      VALUES (${studio.game_id}, 'production',
              date_trunc('hour', now()) - ${hours_ago}::integer * interval '1 hour',
              ${saves}, ${conflicts})
      ON CONFLICT (game_id, environment, hour) DO UPDATE
      SET saves = EXCLUDED.saves, conflicts = EXCLUDED.conflicts`);
    await announceConflicts(server.database.ofGame(studio.game_id));
  };
  await setCounts(2, 99, 50);
  await setCounts(2, 1_000, 50);
  assert.deepEqual(await listData(studio, 'saves.conflict_rate_high'), []);
  await setCounts(2, 1_000, 51);
  await setCounts(2, 1_000, 51);
  const [high, ...others] = await listData(studio, 'saves.conflict_rate_high');
  assert.deepEqual([high.saves, high.conflicts, high.percent, others], [1_000, 51, 5.1, []]);
});
