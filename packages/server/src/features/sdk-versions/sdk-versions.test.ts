import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_SDK_VERSIONS } from '@overworld/contract/games/sdk-versions';
import { useTwoServers } from '../../../test/two-servers.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import type { KeyCaller } from '../../platform/auth/api-keys.ts';
import { sql } from '../../platform/database/sql.ts';
import { RELEASE } from '../../platform/release.ts';
import { createSdkCounts } from '../../platform/call-counts.ts';
import { deleteOldSdkCalls } from './store.ts';
import { isOlder } from './version-order.ts';

const nodes = useTwoServers();

async function openStudio() {
  const [server, second] = nodes;
  const game = await server.makeGame();
  const { game_id } = game;
  const { token } = await server.makeAccount({ game_id, role: 'viewer' });
  const read = async (query = '') => {
    const path = `/v1/games/${game_id}/sdk-versions?${query}`;
    const { status, body } = await server.request('GET', path, { token });
    assert.equal(status, 200);
    return body;
  };
  const call = (sdk: string | null, key = game.production_key, of = server) => {
    const headers: Record<string, string> = sdk === null ? {} : { 'overworld-sdk': sdk };
    return of.request('GET', '/v1/leaderboards/b', { key, headers });
  };
  return { ...game, server, second, token, read, call };
}

test('calls are counted by SDK and version, in each environment and on all servers', async () => {
  const { read, call, second, production_key, development_key } = await openStudio();
  await call('godot/0.0.9');
  await call(`unity/${RELEASE}`);
  await call(`unity/${RELEASE}`, production_key, second);
  await call(null);
  await call('typescript/999.0.0', development_key);
  // Each worker of a server flushes its own counts.
  await waitUntil('the calls are counted', async () => {
    const { sdk_versions, unnamed_call_count } = await read();
    const { sdk_versions: of_development } = await read('environment=development');
    const isCounted = unnamed_call_count === 1 && of_development.length === 1;
    return isCounted && sdk_versions[0]?.call_count === 2 && sdk_versions.length === 2;
  });
  const last_day = new Date().toISOString().slice(0, 10);
  assert.deepEqual(await read(), {
    environment: 'production',
    server_version: RELEASE,
    sdk_versions: [
      { sdk: 'unity', version: RELEASE, call_count: 2, last_day, is_older: false },
      { sdk: 'godot', version: '0.0.9', call_count: 1, last_day, is_older: true },
    ],
    other_call_count: 0,
    unnamed_call_count: 1,
  });
  const development = await read('environment=development');
  assert.deepEqual(development.sdk_versions, [
    { sdk: 'typescript', version: '999.0.0', call_count: 1, last_day, is_older: false },
  ]);
});

test('invented versions fill no table, and hide neither the release nor known versions', async () => {
  const { server, game_id, read } = await openStudio();
  const counts = createSdkCounts(server.database);
  const caller = { game_id, environment: 'production' } as KeyCaller;
  const note = (sdk: string) => counts.note(caller, { 'overworld-sdk': sdk });
  note('godot/0.0.9');
  await counts.flush();
  const odd = [
    '',
    'godot',
    'GODOT/1.0.0',
    'godot/1',
    'x/1.0.0',
    'godot/1.0.0/2',
    'a'.repeat(4_000),
  ];
  const versions = Array.from({ length: 2_000 }, (_, at) => `unity/7.7.${at}`);
  const sent = [...odd, '__proto__', 'godot/1.0.0-<b>', 'unity/7.7.0-\u0000', ...versions];
  for (const round of [0, 1, 2]) {
    note('godot/0.0.9');
    for (const sdk of sent) note(sdk.replace('7.7', `7.${round}`));
    note(`typescript/${RELEASE}`);
    await counts.flush();
  }
  const { sdk_versions, other_call_count, unnamed_call_count } = await read();
  const countOf = (sdk: string) =>
    sdk_versions.find((each: { sdk: string }) => each.sdk === sdk)?.call_count;
  assert.deepEqual([countOf('typescript'), countOf('godot'), unnamed_call_count], [3, 4, 3]);
  const named = sdk_versions.map((each: { call_count: number }) => each.call_count);
  const total = named.reduce((sum: number, count: number) => sum + count, 0);
  assert.equal(total + other_call_count + unnamed_call_count, 1 + 3 * (sent.length + 2));
  const stored = await server.database.ofGame(game_id).queryOne<{ count: number }>(sql`
    SELECT count(*) FROM sdk_calls WHERE game_id = ${game_id}`);
  assert.ok(stored!.count <= MAX_SDK_VERSIONS + 3, `${stored!.count} rows`);
});

test('older days count only if the request asks for them, and are deleted after thirty', async () => {
  const { server, game_id, read } = await openStudio();
  const group = server.database.ofGame(game_id);
  await group.execute(sql`
    INSERT INTO sdk_calls
    SELECT ${game_id}, 'production', (now() AT TIME ZONE 'UTC')::date - days, 'godot', '1.0.0', 10
    FROM unnest('{6, 7, 29, 30}'::integer[]) AS days`);
  const countOf = async (query: string) => (await read(query)).sdk_versions[0]?.call_count;
  assert.deepEqual([await countOf('days=7'), await countOf('days=30')], [10, 30]);
  await deleteOldSdkCalls(group);
  const left = await group.query(sql`SELECT FROM sdk_calls WHERE game_id = ${game_id}`);
  assert.equal(left.length, 3);
  const { token } = await server.makeAccount({ game_id, role: 'viewer' });
  for (const days of ['0', '31', 'x', '1.5', '']) {
    const path = `/v1/games/${game_id}/sdk-versions?days=${days}`;
    const { status, body } = await server.request('GET', path, { token });
    assert.equal(status, 400, days);
    assert.match(body.error, /days/);
  }
});

test('versions are compared by their numbers', () => {
  const ordered = ['0.9.10', '0.10.0-beta', '0.10.0', '1.0.0', '1.2.0', '1.10.0', '10.0.0'];
  for (const [at, version] of ordered.entries()) {
    for (const [than_at, than] of ordered.entries()) {
      assert.equal(isOlder(version, than), at < than_at, `${version} and ${than}`);
    }
  }
});
