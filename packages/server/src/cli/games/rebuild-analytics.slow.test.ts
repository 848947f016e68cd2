import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { cloneDatabase } from '../../../test/harness.ts';
import { openTestDatabase } from '../../../test/test-database.ts';
import { callCli } from '../../../test/run-cli.ts';
import { countNaively, readRollups } from '../../features/reports/test/naive-rollups.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { sql } from '../../platform/database/sql.ts';

let folder: string;
let url: string;
let drop: () => Promise<void>;
let database: GroupedDatabase;

const run = async (...args: string[]) => {
  const result = await callCli(args, { DATABASE_URL: url });
  assert.equal(result.code, 0, result.stderr);
  return result;
};

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overworld-rebuild-'));
  ({ url, drop } = await cloneDatabase());
  database = openTestDatabase({ url }, { application_name: 'test', max_connections: 2 });
  await run('demo', '--players', '60', '--days', '40');
});
after(async () => {
  await database.close();
  await drop();
  await rm(folder, { recursive: true, force: true });
});

const listGames = () =>
  database.query<{ id: string; time_zone: string }>(
    sql`SELECT id, time_zone FROM games ORDER BY created_at`,
  );

async function assertAllRight(): Promise<void> {
  for (const { id, time_zone } of await listGames()) {
    const rollups = await readRollups(database, id);
    assert.ok(Object.keys(rollups).length === 7);
    assert.deepEqual(rollups, await countNaively(database, id, time_zone));
  }
}

test('the demo and an imported copy of it have correct rollups from the start', async () => {
  const [game] = await listGames();
  const file = join(folder, 'game.ndjson.gz');
  await run('export-game', game!.id, file);
  await run('import-game', file, '--new-id');
  assert.equal((await listGames()).length, 2);
  await assertAllRight();
});

test('the demo has alerts, annotations, dashboards, experiments and webhooks, but sends no messages', async () => {
  const [demo] = await listGames();
  const game = database.ofGame(demo!.id);
  const counts = await game.queryOne<Record<string, number>>(sql`
    SELECT (SELECT count(*) FROM alerts) AS alerts,
           (SELECT count(*) FROM alert_changes) AS changes,
           (SELECT count(*) FROM annotations) AS annotations,
           (SELECT count(*) FROM dashboards) AS dashboards,
           (SELECT count(*) FROM experiments) AS experiments,
           (SELECT count(*) FROM webhooks) AS webhooks,
           (SELECT count(*) FROM webhook_deliveries) AS messages`);
  assert.deepEqual(
    Object.entries(counts!).filter(([, count]) => count === 0),
    [],
  );
  const sending = await game.queryOne<Record<string, number>>(sql`
    SELECT (SELECT count(*) FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL) AS messages,
           (SELECT count(*) FROM mail_outbox) AS mails`);
  assert.deepEqual(
    Object.entries(sending!).filter(([, count]) => count > 0),
    [],
  );
});

test('overworld rebuild-analytics rebuilds the rollups of one game, or of all games', async () => {
  const [game] = await listGames();
  for (const group of database.groups) {
    await group.execute(sql`UPDATE event_counts SET event_count = event_count + 1`);
    await group.execute(sql`UPDATE daily_players SET weekly_change = 7`);
    await group.execute(sql`DELETE FROM player_activity`);
    await group.execute(sql`DELETE FROM daily_sessions`);
  }
  const { stderr } = await run('rebuild-analytics', game!.id);
  assert.match(stderr, /: analytics rebuilt in [\d.]+ s/);
  await assert.rejects(assertAllRight());
  await run('rebuild-analytics');
  await assertAllRight();
  for (const group of database.groups) {
    assert.equal(await group.execute(sql`SELECT FROM event_holds`), 0);
  }
});

test('a rebuild keeps the rollups of days whose events have expired', async () => {
  const [game] = await listGames();
  const game_id = game!.id;
  const complete = await readRollups(database, game_id);
  const since = await database.queryOne<{ at: string }>(sql`
    UPDATE games
    SET events_kept_since = date_trunc('day', now()) - interval '20 days'
    WHERE id = ${game_id}
    RETURNING events_kept_since AS at`);
  const dropped = await database.execute(sql`
    DELETE FROM events WHERE game_id = ${game_id} AND received_at < ${since!.at}`);
  assert.ok(dropped > 100);
  await run('rebuild-analytics', game_id);
  assert.deepEqual(await readRollups(database, game_id), complete);
});

test('an unknown game is reported in one sentence', async () => {
  for (const [id, words] of [
    [randomUUID(), /There is no game/],
    ['x', /is not the id of a game/],
  ] as const) {
    const { code, stderr } = await callCli(['rebuild-analytics', id], { DATABASE_URL: url });
    assert.equal(code, 1);
    assert.match(stderr, words);
  }
  const { code, stderr } = await callCli(['rebuild-analytics', 'a', 'b'], { DATABASE_URL: url });
  assert.equal(code, 1);
  assert.match(stderr, /Usage: overworld rebuild-analytics \[<game-id>\]/);
});
