import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeFailing } from '../../../../test/failing-database.ts';
import type { FailingDatabase } from '../../../../test/failing-database.ts';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { createPlayerWriter } from './player-writer.ts';
import { writeInRounds } from './rounds.ts';

let server: TestServer;
let database: FailingDatabase;
let game_id: string;
before(async () => {
  server = await startTestServer();
  ({ game_id } = await server.makeGame());
  database = makeFailing(server.database);
});
after(() => server.close());

const playerOf = (player_id: string) => ({
  game_id,
  environment: 'production' as const,
  player_id,
});

test('a later round that PostgreSQL refuses is retried request by request, the first is not', async () => {
  const writer = createPlayerWriter(database);
  const merge = async (player_id: string, properties: object) =>
    JSON.parse(await writer.mergeProperties(playerOf(player_id), JSON.stringify(properties)));
  const under_way = merge('another', {});
  const merged = [
    merge('p', { a: 1 }),
    merge('q', { a: 1 }),
    merge('p', { b: 1 }),
    merge('p', { a: 2 }),
    merge('q', { b: 2 }),
  ];
  await under_way;
  database.sent.length = 0;
  database.failNext('INSERT INTO players');
  // The second round is under way by then.
  assert.deepEqual(await Promise.all(merged), [
    { a: 1 },
    { a: 1 },
    { a: 1, b: 1 },
    { a: 2, b: 1 },
    { a: 1, b: 2 },
  ]);
  assert.equal(database.sent.length, 4, 'the second round, and each of three requests alone');
  await writer.close();
});

test('after a failure no further round is written, and its requests get the error', async () => {
  const requests = ['a', 'b', 'a', 'a', 'b', 'a'].map((player_id, number) => ({
    player: playerOf(player_id),
    number,
  }));
  const lost = new Error('Connection terminated');
  const written: number[][] = [];
  const results = await writeInRounds(database, requests, async (_database, round) => {
    written.push(round.map(({ number }) => number));
    if (written.length > 1) throw lost;
    return round.map(({ number }) => number);
  });
  assert.deepEqual(written, [
    [0, 1],
    [2, 4],
  ]);
  assert.deepEqual(results, [0, 1, lost, lost, lost, lost]);
});
