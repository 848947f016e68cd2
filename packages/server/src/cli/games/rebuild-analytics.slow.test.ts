import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { cloneDatabase } from '../../../test/harness.ts';
import { openTestDatabase } from '../../../test/test-database.ts';
import { callCli } from '../../../test/run-cli.ts';
import { countNaively, readRollups } from '../../features/analytics/test/naive-rollups.ts';
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

test('the demo and an imported copy of it have correct rollups at once', async () => {
  const [game] = await listGames();
  const file = join(folder, 'game.ndjson.gz');
  await run('export-game', game!.id, file);
  await run('import-game', file, '--new-id');
  assert.equal((await listGames()).length, 2);
  await assertAllRight();
});

test('the demo has something on each page that steers a game, and sends nothing', async () => {
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
    SELECT (SELECT count(*) FROM alerts WHERE account_ids <> '{}') AS alerts_by_mail,
           (SELECT count(*) FROM webhooks WHERE disabled_at IS NULL) AS enabled_webhooks,
           (SELECT count(*) FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL) AS messages,
           (SELECT count(*) FROM mail_outbox) AS mails`);
  assert.deepEqual(
    Object.entries(sending!).filter(([, count]) => count > 0),
    [],
  );
});
