import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cloneDatabase, startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { callCli } from '../../../test/run-cli.ts';
import { sql } from '../../platform/database/sql.ts';

let drop: () => Promise<void>;
let server: TestServer;
let token: string;
let said: string;
let game: string;
before(async () => {
  const cloned = await cloneDatabase();
  drop = cloned.drop;
  const made = await callCli(['demo', '--players', '200', '--days', '30'], {
    DATABASE_URL: cloned.url,
  });
  assert.equal(made.code, 0, made.stderr);
  said = made.stdout;
  server = await startTestServer({ database_url: cloned.url });
  const [, email, password] = /Log in as (\S+) with the password (\S+)/.exec(said)!;
  const login = await server.request('POST', '/v1/auth/login', { body: { email, password } });
  token = login.body.token;
  const { body } = await server.request('GET', '/v1/games', { token });
  game = `/v1/games/${body.games[0].id}`;
});
after(async () => {
  await server.close();
  await drop();
});

const get = async (path: string) => {
  const { status, body, text } = await server.request('GET', game + path, { token });
  assert.equal(status, 200, text);
  return body;
};

test('the boards of the demo have only scores and times of completed levels', async () => {
  const strange = await server.database.query(sql`
    SELECT board_name, player_id, score FROM leaderboard_entries AS entry
    WHERE board_name <> 'daily' AND NOT EXISTS (
      SELECT FROM events
      WHERE events.game_id = entry.game_id AND events.player_id = entry.player_id
        AND event_name = 'level_complete' AND occurred_at = entry.updated_at
        AND score = (properties ->> CASE board_name WHEN 'fastest-level' THEN 'seconds' ELSE 'score' END)::float8)`);
  assert.deepEqual(strange, []);
  const { entries } = await get('/leaderboards/fastest-level/entries?environment=production');
  assert.ok(entries.length > 10);
});

test('the demo has an ended season, a score that waits, a schedule and a shipped experiment', async () => {
  const ended = await server.database.query(sql`
    SELECT FROM leaderboard_seasons WHERE board_name = 'harvest-cup'
      AND environment = 'production' AND ended_at IS NOT NULL AND total_entries > 0`);
  assert.equal(ended.length, 1);
  const { scores } = await get('/leaderboards/daily/quarantine?environment=production');
  assert.deepEqual(
    scores.map(({ score }: { score: number }) => score),
    [999_999],
  );
  const coming = await get('/config/schedules?environment=production');
  assert.equal(coming.open[0].name, 'Weekend sale');
  const { experiments } = await get('/experiments?environment=production');
  assert.deepEqual(experiments.map(({ state }: { state: string }) => state).toSorted(), [
    'running',
    'shipped',
  ]);
});

test('the second member of the demo logs in as a developer, and no alert goes to a disabled webhook', async () => {
  const [, email, password] = /second member is (\S+) with the password (\S+)/.exec(said)!;
  const login = await server.request('POST', '/v1/auth/login', { body: { email, password } });
  assert.equal(login.status, 200);
  const { body } = await server.request('GET', '/v1/games', { token: login.body.token });
  assert.equal(body.games[0].role, 'developer');
  const { webhooks } = await get('/webhooks');
  const enabled = webhooks.filter(({ disabled_at }: { disabled_at: null }) => disabled_at === null);
  const { alerts } = await get('/alerts?environment=production');
  for (const { webhook_ids, account_ids } of alerts) {
    assert.ok(account_ids.length > 0);
    for (const id of webhook_ids) assert.ok(enabled.some((each: { id: string }) => each.id === id));
  }
});
