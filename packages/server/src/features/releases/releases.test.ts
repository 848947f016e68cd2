import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  COMMON_STARTS,
  MAX_RELEASES,
  MAX_VERSION_LENGTH,
} from '@overworld/contract/analytics/release-limits';
import type { Release } from '@overworld/contract/analytics/releases';
import type { Role } from '@overworld/contract/operation';
import { startTestServer } from '../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../test/harness.ts';
import { waitForIngest } from '../../../test/inbox.ts';
import { waitForLock } from '../../../test/wait-for-lock.ts';
import { sql } from '../../platform/database/sql.ts';

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
  const { status } = await server.request('POST', '/v1/track', { key, body });
  assert.equal(status, 202);
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

test('a version is noticed with its first start, also if that arrives late, and is rare at first', async () => {
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
  const earlier = Date.now() - 40 * HOUR_MS;
  await start(game, '1.4.0', { hours: 40 });
  await start(game, '1.5.0', { times: COMMON_STARTS - 1 });
  const [newest, oldest] = await viewer.list();
  assert.deepEqual([newest!.version, oldest!.version], ['1.5.0', '1.4.0']);
  assert.ok(Math.abs(Date.parse(oldest!.first_started_at) - earlier) < 60_000);
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

test('one key cannot fill the list: a full one keeps named and common versions, and new ones come through', async () => {
  const { game, join } = await makeStudio();
  const { game_id } = game;
  const viewer = await join('viewer');
  await server.database.execute(sql`
    INSERT INTO releases
      (game_id, environment, version, first_started_at, noticed_at, start_count, name)
    SELECT ${game_id}, 'production', 'v' || n, now(), now() - n * interval '1 minute',
           CASE WHEN n <= 100 THEN 1 ELSE ${COMMON_STARTS}::integer END,
           CASE WHEN n = 100 THEN 'Named' END
    FROM generate_series(1, ${MAX_RELEASES}::integer) AS n`);
  const flood = Array.from({ length: 60 }, (_, index) => ({
    event_name: 'session_start',
    session_id: `s${index}`,
    player_id: `p${index}`,
    properties: { app_version: `flood-${index}` },
  }));
  const real = { ...flood[0]!, properties: { app_version: 'real' } };
  const { status } = await server.request('POST', '/v1/track', {
    key: game.production_key,
    body: [...flood, real, { ...real, session_id: 'another' }],
  });
  assert.equal(status, 202);
  await waitForIngest(server.database, game_id);
  const found = versions(await viewer.list('with_all=true&limit=200'));
  assert.equal(found.length, MAX_RELEASES);
  assert.equal(found.filter((version) => version.startsWith('flood')).length, 9);
  assert.ok(found.includes('real') && found.includes('v100') && found.includes('v150'));
  // Those that were noticed first made room, and none within the hour.
  assert.ok(!found.includes('v99') && !found.includes('v90') && found.includes('v89'));
  await server.database.execute(
    sql`UPDATE releases SET noticed_at = now() WHERE game_id = ${game_id}`,
  );
  await start(game, 'too many');
  assert.ok(!versions(await viewer.list('with_all=true&limit=200')).includes('too many'));
});
