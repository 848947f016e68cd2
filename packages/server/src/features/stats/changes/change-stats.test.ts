import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
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

test('another transaction changes statistics, each by itself, and can go on after a refusal', async () => {
  const changeStats = createChangeStats(null);
  const player = playerOf('given');
  const change = (key: string, value: number) => ({ ...player, key, value });
  await database.transaction(async (tx) => {
    const results = await changeStats(tx, [
      change('coins', 50),
      change('wins', 1),
      change('coins', -51),
      change('none', 1),
      change('coins', -50),
    ]);
    const [coins, wins, poor, unknown, rest] = results;
    assert.deepEqual([coins, wins, rest], [50, 1, 0]);
    assert.ok(
      isError(400, /^the change of coins: coins must be at least 0, and would be -1$/)(poor),
    );
    assert.ok(isError(404, /^the change of none: the game has no statistic "none"$/)(unknown));
    assert.deepEqual(await changeStats(tx, [change('wins', 2)]), [3]);
  });
  assert.deepEqual(await studio.valuesOf('given'), { coins: 0, wins: 3 });
  await assert.rejects(
    database.transaction(async (tx) => {
      await changeStats(tx, [change('wins', 5)]);
      throw new Error('rolled back');
    }),
  );
  assert.deepEqual(await studio.listHours('given'), [
    { key: 'coins', value: 0 },
    { key: 'wins', value: 3 },
  ]);
});

test('changes of many players take as many statements as those of one', async () => {
  const countStatements = (players: number) =>
    database.transaction(async (tx) => {
      let count = 0;
      const counting: Queryable = {
        ...tx,
        query(statement) {
          count++;
          return tx.query(statement);
        },
      };
      const changes = Array.from({ length: players }, (_, index) =>
        ['wins', 'coins'].map((key) => ({ ...playerOf(`m${players}-${index}`), key, value: 2 })),
      );
      const results = await createChangeStats(null)(counting, changes.flat());
      assert.ok(results.every((result) => result === 2));
      return count;
    });
  assert.equal(await countStatements(50), await countStatements(1));
});

test('a server that has not heard that events move a statistic by now does not change it', async () => {
  const made = await studio.steer('POST', '/stats', {
    key: 'kills',
    name: 'Kills',
    source: { event_name: 'kill' },
  });
  assert.equal(made.status, 201, made.text);
  const writer = createStatWriter(server.database, null);
  const changing = writer.change({
    player: playerOf('late'),
    changes: [{ key: 'kills', aggregation: 'sum', value: millionthsOf(1) }],
    sent: null,
    fieldOf: () => 'value',
  });
  await assert.rejects(changing, isError(404, /the game has no statistic "kills"/));
  await writer.close();
  assert.deepEqual(await studio.valuesOf('late'), {});
});

test('a watcher judges changes of watched statistics in their transaction', async () => {
  const judged: MovedStat[] = [];
  let fails = false;
  const watcher: StatWatcher = {
    watches: (_game_id, key) => (key === 'wins' ? Promise.resolve(true) : false),
    async judge(tx, moved) {
      judged.push(...moved);
      if (fails) throw new Error('The rule is broken');
      const found = await createChangeStats(null)(tx, [{ ...moved[0]!, key: 'coins', value: 1 }]);
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
    createChangeStats(watcher)(tx, [{ ...player, key: 'wins', value: 0.5 }]),
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
