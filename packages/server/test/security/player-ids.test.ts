import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { takesServerKey } from '@overworld/contract/operation';
import type { Operation } from '@overworld/contract/operation';
import { makeFullGame } from '../full-game.ts';
import type { FullGame } from '../full-game.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import type { RequestOptions } from '../test-request.ts';
import { sweep } from '../long-forms.ts';
import { makePlayerToken } from '../player-token.ts';
import { readGameRows } from '../whole-database.ts';
import {
  callAbout,
  CLOSED,
  OF_ANOTHER_PLAYER,
  OF_ONE_PLAYER,
  setVerification,
  TOKEN_MISSING,
  withToken,
} from './player-calls.ts';

/**
 * Each operation that names a player is called with ids that have no player of their own. Logins with a new
 * device are called, too. The game requires player tokens and allows no claims.
 */

const MERGED = 'a merged guest';
const IDS: Record<string, string> = {
  'an id that was merged into another player': MERGED,
  'the id of an erased player': 'a deleted guest',
  'an id that no player has yet': 'a future guest',
};
const MARKER = 'belongs-to-ann';
const CLAIMS_CLOSED = {
  status: 403,
  error: 'This game lets no login name its player: leave player_id out to get a new player',
} as const;

let server: TestServer;
let game: FullGame;
/** The options of calls with a token of the player into whom `MERGED` was merged. */
let own: RequestOptions;
before(async () => {
  server = await startTestServer();
  game = await makeFullGame(server, { marker: MARKER });
  const { game_id, server_key: key, owner, params } = game;
  const send = async (method: string, path: string, options: RequestOptions) => {
    const { status, text } = await server.request(method, path, options);
    assert.ok(status < 300, `${method} ${path}: ${status} ${text}`);
  };
  for (const player_id of [MERGED, 'a deleted guest']) {
    await send('POST', '/v1/identify', { key, body: { player_id, properties: {} } });
  }
  const path = encodeURIComponent(params.player_id!);
  const body = { from_player_id: MERGED };
  await send('POST', `/v1/players/${path}/merge`, { key, body });
  const erased = `/v1/games/${game_id}/players/${encodeURIComponent('a deleted guest')}`;
  await send('DELETE', `${erased}?environment=production`, { token: owner.token });
  await setVerification(server, game, { verification: 'required', allows_claims: false });
  own = withToken(game.production_key, game.player_token);
});
after(() => server.close());

const makeToken = (player_id: string) =>
  makePlayerToken(server, { game_id: game.game_id, environment: 'production', player_id });

suite('strangers reach and make no player by an id that has no player of its own', () => {
  let rows: string[];
  let pirate: string;
  /** Reads the rows of the game, except those about the delivery of the message that tells of the erasure. */
  const readRows = async () =>
    (await readGameRows(server.database, game.game_id)).filter((row) => !row.startsWith('webhook'));
  before(async () => {
    rows = await readRows();
    pirate = await makeToken('a pirate');
  });
  after(async () => {
    assert.deepEqual(await readRows(), rows);
  });

  for (const operation of sweep(OF_ONE_PLAYER)) {
    test(operation.id, async () => {
      const { production_key, server_key } = game;
      const logsIn = operation.id === 'logInPlayer';
      const byClient: [string, RequestOptions, { status: number; error: string }][] = [
        ['no token', { key: production_key }, logsIn ? CLAIMS_CLOSED : TOKEN_MISSING],
        ["a stranger's token", withToken(production_key, pirate), OF_ANOTHER_PLAYER],
      ];
      const callers: typeof byClient = [
        ["a server key and a stranger's token", withToken(server_key, pirate), OF_ANOTHER_PLAYER],
        ...(takesServerKey(operation) ? [] : byClient),
      ];
      for (const [which, player_id] of Object.entries(IDS)) {
        for (const [who, options, refusal] of callers) {
          const answer = await callAbout(server, game, player_id, operation, options);
          const { status, body, text } = answer;
          const shown = `${operation.id} by ${who} about ${which}: ${status} ${text}`;
          assert.deepEqual([status, body?.error], [refusal.status, refusal.error], shown);
          assert.ok(!text.includes(MARKER), shown);
        }
      }
    });
  }
});

const assertAdmitted = async (operation: Operation, player_id: string, options: RequestOptions) => {
  const { status, text } = await callAbout(server, game, player_id, operation, options);
  const shown = `${operation.id} about ${player_id}: ${status} ${text}`;
  assert.ok(status !== 401 && status !== 403 && status < 500, shown);
};

suite('the player may name an id that was merged into this player', () => {
  for (const operation of sweep(CLOSED)) {
    test(operation.id, () => assertAdmitted(operation, MERGED, own));
  }
});

suite('the studio may name every id by its server key', () => {
  for (const operation of sweep(CLOSED)) {
    test(operation.id, async () => {
      for (const player_id of Object.values(IDS)) {
        await assertAdmitted(operation, player_id, { key: game.server_key });
      }
    });
  }
});
