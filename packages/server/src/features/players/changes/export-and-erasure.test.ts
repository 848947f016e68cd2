import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeStudio } from '../test/player-client.ts';
import type { PlayerClient, PlayerStudio } from '../test/player-client.ts';

let server: TestServer;
let studio: PlayerStudio;
let game: TestGame;
let key: string;
let tokens: PlayerStudio['tokens'];
let player: PlayerClient;
before(async () => {
  server = await startTestServer();
  studio = await makeStudio(server);
  ({ game, tokens } = studio);
  key = game.production_key;
});
after(() => server.close());
beforeEach(() => {
  player = studio.nextPlayer();
});

describe('export', () => {
  test('HEAD answers like GET: 200, or 404 for a player who does not exist', async () => {
    await player.identify({ level: 1 });
    const path = `/v1/games/${game.game_id}/players/`;
    const options = { token: tokens.developer };
    for (const [id, status] of [
      [player.player_id, 200],
      ['nobody', 404],
    ] as const) {
      const url = `${path}${encodeURIComponent(id)}/export?environment=production`;
      assert.equal((await server.request('GET', url, options)).status, status);
      const head = await server.request('HEAD', url, options);
      assert.deepEqual([head.status, head.text], [status, '']);
    }
  });

  test('contains the data of the player in every feature, and saves with their exact text', async () => {
    await player.fill();
    const answer = await player.get('/export', tokens.developer);
    assert.equal(answer.status, 200);
    const { game_id, environment, saves, events } = answer.body;
    assert.deepEqual([game_id, environment], [game.game_id, 'production']);
    const { player_id, properties } = answer.body.player;
    assert.deepEqual([player_id, properties], [player.player_id, { level: 1 }]);
    assert.equal(saves.length, 1);
    assert.ok(answer.text.includes('"data":{ "t":"\\u0000\\ud800" }'));
    assert.deepEqual(
      events.map(({ event_name }: { event_name: string }) => event_name),
      ['e'],
    );
    for (const member of ['sessions', 'achievements']) assert.ok(member in answer.body);
  });

  test('answers 404 for an unknown player', async () => {
    assert.equal((await player.get('/export', tokens.developer)).status, 404);
  });
});

describe('DELETE', () => {
  test('erases only this player, from every table, and records the erasure in the audit log', async () => {
    await player.fill();
    await player.identify({}, game.development_key);
    await player.get();
    const database = server.database.ofGame(game.game_id);
    const tables = await database.query<{ name: string }>(sql`
      SELECT table_name AS name FROM information_schema.columns
      JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = current_schema() AND column_name = 'player_id' AND table_type = 'BASE TABLE'`);
    assert.ok(tables.length > 5);
    const count = async () => {
      const client = await database.connect();
      try {
        let rows = 0;
        for (const { name } of tables) {
          const { rowCount } = await client.query(
            `SELECT FROM "${name}" WHERE player_id = $1 AND environment = 'production'`,
            [player.player_id],
          );
          rows += rowCount!;
        }
        return rows;
      } finally {
        client.release();
      }
    };
    assert.ok((await count()) >= 4, 'players, events, sessions, saves');

    const answer = await player.erase();
    assert.deepEqual([answer.status, answer.text], [204, '']);
    assert.equal(await count(), 0);
    assert.equal((await player.get()).status, 404);
    assert.equal((await player.get('?environment=development')).status, 200);
    const others = await server.request('GET', '/v1/players/somebody%20else', { key });
    assert.equal(others.body.session_history.length, 1);
    assert.deepEqual((await player.findAudit('delete_player'))!.details, {
      environment: 'production',
    });
    assert.equal((await player.erase()).status, 404);
  });

  test('erases also events that still wait in the inbox', async () => {
    await player.identify({});
    const events = Array.from({ length: 100 }, () => ({
      event_name: 'e',
      session_id: 's',
      player_id: player.player_id,
    }));
    await Promise.all(
      Array.from({ length: 10 }, () => server.request('POST', '/v1/track', { key, body: events })),
    );
    assert.equal((await player.erase()).status, 204);
    // No event comes back when the inbox is processed.
    await player.identify({});
    const path = `/v1/players/${encodeURIComponent(player.player_id)}/timeline`;
    assert.deepEqual((await server.request('GET', path, { key })).body.events, []);
  });

  test('lets the game use the id again, without any old data', async () => {
    await player.fill();
    assert.equal((await player.erase()).status, 204);
    const saved = await server.request('PUT', '/v1/saves', {
      key,
      body: { player_id: player.player_id, data: {} },
    });
    assert.equal(saved.body.version, 1);
    const { body } = await player.get();
    assert.deepEqual([body.properties, body.tags, body.session_history], [{}, [], []]);
  });
});
