import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { refuseOnce } from '../../../../test/refusal.ts';
import { sql } from '../../../platform/database/sql.ts';
import { createPlayerWriter } from './player-writer.ts';
import { writeInRounds } from './rounds.ts';

let server: TestServer;
let game_id: string;
before(async () => {
  server = await startTestServer();
  ({ game_id } = await server.makeGame());
});
after(() => server.close());

const playerOf = (player_id: string) => ({
  game_id,
  environment: 'production' as const,
  player_id,
});

test('a later round that PostgreSQL refuses is retried request by request, the first is not', async () => {
  // The second round is the first that writes `b`.
  const refusal = await refuseOnce(server.database, sql`players`, sql`NEW.properties ? 'b'`);
  const writer = createPlayerWriter(server.database);
  const merge = async (player_id: string, properties: object) =>
    JSON.parse(
      await writer.mergeProperties({
        player: playerOf(player_id),
        properties: JSON.stringify(properties),
        may_name: true,
      }),
    );
  const under_way = merge('another', {});
  const merged = [
    merge('p', { a: 1 }),
    merge('q', { a: 1 }),
    merge('p', { b: 1 }),
    merge('p', { a: 2 }),
    merge('q', { b: 2 }),
  ];
  await under_way;
  assert.deepEqual(await Promise.all(merged), [
    { a: 1 },
    { a: 1 },
    { a: 1, b: 1 },
    { a: 2, b: 1 },
    { a: 1, b: 2 },
  ]);
  // The first batch has one row, the first round two, the refused round one, each retry one.
  assert.equal(await refusal.countWrites(), 7);
  await writer.close();
});

test('after a failure no further round is written, and its requests get the error', async () => {
  const requests = ['a', 'b', 'a', 'a', 'b', 'a'].map((player_id, number) => ({
    player: playerOf(player_id),
    number,
  }));
  const lost = new Error('Connection terminated');
  const written: number[][] = [];
  const results = await writeInRounds(server.database, requests, async (_database, round) => {
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
