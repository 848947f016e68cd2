import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { startTestServer } from '../../../../test/harness.ts';
import { openTestDatabase } from '../../../../test/test-database.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { countCases } from '../../../../test/long-forms.ts';
import { refuseOnce } from '../../../../test/refusal.ts';
import { sql } from '../../../platform/database/sql.ts';
import { parseJsonText } from '../../../platform/json/parse-json.ts';
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

test('if PostgreSQL refuses a later round, only the requests of that round are retried', async () => {
  // A batch is written in rounds: the first round writes the first request of each player, and so on. The
  // second round is the first one that writes `b`.
  const refusal = await refuseOnce(
    server.database.ofGame(game_id),
    sql`players`,
    sql`NEW.properties ? 'b'`,
  );
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
  // The first batch wrote one row, the first round two, the refused round two, and the two retries one each.
  assert.equal(await refusal.countWrites(), 7);
  await writer.close();
});

test('after a round fails, no further round is written, and all requests without a result get the error', async () => {
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

const name = fc.constantFrom('a', 'b', 'c', '__proto__', '', 'toString', 'é');
const value = fc.json({ maxDepth: 2 });
const properties = fc.array(fc.tuple(name, value), { maxLength: 4 });
const merge = fc.record({ player: fc.nat(2), properties });

let runs = 0;

test('any sequence of identifies, in one batch or several, merges as in a simple model', async () => {
  const database = openTestDatabase(
    { url: server.database_url },
    { application_name: 'test', max_connections: 2, prepare: true },
  );
  await database.learnGames([game_id]);
  const writer = createPlayerWriter(database);
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(merge, { minLength: 1, maxLength: 30 }), async (merges) => {
        const run = `run-${++runs}`;
        const model = new Map<number, Map<string, unknown>>();
        await Promise.all(
          merges.map(async (sent) => {
            const stored = model.get(sent.player) ?? new Map<string, unknown>();
            model.set(sent.player, stored);
            for (const [member, text] of sent.properties) stored.set(member, parseJsonText(text));
            const expected = new Map(stored);
            const members = sent.properties.map(
              ([member, text]) => `${JSON.stringify(member)}:${text}`,
            );
            const text = await writer.mergeProperties({
              player: playerOf(`${run}-${sent.player}`),
              properties: `{${members.join(',')}}`,
              may_name: sent.player % 2 === 0,
            });
            const answered = new Map(Object.entries(parseJsonText(text) as object));
            assert.deepEqual([...answered].toSorted(byName), [...expected].toSorted(byName));
          }),
        );
      }),
      { numRuns: countCases(60) },
    );
  } finally {
    await writer.close();
    await database.close();
  }
});

test('if PostgreSQL refuses the properties of one request, only this request fails', async () => {
  const database = openTestDatabase(
    { url: server.database_url },
    { application_name: 'test', max_connections: 2, prepare: true },
  );
  await database.learnGames([game_id]);
  const writer = createPlayerWriter(database);
  const settled = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      writer.mergeProperties({
        player: playerOf(`poisoned-${index % 5}`),
        properties: index === 7 ? '{"a":1e-20000}' : `{"p${index}":1}`,
        may_name: index % 2 === 0,
      }),
    ),
  );
  const last = await writer.mergeProperties({
    player: playerOf('poisoned-2'),
    properties: '{}',
    may_name: true,
  });
  await writer.close();
  await database.close();
  assert.deepEqual(
    settled.map(({ status }) => status),
    settled.map((_, index) => (index === 7 ? 'rejected' : 'fulfilled')),
  );
  assert.deepEqual(JSON.parse(last), { p2: 1, p12: 1, p17: 1 });
});

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) =>
  a < b ? -1 : 1;
