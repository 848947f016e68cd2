import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { countCases } from '../../../test/long-forms.ts';
import { CliProcess } from '../../../test/run-cli.ts';
import { countNaively, readRollups } from '../../features/reports/test/naive-rollups.ts';
import { sql } from '../../platform/database/sql.ts';
import { readRowsOf } from './test/game-rows.ts';

const DAY_MS = 86_400_000;
const DAYS = 40;
const KILLS = countCases(60);
/** A scheduled change is made on the third day, and every tenth day after it. */
const CHANGES = 4;

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await new CliProcess(args, {
    DATABASE_URL: server.database_url,
  }).done;
  assert.equal(code, 0, stderr);
  return stdout.trim();
};

test('an advance that is killed again and again moves each day once, and makes each change once', async () => {
  const { game_id, production_key: key } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  const send = async (method: string, path: string, body: unknown) => {
    const answer = await server.request(method, `/v1/games/${game_id}${path}`, { token, body });
    assert.ok(answer.status < 300, answer.text);
  };
  await send('PUT', '/leaderboards/day', { reset_schedule: 'daily' });
  await send('PUT', '/config', { parameters: { fee: { value: 0 } } });
  for (let day = 3; day < 3 + 10 * CHANGES; day += 10) {
    await send('POST', '/config/schedules', {
      name: `Day ${day}`,
      starts_at: new Date(Date.now() + day * DAY_MS).toISOString(),
      ends_at: new Date(Date.now() + (day + 0.2) * DAY_MS).toISOString(),
      parameters: { fee: { value: day } },
    });
  }
  const events = Array.from({ length: 100 }, (_, index) => ({
    event_name: 'play',
    session_id: `session ${index}`,
    player_id: `player ${index % 20}`,
  }));
  await server.request('POST', '/v1/track', { key, body: events });
  await server.request('GET', '/v1/players/player%201', { key });
  const fork_id = await run('fork', game_id, '--players=100%');
  const begun = await readRowsOf(server.database, fork_id);

  const readDay = async () => {
    const game = await server.database.queryOne<{ day: number }>(sql`
      SELECT advanced_days AS day FROM games WHERE id = ${fork_id}`);
    return game!.day;
  };
  const days = new Set<number>();
  for (let kill = 0; kill < KILLS && (await readDay()) < DAYS; kill++) {
    const killed = new CliProcess(['advance', fork_id, `--to=${DAYS}`], {
      DATABASE_URL: server.database_url,
    });
    const reached = (await readDay()) + (kill % 4);
    while ((await readDay()) < reached && killed.child.exitCode === null) await sleep(5);
    await sleep(7 * (kill % 9));
    killed.child.kill('SIGKILL');
    await killed.done;
    days.add(await readDay());
  }
  assert.ok(days.size > 3, `stopped at the days ${[...days].join(', ')}`);
  await run('advance', fork_id, `--to=${DAYS}`);
  assert.equal(await readDay(), DAYS);

  const rows = await readRowsOf(server.database, fork_id);
  const timesOf = (from: typeof rows, table: string, column: string) =>
    from[table]!.map((row) => Date.parse(row[column] as string)).toSorted((a, b) => a - b);
  for (const [table, column] of [
    ['events', 'received_at'],
    ['sessions', 'started_at'],
    ['players', 'first_seen_at'],
    ['config_schedules', 'starts_at'],
  ] as const) {
    const wanted = timesOf(begun, table, column).map((at) => at - DAYS * DAY_MS);
    assert.ok(wanted.length > 0);
    assert.deepEqual(timesOf(rows, table, column), wanted, table);
  }
  assert.ok(rows.config_schedules!.every(({ state }) => state === 'done'));
  assert.equal(rows.config_versions!.length, 1 + 2 * CHANGES);
  const seasons = rows.leaderboard_seasons!.filter(
    ({ environment }) => environment === 'production',
  );
  // One more if the midnight of the installation passes meanwhile.
  assert.ok(seasons.length === DAYS || seasons.length === DAYS + 1, `${seasons.length} seasons`);
  assert.deepEqual(
    await readRollups(server.database, fork_id),
    await countNaively(server.database, fork_id, 'UTC'),
  );
});
