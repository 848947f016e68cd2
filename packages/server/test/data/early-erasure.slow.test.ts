import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countNaively, readRollups } from '../../src/features/reports/test/naive-rollups.ts';
import { joinIngest } from '../../src/platform/ingest-lock.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { startTestServer } from '../harness.ts';
import { waitForIngest } from '../inbox.ts';
import { waitUntil } from '../wait-until.ts';

test('an erasure of many events deletes most of them while ingest goes on, and locks ingest only for the rest', async () => {
  await using server = await startTestServer();
  const { game_id, production_key: key } = await server.makeGame({ tier: 'studio' });
  const { token } = await server.makeAccount({ game_id });
  const track = async (player_id: string, number: number) => {
    const body = Array.from({ length: 100 }, (_, index) => ({
      event_name: 'e',
      session_id: `s${number} ${index % 90}`,
      player_id,
    }));
    const { status, text } = await server.request('POST', '/v1/track', { key, body });
    assert.equal(status, 202, text);
  };
  const countLeft = () =>
    server.database.queryOne<{ events: number; sessions: number }>(sql`
      SELECT (SELECT count(*) FROM events
              WHERE game_id = ${game_id} AND player_id = 'leaving')::integer AS events,
             (SELECT count(*) FROM sessions
              WHERE game_id = ${game_id} AND player_id = 'leaving')::integer AS sessions`);
  for (let number = 0; number < 25; number++) await track('leaving', number);
  await track('b', 0);
  await waitForIngest(server.database, game_id);
  assert.deepEqual(await countLeft(), { events: 2_500, sessions: 2_250 });

  let erased: Promise<{ status: number }> | undefined;
  await server.database.transaction(async (ingesting) => {
    await joinIngest(ingesting);
    erased = server.request('DELETE', `/v1/games/${game_id}/players/leaving`, { token });
    await waitUntil('most is erased', async () => {
      const left = await countLeft();
      return left!.events === 500 && left!.sessions === 250;
    });
    const rollups = await readRollups(server.database, game_id);
    const naive = await countNaively(server.database, game_id, 'UTC');
    assert.deepEqual(rollups.event_counts, naive.event_counts);
  });
  assert.equal((await erased!).status, 204);
  assert.deepEqual(await countLeft(), { events: 0, sessions: 0 });
  const rollups = await readRollups(server.database, game_id);
  assert.deepEqual(rollups, await countNaively(server.database, game_id, 'UTC'));
});
