import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Queryable } from '../../src/platform/database/database.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { lockGameForDeletion } from '../../src/platform/game-lock.ts';
import { startTestServer } from '../harness.ts';
import type { TestGame, TestServer } from '../harness.ts';
import { countLockWaits } from '../wait-for-lock.ts';
import { waitUntil } from '../wait-until.ts';

/**
 * Tests of requests that pass authentication while their game is being deleted, and write when the game is
 * gone. None of them may get a 5xx.
 */

const SCHEMA = { schema: { type: 'object', properties: {} } };
const WRITES = [
  ['POST', '/v1/leaderboards', { board_name: 'new', player_id: 'p', score: 1 }],
  ['POST', '/v1/track', { event_name: 'start', session_id: 's' }],
  ['PUT', '/v1/saves', { player_id: 'p', data: {} }],
  ['PUT', '/v1/games/{game_id}/leaderboards/set', { sort: 'descending' }],
  ['PUT', '/v1/games/{game_id}/event-schemas/start', SCHEMA],
  ['PUT', '/v1/games/{game_id}/config?environment=production', { parameters: {} }],
  ['POST', '/v1/games/{game_id}/achievements', { key: 'first', name: 'First' }],
  ['POST', '/v1/games/{game_id}/api-keys', { name: 'n', environment: 'development' }],
  ['POST', '/v1/games/{game_id}/invitations', { email: 'a@b.example', role: 'viewer' }],
  ['PATCH', '/v1/games/{game_id}', { name: 'Other' }],
] as const;

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

/** Sends a request, lets it wait for a lock, and deletes the game before the request goes on. */
async function sendDuringDeletion(
  game: TestGame,
  lock: (tx: Queryable) => Promise<unknown>,
  [method, path, body]: readonly [string, string, object?],
  token: string,
) {
  let answered = false;
  const answer = await server.database.transaction(async (tx) => {
    await lock(tx);
    const sent = server
      .request(method, path.replace('{game_id}', game.game_id), {
        key: game.production_key,
        token,
        body,
      })
      .finally(() => (answered = true));
    await waitUntil(
      'the request waits for the deletion',
      async () => answered || (await countLockWaits(server.database)) > 0,
    );
    await tx.execute(sql`DELETE FROM games WHERE id = ${game.game_id}`);
    return { sent };
  });
  return answer.sent;
}

describe('a write to a game that is deleted meanwhile is answered without a 5xx', () => {
  for (const write of WRITES) {
    test(`${write[0]} ${write[1]}`, async () => {
      const game = await server.makeGame();
      const { token } = await server.makeAccount({ game_id: game.game_id });
      const lock = (tx: Queryable) => lockGameForDeletion(tx, game.game_id);
      const { status, text } = await sendDuringDeletion(game, lock, write, token);
      const isByAccount = write[1].startsWith('/v1/games/');
      // A client's write may still be accepted; the deletion then erases it.
      if (isByAccount) assert.equal(`${status} ${text}`, '404 {"error":"Game not found"}');
      else assert.ok([200, 201, 202, 401].includes(status), text);
    });
  }
});

test('reading the usage of a game that is deleted meanwhile answers 404', async () => {
  const game = await server.makeGame();
  const { token } = await server.makeAccount({ game_id: game.game_id });
  const lock = (tx: Queryable) => tx.execute(sql`LOCK TABLE event_usage IN ACCESS EXCLUSIVE MODE`);
  const look = ['GET', '/v1/games/{game_id}/usage'] as const;
  const { status, text } = await sendDuringDeletion(game, lock, look, token);
  assert.equal(`${status} ${text}`, '404 {"error":"Game not found"}');
});
