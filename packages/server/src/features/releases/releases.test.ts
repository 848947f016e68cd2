import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  COMMON_STARTS,
  MAX_RELEASES,
  MAX_STRAY_STARTS,
  MAX_VERSION_LENGTH,
  STARTS_PER_STRAY,
} from '@overworld/contract/analytics/release-limits';
import type { Release } from '@overworld/contract/analytics/releases';
import type { Role } from '@overworld/contract/operation';
import { startTestServer } from '../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../test/harness.ts';
import { waitForIngest } from '../../../test/inbox.ts';
import { waitForLock } from '../../../test/wait-for-lock.ts';
import type { Database } from '../../platform/database/database.ts';
import { rowsAs, sql } from '../../platform/database/sql.ts';
import { noticeReleases } from './notice-releases.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

async function start(
  { game_id, ...keys }: TestGame,
  app_version: unknown,
  { hours = 1, times = 1, key = keys.production_key } = {},
): Promise<void> {
  const body = Array.from({ length: times }, (_, index) => ({
    event_name: 'session_start',
    session_id: `s${index}`,
    player_id: `p${index}`,
    client_timestamp: ago(hours),
    properties: { app_version },
  }));
  for (let first = 0; first < times; first += 100) {
    const part = body.slice(first, first + 100);
    const { status } = await server.request('POST', '/v1/track', { key, body: part });
    assert.equal(status, 202);
  }
  await waitForIngest(server.database, game_id);
}

async function makeStudio() {
  const game = await server.makeGame();
  const path = `/v1/games/${game.game_id}`;
  const join = async (role: Role) => {
    const { token } = await server.makeAccount({ game_id: game.game_id, role });
    return {
      read: (rest: string) => server.request('GET', path + rest, { token }),
      list: async (query = ''): Promise<Release[]> =>
        (await server.request('GET', `${path}/releases?${query}`, { token })).body.releases,
      change: (id: string, body: object) =>
        server.request('PATCH', `${path}/releases/${id}`, { token, body }),
    };
  };
  return { game, join };
}
const versions = (releases: readonly Release[]) => releases.map(({ version }) => version);

test('a version is noticed with its first start, strays left out, and is rare at first', async () => {
  const { game, join } = await makeStudio();
  const viewer = await join('viewer');
  await start(game, '1.4.0', { times: COMMON_STARTS, hours: 5 });
  await start(game, '1.5.0', { hours: 3 });
  await start(game, 2, { hours: 2 });
  for (const ignored of ['', ' ', '\u200b', 'x'.repeat(MAX_VERSION_LENGTH + 1), null, true, {}]) {
    await start(game, ignored);
  }
  await start(game, '0.1', { key: game.development_key, times: COMMON_STARTS });
  assert.deepEqual(versions(await viewer.list()), ['1.4.0']);
  assert.deepEqual(versions(await viewer.list('environment=development')), ['0.1']);
  const all = await viewer.list('with_all=true');
  assert.deepEqual(
    all.map(({ version, is_rare }) => [version, is_rare]),
    [
      ['2', true],
      ['1.5.0', true],
      ['1.4.0', false],
    ],
  );
  const isAbout = (time: string, hours: number) =>
    assert.ok(Math.abs(Date.parse(time) - (Date.now() - hours * HOUR_MS)) < 60_000, time);
  await start(game, '1.4.0', { hours: 40 });
  isAbout((await viewer.list())[0]!.first_started_at, 5);
  await start(game, '1.4.0', { hours: 39 });
  await start(game, '1.5.0', { times: COMMON_STARTS - 1 });
  const [newest, oldest] = await viewer.list();
  assert.deepEqual([newest!.version, oldest!.version], ['1.5.0', '1.4.0']);
  isAbout(oldest!.first_started_at, 39);
  isAbout(newest!.first_started_at, 1);
  assert.equal(oldest!.first_day, oldest!.first_started_at.slice(0, 10));
});

test('a release can be named, noted and hidden, and charts mark it by its name', async () => {
  const { game, join } = await makeStudio();
  const [developer, viewer] = [await join('developer'), await join('viewer')];
  await start(game, '1.4.0', { times: COMMON_STARTS });
  await start(game, '1.5.0');
  const [rare, common] = await viewer.list('with_all=true');
  assert.equal((await viewer.change(rare!.id, { name: 'x' })).status, 403);
  const texts = async () =>
    (await viewer.read('/annotations')).body.annotations.map(
      ({ kind, text, may_edit }: { kind: string; text: string; may_edit: boolean }) => {
        assert.deepEqual([kind, may_edit], ['release', false]);
        return text;
      },
    );
  assert.deepEqual(await texts(), ['Version 1.4.0']);
  const named = await developer.change(rare!.id, { name: 'Winter', note: 'New tutorial' });
  assert.equal(named.status, 200, named.text);
  assert.deepEqual(named.body, { ...rare, name: 'Winter', note: 'New tutorial' });
  assert.deepEqual((await viewer.list())[0], named.body);
  assert.equal((await developer.change(common!.id, { is_hidden: true })).status, 200);
  assert.deepEqual(await texts(), ['Version 1.5.0: Winter']);
  const cleared = await developer.change(rare!.id, { name: null, version: '9', more: 1 });
  assert.deepEqual(cleared.body, { ...named.body, name: null });
  assert.deepEqual(await texts(), []);
  for (const [body, error] of [
    [{}, 'The request body must not be empty'],
    [{ name: ' ' }, 'name must not be empty'],
    [{ note: ' ' }, 'note must not be empty'],
    [{ is_hidden: 'yes' }, 'is_hidden must be true or false'],
  ] as const) {
    const answer = await developer.change(common!.id, body);
    assert.deepEqual([answer.status, answer.body.error], [400, error]);
  }
  const stranger = await (await makeStudio()).join('owner');
  assert.equal((await stranger.change(rare!.id, { name: 'x' })).status, 404);
  const log = await (await join('admin')).read('/audit-log');
  const entry = log.body.audit_log.find(
    ({ action }: { action: string }) => action === 'update_release',
  );
  assert.deepEqual(entry.target, '1.5.0');
  const left = { name: null, note: 'New tutorial', is_hidden: false };
  assert.deepEqual(entry.details, { environment: 'production', ...left });
});

test('a change of a release that is just deleted to make room is refused', async () => {
  const { game, join } = await makeStudio();
  const developer = await join('developer');
  await start(game, '1.5.0');
  const [rare] = await developer.list('with_all=true');
  const changing = await server.database.ofGame(game.game_id).transaction(async (tx) => {
    await tx.execute(sql`DELETE FROM releases WHERE game_id = ${game.game_id}`);
    const answer = developer.change(rare!.id, { name: 'Winter' });
    await waitForLock(server.database);
    return { answer };
  });
  assert.equal((await changing.answer).status, 404);
});

test('the first start leaves out a twentieth of the starts, at most the stated number', async () => {
  const { game, join } = await makeStudio();
  const viewer = await join('viewer');
  const count = STARTS_PER_STRAY * (MAX_STRAY_STARTS + 1);
  for (const hours of [2, 3, 4, 5]) await start(game, '1.0.0', { hours, times: count / 4 });
  await start(game, '1.0.0', { hours: 90, times: MAX_STRAY_STARTS });
  const [{ first_started_at }] = (await viewer.list()) as [Release];
  assert.ok(Math.abs(Date.parse(first_started_at) - Date.parse(ago(5))) < 60_000);
  await start(game, '1.0.0', { hours: 80 });
  const [moved] = await viewer.list();
  assert.ok(Math.abs(Date.parse(moved!.first_started_at) - Date.parse(ago(80))) < 60_000);
});

const flood = (round: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    event_name: 'session_start',
    session_id: `s${index}`,
    player_id: `p${index}`,
    properties: { app_version: `flood-${round}-${index}` },
  }));

test('one key cannot hide versions: those in use keep their places, and new ones in use come through', async () => {
  const { game, join } = await makeStudio();
  const { game_id } = game;
  const viewer = await join('viewer');
  await server.database.execute(sql`
    INSERT INTO releases
      (game_id, environment, version, first_started_at, noticed_at, start_count, name)
    SELECT ${game_id}, 'production', 'v' || n, now(), now() - n * interval '1 minute',
           CASE n WHEN 150 THEN 4000 ELSE ${COMMON_STARTS}::integer END,
           CASE n WHEN 100 THEN 'Named' END
    FROM generate_series(1, ${MAX_RELEASES}::integer) AS n`);
  const list = async () => versions(await viewer.list('with_all=true&limit=200'));
  for (let round = 0; round < 25; round++) {
    const real = flood(round, 30).map((event) => ({
      ...event,
      properties: { app_version: 'real' },
    }));
    const { status } = await server.request('POST', '/v1/track', {
      key: game.production_key,
      body: [...flood(round, 60), ...real],
    });
    assert.equal(status, 202);
    await waitForIngest(server.database, game_id);
    const found = await list();
    assert.equal(found.length, MAX_RELEASES);
    for (const kept of ['real', 'v100', 'v150']) assert.ok(found.includes(kept), kept);
  }
  const found = await list();
  assert.ok(found.filter((version) => version.startsWith('flood')).length > 150);
  assert.ok(versions(await viewer.list('limit=200')).includes('real'));
});

test('a full list of named versions takes no new one, and a hidden version gives way first', async () => {
  const { game, join } = await makeStudio();
  const { game_id } = game;
  const viewer = await join('viewer');
  await server.database.execute(sql`
    INSERT INTO releases
      (game_id, environment, version, first_started_at, noticed_at, start_count, note)
    SELECT ${game_id}, 'production', 'v' || n, now(), now(), 1, 'Noted'
    FROM generate_series(1, ${MAX_RELEASES}::integer) AS n`);
  const list = async () => versions(await viewer.list('with_all=true&limit=200'));
  await start(game, 'too many');
  assert.ok(!(await list()).includes('too many'));
  await server.database.execute(sql`
    UPDATE releases SET note = NULL, is_hidden = version = 'v7', start_count = 100
    WHERE game_id = ${game_id} AND version IN ('v7', 'v8')`);
  await start(game, 'another');
  const found = await list();
  assert.ok(found.includes('another') && found.includes('v8') && !found.includes('v7'));
});

test('the starts of a common version are counted by samples, and right on average', async () => {
  const { game } = await makeStudio();
  const { game_id } = game;
  await start(game, '1.0.0', { times: MAX_STRAY_STARTS + 1, hours: 40 });
  await server.database.execute(
    sql`UPDATE releases SET start_count = 640 WHERE game_id = ${game_id}`,
  );
  const database = server.database.ofGame(game_id);
  const writes = new Set<number>();
  for (let batch = 0; batch < 500; batch++) {
    await notice(database, [{ game_id, environment: 'production', version: '1.0.0' }]);
    const row = await database.queryOne<{ start_count: number }>(
      sql`SELECT start_count FROM releases WHERE game_id = ${game_id}`,
    );
    writes.add(row!.start_count);
  }
  assert.ok(writes.size < 200, String(writes.size));
  const counted = Math.max(...writes) - 640;
  // The standard deviation is about 80.
  assert.ok(counted > 100 && counted < 1_000, String(counted));
});

test('transactions that notice versions at the same time do not wait for each other in a circle', async () => {
  const { game_id } = await server.makeGame();
  const database = server.database.ofGame(game_id);
  const random = (below: number) => Math.floor(Math.random() * below);
  await database.execute(sql`
    INSERT INTO releases (game_id, environment, version, first_started_at, noticed_at, start_count)
    SELECT ${game_id}, environment, 'v' || n, now(), now(), 1
    FROM generate_series(1, ${MAX_RELEASES}::integer) AS n
    CROSS JOIN unnest(ARRAY['production', 'development']::environment[]) AS environment`);
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let batch = 0; batch < 25; batch++) {
        const starts = Array.from({ length: 40 }, () => ({
          game_id,
          environment: random(2) === 0 ? 'production' : 'development',
          version: `v${random(MAX_RELEASES * 2)}`,
        }));
        await notice(database, starts);
      }
    }),
  );
  const { count } = (await database.queryOne<{ count: number }>(
    sql`SELECT count(*) AS count FROM releases WHERE game_id = ${game_id}`,
  ))!;
  assert.equal(count, 2 * MAX_RELEASES);
});

interface Start {
  game_id: string;
  environment: string;
  version: string;
}

/** Runs the step of ingest for some starts, in a transaction of its own. */
const notice = (database: Database, starts: readonly Start[]) =>
  database.transaction(async (tx) => {
    await tx.execute(sql`CREATE TEMPORARY TABLE ingested_events (LIKE events) ON COMMIT DROP`);
    await tx.execute(sql`
      INSERT INTO ingested_events
        (id, received_at, occurred_at, environment, game_id, key_id, event_name, session_id,
         player_id, properties)
      SELECT 1, now(), now(), environment, game_id, game_id, 'session_start', 's', 'p',
             jsonb_build_object('app_version', version)
      FROM ${rowsAs('started', starts, { game_id: 'uuid', environment: 'environment', version: 'text' })}`);
    await noticeReleases(tx);
  });
