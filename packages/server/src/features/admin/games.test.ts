import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../test/harness.ts';
import type { TestAccount } from '../../../test/test-account.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { createKeyDirectory } from '../../platform/auth/api-keys.ts';
import type { KeyDirectory } from '../../platform/auth/api-keys.ts';
import { sql } from '../../platform/database/sql.ts';
import { createNotifications } from '../../platform/database/notifications.ts';
import { RELEASE } from '../../platform/release.ts';
import { setGameTier } from './store.ts';

let server: TestServer;
let administrator: TestAccount;
before(async () => {
  server = await startTestServer();
  administrator = await server.makeAccount({ is_administrator: true });
});
after(() => server.close());

const get = (path: string) => server.request('GET', path, { token: administrator.token });
const patch = (game_id: string, body: unknown) =>
  server.request('PATCH', `/v1/admin/games/${game_id}`, { token: administrator.token, body });
const rename = (game_id: string, name: string) =>
  server.database.execute(sql`UPDATE games SET name = ${name} WHERE id = ${game_id}`);
const setUsage = (game_id: string, month: string, used: number) =>
  server.database.execute(sql`
    INSERT INTO event_usage (game_id, month, used, last_accepted, quota)
    VALUES (${game_id}, (date_trunc('month', now() AT TIME ZONE 'UTC') - ${month}::interval)::date,
            ${used}, 1, 100000)`);

test('GET /v1/admin/games lists all games by name, page by page, with tier and usage', async () => {
  const tag = randomUUID().slice(0, 8);
  const ids: string[] = [];
  for (const name of ['alpha', 'Beta', 'beta', 'gamma']) {
    const { game_id } = await server.makeGame({ tier: name === 'alpha' ? 'indie' : 'free' });
    await rename(game_id, `${name} ${tag}`);
    ids.push(game_id);
  }
  await server.makeAccount({ game_id: ids[0]! });
  await setUsage(ids[0]!, '0', 1234);
  await setUsage(ids[0]!, '1 month', 99);
  const seen: { id: string }[] = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor ? `&cursor=${cursor}` : '';
    const page = await get(`/v1/admin/games?limit=1&search=${tag.toUpperCase()}${next}`);
    seen.push(...page.body.games);
    cursor = page.body.next_cursor;
  } while (cursor !== null);
  assert.deepEqual(new Set(seen.slice(1, 3).map(({ id }) => id)), new Set(ids.slice(1, 3)));
  assert.deepEqual([seen[0]?.id, seen[3]?.id, seen.length], [ids[0], ids[3], 4]);
  const { created_at, ...first } = seen[0] as { id: string; created_at: string };
  assert.match(created_at, /Z$/);
  assert.deepEqual(first, {
    id: ids[0],
    name: `alpha ${tag}`,
    tier: 'indie',
    event_quota: 1_000_000,
    events_this_month: 1234,
    member_count: 1,
    limit_overrides: {},
  });
  const byId = await get(`/v1/admin/games?search=${ids[3]!.toUpperCase()}`);
  assert.deepEqual(
    byId.body.games.map(({ id }: { id: string }) => id),
    [ids[3]],
  );
});

test("PATCH /v1/admin/games/{game_id} sets the tier, with an entry in the game's audit log", async () => {
  const { game_id } = await server.makeGame();
  for (const [tier, event_quota] of [
    ['studio', 10_000_000],
    ['studio', 10_000_000],
    ['indie', 1_000_000],
    ['free', 100_000],
  ] as const) {
    const answer = await patch(game_id, { tier });
    assert.equal(answer.status, 200);
    assert.equal(answer.body.tier, tier);
    assert.equal(answer.body.event_quota, event_quota);
  }
  const entries = await server.database.query(sql`
    SELECT action, details, account_email FROM audit_log WHERE game_id = ${game_id} ORDER BY id`);
  const account_email = administrator.email;
  assert.deepEqual(entries, [
    { action: 'set_game_tier', details: { from: 'free', to: 'studio' }, account_email },
    { action: 'set_game_tier', details: { from: 'studio', to: 'indie' }, account_email },
    { action: 'set_game_tier', details: { from: 'indie', to: 'free' }, account_email },
  ]);
});

test('a bad tier is answered 400, an unknown game is answered 404, and nothing changes', async () => {
  const { game_id } = await server.makeGame();
  for (const [body, expected] of [
    [{}, /^tier is required$/],
    [{ tier: null }, /^tier must be one of free, indie, studio$/],
    [{ tier: 'Studio' }, /^tier must be one of free, indie, studio$/],
    [{ tier: 3 }, /^tier must be one of free, indie, studio$/],
    [[], /^The request body must be a JSON object$/],
  ] as const) {
    const answer = await patch(game_id, body);
    assert.equal(answer.status, 400);
    assert.match(answer.body.error, expected);
  }
  for (const id of [randomUUID(), 'no-uuid', '%00']) {
    const answer = await patch(id, { tier: 'studio' });
    assert.equal(answer.status, id === '%00' ? 400 : 404, id);
  }
  const row = await server.database.queryOne(sql`SELECT tier FROM games WHERE id = ${game_id}`);
  assert.deepEqual(row, { tier: 'free' });
});

const findQuotas = async (keys: KeyDirectory, { production_key, development_key }: TestGame) =>
  Promise.all(
    [production_key, development_key].map(async (key) => (await keys.find(key))?.event_quota),
  );

test('a new tier applies at once to all keys of the game on the server that sets the tier', async () => {
  const game = await server.makeGame();
  // This key directory believes that it is connected to the other servers, but gets no notifications. So
  // only the evictions by its own server take effect.
  const keys = createKeyDirectory(server.database, {
    evictions: null,
    listen: (_channel, { onConnected }) => onConnected(),
    start: async () => undefined,
    close: async () => undefined,
  });
  assert.deepEqual(await findQuotas(keys, game), [100_000, 100_000]);
  const actor = { account: null, ip: null };
  await setGameTier(server.database, keys, actor, game.game_id, 'indie');
  assert.deepEqual(await findQuotas(keys, game), [1_000_000, 1_000_000]);
});

test('a new tier soon applies on the other servers, too', async () => {
  const game = await server.makeGame();
  const notifications = createNotifications(server.database, () => undefined);
  const keys = createKeyDirectory(server.database, notifications);
  await notifications.start();
  try {
    assert.deepEqual(await findQuotas(keys, game), [100_000, 100_000]);
    await patch(game.game_id, { tier: 'studio' });
    await waitUntil('the new quota counts', async () => {
      const quotas = await findQuotas(keys, game);
      return quotas.every((quota) => quota === 10_000_000);
    });
  } finally {
    await notifications.close();
  }
});

test('GET /v1/admin/stats counts the accounts, games, players and events of the installation', async () => {
  const earlier = (await get('/v1/admin/stats')).body;
  const { game_id } = await server.makeGame();
  await server.makeAccount({ game_id });
  await setUsage(game_id, '0', 77);
  await setUsage(game_id, '1 month', 5);
  await server.database.execute(sql`
    INSERT INTO players (game_id, environment, player_id)
    VALUES (${game_id}, 'production', 'p'), (${game_id}, 'development', 'p')`);
  const { status, body } = await get('/v1/admin/stats');
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body).sort(), [
    'account_count',
    'backups',
    'database_bytes',
    'disk_bytes',
    'disk_free_bytes',
    'events_this_month',
    'failed_requests',
    'failing_mails',
    'game_count',
    'inbox_age_seconds',
    'inbox_requests',
    'last_backup_at',
    'last_file_backup_at',
    'open_to_strangers',
    'player_count',
    'postgres_version',
    'quarantined_requests',
    'request_p99_seconds',
    'requests_per_second',
    'sends_mail',
    'uptime_seconds',
    'version',
  ]);
  assert.equal(body.account_count - earlier.account_count, 1);
  assert.equal(body.game_count - earlier.game_count, 1);
  assert.equal(body.player_count - earlier.player_count, 2);
  assert.equal(body.events_this_month - earlier.events_this_month, 77);
  assert.equal(body.version, RELEASE);
  assert.ok(body.database_bytes > 1_000_000);
  assert.ok(body.uptime_seconds >= 0);
  assert.match(body.postgres_version, /^\d+(\.\d+)?$/);
});

test('GET /v1/admin/stats tells whether strangers can make accounts', async () => {
  await using open = await startTestServer({
    database_url: server.database_url,
    env: { PUBLIC_URL: 'https://games.example' },
  });
  for (const [on, expected] of [
    [server, false],
    [open, true],
  ] as const) {
    const { token } = administrator;
    const { body } = await on.request('GET', '/v1/admin/stats', { token });
    assert.equal(body.open_to_strangers, expected);
  }
});

test('GET /v1/admin/stats shows problems that need attention', async () => {
  const { game_id } = await server.makeGame();
  const earlier = (await get('/v1/admin/stats')).body;
  await server.database.execute(sql`
    INSERT INTO event_quarantine (game_id, inbox_id, environment, key_id, received_at, event_count,
      body, reason, quarantined_at)
    VALUES (${game_id}, 1, 'production', gen_random_uuid(), now(), 1, '{', 'broken', now())`);
  await server.database.execute(sql`
    INSERT INTO mail_outbox (kind, params, attempts, next_attempt_at)
    VALUES ('none such', '{}', 2, now() + interval '1 day'), ('none such', '{}', 0, now())`);
  const { body } = await get('/v1/admin/stats');
  assert.equal(body.quarantined_requests - earlier.quarantined_requests, 1);
  assert.equal(body.failing_mails - earlier.failing_mails, 1);
});
