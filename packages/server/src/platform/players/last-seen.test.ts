import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { cloneDatabase } from '../../../test/harness.ts';
import { openTestDatabase } from '../../../test/test-database.ts';
import type { GroupedDatabase } from '../database/game-groups.ts';
import { sql } from '../database/sql.ts';
import { createLastSeen } from './last-seen.ts';
import type { LastSeen } from './last-seen.ts';

let database: GroupedDatabase;
let drop: () => Promise<void>;
before(async () => {
  const cloned = await cloneDatabase();
  ({ drop } = cloned);
  database = openTestDatabase(
    { url: cloned.url },
    { application_name: 'test', max_connections: 4 },
  );
});
after(async () => {
  await database.close();
  await drop();
});

const START_MS = Date.UTC(2026, 0, 1);
const at = (seconds: number) => new Date(START_MS + seconds * 1_000).toISOString();

let game_id: string;
let seconds: number;
let lastSeen: LastSeen;
beforeEach(async () => {
  const game = await database.queryOne<{ id: string }>(
    sql`INSERT INTO games (name, time_zone) VALUES ('Test', 'UTC') RETURNING id`,
  );
  game_id = game!.id;
  seconds = 0;
  lastSeen = createLastSeen(database, () => new Date(START_MS + seconds * 1_000));
  await database.execute(sql`
    INSERT INTO players (game_id, environment, player_id, last_seen_at)
    SELECT ${game_id}, 'production', player_id, ${at(0)}
    FROM unnest(ARRAY['a', 'b', 'c']) AS player_id`);
});

const playerOf = (player_id: string) =>
  ({ game_id, environment: 'production', player_id }) as const;

function noteAt(time: number, player_id: string): void {
  seconds = time;
  lastSeen.note(playerOf(player_id));
}

async function listSeen(): Promise<Record<string, string>> {
  const rows = await database.query<{ player_id: string; last_seen_at: string }>(sql`
    SELECT player_id, last_seen_at FROM players WHERE game_id = ${game_id} ORDER BY player_id`);
  return Object.fromEntries(rows.map(({ player_id, last_seen_at }) => [player_id, last_seen_at]));
}

test('a minute after the first noted call of a player, the time of the newest call is written', async () => {
  noteAt(10, 'a');
  noteAt(11, 'b');
  noteAt(69, 'a');
  await lastSeen.writeDue();
  assert.deepEqual(await listSeen(), { a: at(0), b: at(0), c: at(0) });
  seconds = 70;
  await lastSeen.writeDue();
  assert.deepEqual(await listSeen(), { a: at(69), b: at(0), c: at(0) });
  seconds = 71;
  await lastSeen.writeDue();
  assert.deepEqual(await listSeen(), { a: at(69), b: at(11), c: at(0) });
});

test('when the times of more than 50,000 players are noted, the oldest are written early', async () => {
  noteAt(1, 'a');
  noteAt(2, 'b');
  for (let n = 0; n < 49_999; n++) noteAt(3, `absent-${n}`);
  await lastSeen.writeDue();
  assert.deepEqual(await listSeen(), { a: at(1), b: at(0), c: at(0) });
});

test('when a player is shown, the noted time of that player is written immediately', async () => {
  noteAt(1, 'a');
  noteAt(2, 'b');
  await lastSeen.writePlayer(playerOf('b'));
  assert.deepEqual(await listSeen(), { a: at(0), b: at(2), c: at(0) });
});

test('before players are listed, the 1,000 newest noted times of their environment are written', async () => {
  noteAt(1, 'a');
  for (let n = 0; n < 998; n++) noteAt(2, `absent-${n}`);
  noteAt(3, 'b');
  noteAt(4, 'c');
  await lastSeen.writeNewest({ game_id, environment: 'development' });
  assert.deepEqual(await listSeen(), { a: at(0), b: at(0), c: at(0) });
  await lastSeen.writeNewest({ game_id, environment: 'production' });
  assert.deepEqual(await listSeen(), { a: at(0), b: at(3), c: at(4) });
});

test('the shutdown writes all noted times, but creates no players', async () => {
  for (const player_id of ['a', 'b', 'c', 'erased']) noteAt(5, player_id);
  await lastSeen.flush();
  assert.deepEqual(await listSeen(), { a: at(5), b: at(5), c: at(5) });
});
