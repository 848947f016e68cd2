import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeNamedGame } from '../test/named-game.ts';
import type { Listed } from '../test/named-game.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

/** More players than a search reads before it uses the index. */
const MANY = 1_200;

const makeGame = (property?: string | null) => makeNamedGame(server, property);

test('the index finds players far down the list, in the order of the list and page by page', async () => {
  const game = await makeGame();
  await game.addOldPlayers(MANY);
  await game.waitForIndex();
  const named = (number: number) => ({ player_id: `id-${number}`, name: `Old Hero ${number}` });
  assert.deepEqual(await game.find('HERO 77'), [77, ...range(779, 770)].toSorted(byAge).map(named));
  assert.deepEqual(
    await game.find('d-12'),
    [...range(1200, 1200), ...range(129, 120), 12].map(named),
  );
  assert.deepEqual(
    await game.find('d-12', { sort: 'player_id', limit: '2' }),
    [12, 120].map(named),
  );
  assert.deepEqual(
    await game.find('hero 9', { prefix: 'id-99' }),
    [...range(999, 990), 99].map(named),
  );
  assert.deepEqual(await game.find('nobody'), []);
  assert.equal((await game.find('old hero')).length, 50);
});

test('a search finds thousands of players below many newer ones, in the order of the list', async () => {
  const game = await makeGame();
  await game.addOldPlayers(3_500);
  await server.database.execute(sql`
    INSERT INTO players (game_id, environment, player_id, properties)
    SELECT ${game.game_id}, 'production', 'new-' || number, '{"nick": "Somebody"}'
    FROM generate_series(1, ${MANY}::integer) AS number`);
  await game.waitForIndex();
  const oldest = (from: number, to: number) => range(from, to).map((number) => `id-${number}`);
  const found = async (further: Record<string, string> = {}) =>
    (await game.find('old hero', further)).map(({ player_id }) => player_id);
  assert.deepEqual(await found(), oldest(3_500, 3_451));
  assert.deepEqual(await found({ limit: '3', sort: 'player_id' }), ['id-1', 'id-10', 'id-100']);
  assert.deepEqual(await found({ prefix: 'id-77' }), [...oldest(779, 770), 'id-77']);
  await game.identify('id-3500', { nick: 'Somebody' });
  assert.deepEqual(await found({ limit: '2' }), oldest(3_499, 3_498));
  const query = new URLSearchParams({ search: 'old hero', limit: '2', with_total: 'true' });
  const { body } = await server.request('GET', `${game.at}/players?${query}`, game);
  assert.deepEqual(body.total, { count: 3_499, is_exact: true });
  query.set('cursor', body.next_cursor);
  const next = await server.request('GET', `${game.at}/players?${query}`, game);
  const next_ids = next.body.players.map(({ player_id }: Listed) => player_id);
  assert.deepEqual(next_ids, oldest(3_497, 3_496));
});

const range = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => from - index);
const byAge = (a: number, b: number) => b - a;
