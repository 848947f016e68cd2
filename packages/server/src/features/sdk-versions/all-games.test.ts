import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAX_SDK_VERSIONS } from '@overworld/contract/games/sdk-versions';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';
import { RELEASE } from '../../platform/release.ts';
import { readAllSdkVersions } from './all-games.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const call = (game_id: string, environment: string, sdk: string, version: string, calls: number) =>
  server.database.ofGame(game_id).execute(sql`
    INSERT INTO sdk_calls
    SELECT ${game_id}, ${environment}::environment, (now() AT TIME ZONE 'UTC')::date - days, ${sdk}, ${version}, ${calls}
    FROM unnest('{0, 10}'::integer[]) AS days`);

test('the calls of all games are added up by SDK version, with the games that make the most', async () => {
  const read = (days = 7) => readAllSdkVersions(server.database, days);
  const nothing = { server_version: RELEASE, sdk_versions: [] };
  const empty = { ...nothing, other_call_count: 0, unnamed_call_count: 0 };
  assert.deepEqual(await read(), empty);

  const games: string[] = [];
  for (let number = 1; number <= 7; number++) {
    const { game_id } = await server.makeGame();
    games.push(game_id);
    await call(game_id, 'production', 'godot', '0.0.9', number);
  }
  const [first] = games as [string];
  await call(first, 'development', 'godot', '0.0.9', 100);
  await call(first, 'production', 'unity', '99.0.0', 50);
  await call(first, 'production', '', '', 7);
  await call(first, 'production', 'other', '', 3);

  const last_day = new Date().toISOString().slice(0, 10);
  const nameOf = (id: string, call_count: number) => ({ id, name: 'Test game', call_count });
  const expected = {
    server_version: RELEASE,
    sdk_versions: [
      {
        sdk: 'godot',
        version: '0.0.9',
        call_count: 128,
        last_day,
        is_older: true,
        game_count: 7,
        games: [nameOf(first, 101), ...[6, 5, 4, 3].map((at) => nameOf(games[at]!, at + 1))],
      },
      {
        sdk: 'unity',
        version: '99.0.0',
        call_count: 50,
        last_day,
        is_older: false,
        game_count: 1,
        games: [nameOf(first, 50)],
      },
    ],
    other_call_count: 3,
    unnamed_call_count: 7,
  };
  assert.deepEqual(await read(), expected);
  const month = await read(30);
  assert.deepEqual(
    [month.sdk_versions[0]!.call_count, month.other_call_count, month.unnamed_call_count],
    [256, 6, 14],
  );

  for (let number = 0; number < MAX_SDK_VERSIONS + 10; number++) {
    await call(games[number % 7]!, 'production', 'typescript', `7.7.${number}`, 1);
  }
  const flooded = await read();
  assert.equal(flooded.sdk_versions.length, MAX_SDK_VERSIONS);
  assert.deepEqual(flooded.sdk_versions.slice(0, 2), expected.sdk_versions);
  assert.equal(flooded.other_call_count, 3 + 12);
});

test('administrators read the SDK versions of as many days as they ask for', async () => {
  const { token } = await server.makeAccount({ is_administrator: true });
  const { game_id } = await server.makeGame();
  await call(game_id, 'production', 'server', '1.2.3', 1_000);
  const read = (query: string) =>
    server.request('GET', `/v1/admin/sdk-versions${query}`, { token });
  for (const [query, calls] of [
    ['', 1_000],
    ['?days=30', 2_000],
  ] as const) {
    const { status, body } = await read(query);
    assert.equal(status, 200);
    assert.equal(body.sdk_versions[0].version, '1.2.3');
    assert.equal(body.sdk_versions[0].call_count, calls);
  }
  assert.equal((await read('?days=31')).status, 400);
});
