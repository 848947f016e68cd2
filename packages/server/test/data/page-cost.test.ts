import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { measureRows } from '../measured-rows.ts';
import { sql } from '../../src/platform/database/sql.ts';
import type { PlayerKey } from '../../src/platform/players/player-key.ts';
import { listSessions, listTimeline } from '../../src/features/events/event-store.ts';

const ROWS = 60_000;

let server: TestServer;
let player: PlayerKey;
before(async () => {
  server = await startTestServer();
  const { game_id } = await server.makeGame();
  player = { game_id, environment: 'production', player_id: 'p' };
  const group = server.database.ofGame(game_id);
  await group.execute(sql`
    INSERT INTO sessions (game_id, environment, player_id, session_id, started_at, last_event_at, event_count)
    SELECT ${game_id}, 'production', 'p', 's' || n, now() - n % 500 * interval '1 min', now(), 1
    FROM generate_series(1, ${ROWS}::integer) AS n`);
  await group.execute(sql`
    INSERT INTO events (id, received_at, occurred_at, environment, game_id, key_id, event_name,
                        session_id, player_id, properties)
    SELECT n, now() + n / 20000 * interval '1 s', now(), 'production', ${game_id}, ${game_id}, 'e', 's', 'p', '{}'
    FROM generate_series(1, ${ROWS}::integer) AS n`);
  await group.execute(sql`ANALYZE sessions, events`);
});
after(() => server.close());

test('the newest sessions of a player are read without the others, even if many began at one moment', async () => {
  const { measured, readRows } = measureRows(server.database.ofGame(player.game_id));
  assert.equal((await listSessions(measured, player, 50)).length, 50);
  assert.ok(readRows() <= 100, `${readRows()} rows`);
});

test('a page of the timeline after a place reads only the page, even if many came at one moment', async () => {
  const group = server.database.ofGame(player.game_id);
  const { measured, readRows } = measureRows(group);
  const place = await group.queryOne<{ received: string; id: number }>(sql`
    SELECT received_at::text AS received, id FROM events
    WHERE game_id = ${player.game_id} AND id = 30000`);
  const page = { limit: 51, offset: 0, after: place };
  const events = await listTimeline(measured, player, page);
  assert.deepEqual([events.length, events[0]!.id], [51, 29_999]);
  assert.ok(readRows() <= 200, `${readRows()} rows`);
});
