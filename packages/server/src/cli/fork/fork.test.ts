import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { makeFullGame } from '../../../test/full-game.ts';
import type { FullGame } from '../../../test/full-game.ts';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { callCli } from '../../../test/run-cli.ts';
import { sql } from '../../platform/database/sql.ts';
import { PLAYER_TABLES } from './fork-tables.ts';
import { readRowsOf } from './test/game-rows.ts';

suite('a fork', () => {
  let server: TestServer;
  let source: FullGame;
  before(async () => {
    server = await startTestServer();
    source = await makeFullGame(server, { marker: 'marked', player_id: 'Erika Muster' });
  });
  after(() => server.close());

  const call = (...args: string[]) => callCli(args, { DATABASE_URL: server.database_url });
  const fork = async (...options: string[]) => {
    const { code, stdout, stderr } = await call('fork', source.game_id, ...options);
    assert.equal(code, 0, stderr);
    return stdout.trim();
  };
  const readDefinitions = async (game_id: string, token: string) =>
    (await server.request('GET', `/v1/games/${game_id}/definitions`, { token })).body;

  test('has the definitions of its game and an owner, and nothing of people, keys and receivers', async () => {
    const { token, email } = source.owner;
    const fork_id = await fork('--name=Trial', `--owner=${email}`);
    const read = (path: string) =>
      server.request('GET', `/v1/games/${fork_id}${path}`, { token }).then(({ body }) => body);
    const { definitions } = await readDefinitions(fork_id, token);
    // A fork has no webhooks and login providers, because they lead out of its game.
    const expected = (await readDefinitions(source.game_id, token)).definitions
      .filter(({ kind }: { kind: string }) => kind !== 'webhook' && kind !== 'login_provider')
      .map((document: { kind: string; definition: object }) =>
        document.kind === 'alert'
          ? { ...document, definition: { ...document.definition, webhook_ids: [] } }
          : document,
      );
    assert.deepEqual(definitions, expected);
    assert.ok(expected.length >= 5);
    const { name, role } = await read('');
    assert.deepEqual([name, role], ['Trial', 'owner']);
    for (const environment of ['production', 'development']) {
      const { open } = await read(`/config/schedules?environment=${environment}`);
      assert.equal(open.length, environment === 'production' ? 1 : 0);
      const { players } = await read(`/players?environment=${environment}`);
      assert.deepEqual(players, []);
    }
    const [alert] = (await read('/alerts?environment=production')).alerts;
    assert.equal(alert.name, 'marked alert');
    assert.deepEqual([alert.account_ids, alert.webhook_ids], [[], []]);
    assert.deepEqual((await read('/webhooks')).webhooks, []);
    assert.deepEqual((await read('/api-keys')).api_keys, []);
    const rows = await readRowsOf(server.database, fork_id);
    assert.doesNotMatch(JSON.stringify(rows), /Erika|hooks\.studio\.example|issuer\.example/);

    const log = await server.database.query<object>(sql`
      SELECT action, details -> 'players' AS players FROM audit_log
      WHERE details ->> 'fork_id' = ${fork_id} AND game_id = ${source.game_id}`);
    assert.deepEqual(log, [{ action: 'fork_game', players: 0 }]);
  });

  test('with all players has their rows under other ids and names, without their texts', async () => {
    const { token } = source.owner;
    const person = (key: string, path: string, body: unknown) =>
      server.request('POST', path, { key, body });
    await person(source.production_key, '/v1/identify', {
      player_id: 'Erika Muster',
      properties: { city: 'Berlin', level: 7, phone: 491_701_234_567, pro: true, friends: ['Max'] },
    });
    const fork_id = await fork('--players=100%', '--keep=city', `--owner=${source.owner.email}`);
    const rows = await readRowsOf(server.database, fork_id);
    const of_players = Object.fromEntries(PLAYER_TABLES.map((table) => [table, rows[table] ?? []]));
    for (const [table, found] of Object.entries(of_players)) assert.ok(found.length > 0, table);
    assert.doesNotMatch(JSON.stringify(rows), /Erika|Muster|Max\b|4917012345/);
    assert.doesNotMatch(JSON.stringify(of_players), /marked/);
    const ids = Object.entries(of_players)
      .flatMap(([, found]) => found.map(({ player_id }) => player_id))
      .filter((id) => id !== undefined);
    assert.equal(new Set(ids).size, 1, 'one player has one id everywhere');
    const player = of_players.players!.find(({ environment }) => environment === 'production')!;
    assert.deepEqual(player.properties, { city: 'Berlin', level: 7, pro: true });
    assert.deepEqual(player.tags, ['a tag']);

    const board = await server.request(
      'GET',
      `/v1/games/${fork_id}/leaderboards/a%20board/entries?environment=production`,
      { token },
    );
    assert.equal(board.body.total_entries, 1);
    assert.match(board.body.entries[0].player_name, /^[A-Z][a-z]+[A-Z][a-z]+\d+$/);
    const events = await server.request(
      'GET',
      `/v1/games/${fork_id}/analytics/active-players?environment=production`,
      { token },
    );
    assert.equal(events.body.days.at(-1).daily, 1, events.text);
  });

  test('of a share has the players that its seed chooses', async () => {
    const { game_id, production_key: key } = await server.makeGame();
    for (let number = 0; number < 40; number++) {
      const body = { player_id: `player ${number}`, properties: { number } };
      await server.request('POST', '/v1/identify', { key, body });
    }
    const take = async (seed: number) => {
      const { stdout, stderr } = await call('fork', game_id, '--players=50%', `--seed=${seed}`);
      const fork_id = stdout.trim();
      const players = await server.database.query<{ number: number; player_id: string }>(sql`
        SELECT (properties -> 'number')::integer AS number, player_id FROM players
        WHERE game_id = ${fork_id} ORDER BY number`);
      assert.match(stderr, new RegExp(`It has ${players.length} players`));
      return players;
    };
    const [one, again, other] = [await take(1), await take(1), await take(2)];
    const numbers = (players: typeof one) => players.map(({ number }) => number);
    assert.ok(one.length > 5 && one.length < 35);
    assert.deepEqual(numbers(again), numbers(one));
    assert.notDeepEqual(numbers(other), numbers(one));
    assert.notEqual(again[0]!.player_id, one[0]!.player_id, 'each fork has other ids');
  });

  test('has the players of whom nobody knows since when they count', async () => {
    const { game_id, production_key: key } = await server.makeGame();
    const body = { player_id: 'early', properties: {} };
    await server.request('POST', '/v1/identify', { key, body });
    // The migration that brought this column gave it to the players of before.
    await server.database.execute(sql`
      UPDATE players SET counted_at = '-infinity' WHERE game_id = ${game_id}`);
    const { code, stdout, stderr } = await call('fork', game_id, '--players=100%');
    assert.equal(code, 0, stderr);
    const players = await server.database.query<object>(sql`
      SELECT counted_at::text FROM players WHERE game_id = ${stdout.trim()}`);
    assert.deepEqual(players, [{ counted_at: '-infinity' }]);
  });

  test('has the beginning of a long name, without half of a character', async () => {
    const { game_id } = await server.makeGame();
    const name = `${'a'.repeat(89)}🎈 over the harbour`;
    await server.database.execute(sql`UPDATE games SET name = ${name} WHERE id = ${game_id}`);
    const { code, stdout, stderr } = await call('fork', game_id);
    assert.equal(code, 0, stderr);
    const fork_id = stdout.trim();
    assert.deepEqual(
      await server.database.queryOne(sql`SELECT name FROM games WHERE id = ${fork_id}`),
      { name: `${'a'.repeat(89)} (fork)` },
    );
  });

  test('is refused in a sentence for a wrong game, share, seed or name, and changes nothing', async () => {
    const count = () => server.database.queryOne(sql`SELECT count(*) FROM games`);
    const games = await count();
    const unknown = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
    const refused = async (words: RegExp, ...args: string[]) => {
      const { code, stderr } = await call('fork', ...args);
      assert.equal(code, 1);
      assert.match(stderr, words);
    };
    const { game_id } = source;
    await refused(/^Sky is not the id of a game\.$/m, 'Sky');
    await refused(/^There is no game 7c9e/m, unknown);
    await refused(/--players must be a share/, game_id, '--players=5');
    await refused(/--players must be a share/, game_id, '--players=0%');
    await refused(/--seed must be a whole number/, game_id, '--players=5%', '--seed=x');
    await refused(/^name must not be empty\.$/m, game_id, '--name= ');
    await refused(/There is no account nobody@/, game_id, '--owner=nobody@studio.example');
    assert.deepEqual(await count(), games);
  });
});
