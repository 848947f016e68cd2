import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import type { Database } from '../../../platform/database/database.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { MovedStat, StatWatcher } from '../../../platform/players/stat-watcher.ts';
import { makeStatStudio } from '../test/stat-studio.ts';
import type { StatStudio } from '../test/stat-studio.ts';
import { createChangeStats } from './change-stats.ts';
import { millionthsOf } from './decimals.ts';
import { createStatWriter } from './stat-writer.ts';

let server: TestServer;
let studio: StatStudio;
let database: Database;
before(async () => {
  server = await startTestServer();
  studio = await makeStatStudio(server, { wins: 'sum', coins: { minimum: 0, max_change: 1 } });
  database = server.database.ofGame(studio.game_id);
});
after(() => server.close());

const playerOf = (player_id: string) =>
  ({ game_id: studio.game_id, environment: 'production', player_id }) as const;

const isError = (status: number, words: RegExp) => (error: unknown) =>
  error instanceof ApiError && error.status === status && words.test(error.message);

test('another transaction changes statistics, all or none, and can go on after a refusal', async () => {
  const changeStats = createChangeStats(null);
  const player = playerOf('given');
  await database.transaction(async (tx) => {
    const coins = [{ key: 'coins', value: 50 }];
    assert.deepEqual(await changeStats(tx, player, coins), [50]);
    const both = [
      { key: 'wins', value: 1 },
      { key: 'coins', value: -51 },
    ];
    await assert.rejects(
      changeStats(tx, player, both),
      isError(400, /^the change of coins: coins must be at least 0, and would be -1$/),
    );
    const unknown = [{ key: 'none', value: 1 }];
    await assert.rejects(
      changeStats(tx, player, unknown),
      isError(404, /^the change of none: the game has no statistic "none"$/),
    );
    assert.deepEqual(await changeStats(tx, player, [{ key: 'wins', value: 2 }]), [2]);
  });
  assert.deepEqual(await studio.valuesOf('given'), { coins: 50, wins: 2 });
  await assert.rejects(
    database.transaction(async (tx) => {
      await changeStats(tx, player, [{ key: 'wins', value: 5 }]);
      throw new Error('rolled back');
    }),
  );
  assert.deepEqual(await studio.listHours('given'), [
    { key: 'coins', value: 50 },
    { key: 'wins', value: 2 },
  ]);
});

test('a watcher judges changes of watched statistics in their transaction', async () => {
  const judged: MovedStat[] = [];
  let fails = false;
  const watcher: StatWatcher = {
    watches: (_game_id, key) => (key === 'wins' ? Promise.resolve(true) : false),
    async judge(tx, moved) {
      judged.push(...moved);
      if (fails) throw new Error('The rule is broken');
      const found = await createChangeStats(null)(tx, moved[0]!, [{ key: 'coins', value: 1 }]);
      assert.equal(found.length, 1);
      const achievement = { key: 'veteran', name: 'Veteran', points: 5 };
      return moved.map(({ player_id }) => ({
        player: playerOf(player_id),
        stats: ['wins'],
        achievement,
      }));
    },
  };
  const writer = createStatWriter(server.database, watcher);
  const player = playerOf('watched');
  const change = (key: string, value: number) =>
    writer.change({
      player,
      changes: [{ key, aggregation: 'sum', value: millionthsOf(value) }],
      sent: null,
      fieldOf: () => 'value',
    });
  assert.deepEqual(await change('coins', 3), { values: [3], unlocked: [] });
  assert.deepEqual(judged, []);
  assert.deepEqual(await change('wins', 2), {
    values: [2],
    unlocked: [{ key: 'veteran', name: 'Veteran', points: 5 }],
  });
  await database.transaction((tx) =>
    createChangeStats(watcher)(tx, player, [{ key: 'wins', value: 0.5 }]),
  );
  assert.deepEqual(judged, [
    { ...player, key: 'wins', value: 2 },
    { ...player, key: 'wins', value: 2.5 },
  ]);
  fails = true;
  await assert.rejects(change('wins', 1), /The rule is broken/);
  await writer.close();
  assert.deepEqual(await studio.valuesOf('watched'), { coins: 5, wins: 2.5 });
});
