import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dropExpiredPartitions } from '../../src/features/events/event-partitions.ts';
import { makeNamedGame } from '../../src/features/players/test/named-game.ts';
import { schemaOf } from '../../src/platform/database/group-directory.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { makeFullGame } from '../full-game.ts';
import type { FullGame } from '../full-game.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';

let server: TestServer;
let games: FullGame[];
before(async () => {
  server = await startTestServer({ groups: 2 });
  // The players, boards and achievements of both games have the same names.
  games = await Promise.all(['one', 'two'].map((marker) => makeFullGame(server, { marker })));
});
after(() => server.close());

/** Lists the tables of a group that have rows of a game. */
async function listTablesWith(game_id: string, group: number): Promise<string[]> {
  const path = schemaOf(group);
  const tables = await server.database.query<{ name: string }>(sql`
    SELECT relname AS name FROM pg_class
    JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'game_id'
    WHERE relnamespace = ${path}::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
    ORDER BY relname`);
  const filled: string[] = [];
  for (const { name } of tables) {
    const row = await server.database.queryOne({
      text: `SELECT FROM ${path}.${name} WHERE game_id = $1 LIMIT 1`,
      values: [game_id],
    });
    if (row !== null) filled.push(name);
  }
  return filled;
}

const groupOf = async ({ game_id }: { game_id: string }): Promise<number> => {
  const row = await server.database.queryOne<{ tenant_group: number }>(sql`
    SELECT tenant_group FROM games WHERE id = ${game_id}`);
  return row!.tenant_group;
};

test('when games are written at the same time, the data of each game are in its group and nowhere else', async () => {
  const groups = await Promise.all(games.map(groupOf));
  assert.notEqual(groups[0], groups[1]);
  for (const [index, { game_id }] of games.entries()) {
    for (const group of new Set(groups)) {
      const filled = await listTablesWith(game_id, group);
      if (group !== groups[index]) assert.deepEqual(filled, []);
      else assert.ok(filled.length > 30, filled.join(', '));
    }
  }
});

test('players with the same id in games of two groups see only their own data', async () => {
  const scores = await Promise.all(
    games.map(async ({ production_key: key, player_token, params }, index) => {
      const headers = { 'x-player-token': player_token };
      const player_id = params.player_id!;
      const score = 1_000 + index;
      const { board_name } = params;
      const sent = await server.request('POST', '/v1/leaderboards', {
        key,
        headers,
        body: { board_name, player_id, score },
      });
      assert.equal(sent.status, 200, sent.text);
      const path = `/v1/leaderboards/${encodeURIComponent(board_name!)}?limit=1`;
      const { body } = await server.request('GET', path, { key, headers });
      return body.entries[0].score;
    }),
  );
  assert.deepEqual(scores, [1_000, 1_001]);
});

test('the metrics show the numbers of games, statements and waiting events of each group', async () => {
  const { text } = await server.request('GET', '/metrics');
  const valueOf = (name: string, group: number) =>
    Number(new RegExp(`^${name}\\{group="${group}"\\} (.+)$`, 'm').exec(text)?.[1]);
  for (const group of await Promise.all(games.map(groupOf))) {
    assert.equal(valueOf('overworld_group_games', group), 1);
    assert.ok(valueOf('overworld_group_statements_total', group) > 10);
    assert.ok(valueOf('overworld_group_statement_seconds_total', group) > 0);
    assert.equal(valueOf('overworld_group_failures_total', group), 0);
    assert.ok(valueOf('overworld_inbox_requests', group) >= 0);
  }
});

test('dropped events of one group do not count as dropped events of games in other groups', async () => {
  const [first, second] = (await Promise.all(games.map(groupOf))) as [number, number];
  await server.database.execute({
    text: `CREATE TABLE ${schemaOf(first)}.events_2020_01 (LIKE ${schemaOf(first)}.events)`,
    values: [],
  });
  await dropExpiredPartitions(server.database.groups[first]!, 30);
  const kept = await server.database.query(sql`
    SELECT tenant_group, events_kept_since FROM games
    WHERE tenant_group = ANY(${[first, second]}::integer[]) ORDER BY tenant_group = ${first}::integer`);
  assert.deepEqual(kept, [
    { tenant_group: second, events_kept_since: null },
    { tenant_group: first, events_kept_since: '2020-02-01T00:00:00.000Z' },
  ]);
});

test('player names of one group are indexed while another group fails', async () => {
  const named = await makeNamedGame(server, null);
  await named.identify('a', { nick: 'Ada' });
  const group = await groupOf(named);
  const other = (await Promise.all(games.map(groupOf))).find((number) => number !== group)!;
  const rename = (from: string, to: string) =>
    server.database.execute({
      text: `ALTER TABLE ${schemaOf(other)}.${from} RENAME TO ${to}`,
      values: [],
    });
  await rename('player_name_changes', 'away');
  await named.set('nick');
  await named.waitForIndex();
  await rename('away', 'player_name_changes');
  assert.deepEqual(await named.listIndexed(), [{ player_id: 'a', name: 'Ada' }]);
});
