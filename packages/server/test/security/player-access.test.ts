import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { takesServerKey } from '@overworld/contract/operation';
import type { Operation } from '@overworld/contract/operation';
import { sql } from '../../src/platform/database/sql.ts';
import { makeFullGame } from '../full-game.ts';
import type { FullGame } from '../full-game.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import type { RequestOptions } from '../test-request.ts';
import { makePlayerToken } from '../player-token.ts';
import { sweep } from '../long-forms.ts';
import { readGameRows } from '../whole-database.ts';
import {
  callAbout,
  CLOSED,
  FOR_GAMES,
  OF_ANOTHER_PLAYER,
  OF_NEW_LOGINS,
  OF_ONE_PLAYER,
  setVerification,
  TOKEN_MISSING,
  withToken,
} from './player-calls.ts';

/**
 * Each operation for games is called about one player, by each kind of caller. An operation that names a
 * player must refuse strangers, unless `player-calls.ts` lists it as open.
 */

const MARKER = 'belongs-to-ann';
const PLAYER_ID = 'a player';

interface BadCaller {
  options: RequestOptions;
  status: 401 | 403;
  error: string;
}

let server: TestServer;
let game: FullGame;
/** Callers who may not call the operations that name a player. */
let strangers: Record<string, BadCaller>;
/** Callers whose token is of another player than the one that their call names. */
let contradicting: Record<string, BadCaller>;
/** Callers who may call no operation for games. */
let refused: Record<string, BadCaller>;

const tokenOf = ({ game_id }: { game_id: string }, player_id = PLAYER_ID, age_ms = 0) => {
  const player = { game_id, environment: 'production', player_id } as const;
  return makePlayerToken(server, player, () => new Date(Date.now() - age_ms));
};

before(async () => {
  server = await startTestServer();
  game = await makeFullGame(server, { marker: MARKER, player_id: PLAYER_ID });
  await setVerification(server, game, { verification: 'required' });
  const { production_key: key, development_key, game_id } = game;
  const own = await tokenOf(game);
  const [header, payload, signature] = own.split('.') as [string, string, string];
  const others = await tokenOf(await server.makeGame());
  const changed = Buffer.from(payload, 'base64url').toString().replace(PLAYER_ID, 'a pirate');
  const forged = `${header}.${Buffer.from(changed).toString('base64url')}.${signature}`;
  const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
  const server_key = await server.makeKey(game_id, 'production', 'server');

  const invalid = { status: 401, error: 'Invalid player token' } as const;
  const foreign = { status: 401, error: 'This player token belongs to another game' } as const;
  refused = {
    'an expired player token': {
      options: withToken(key, await tokenOf(game, PLAYER_ID, 3_700_000)),
      status: 401,
      error: 'Player token expired',
    },
    'a forged player token': { options: withToken(key, forged), ...invalid },
    'an unsigned player token': {
      options: withToken(key, `${unsigned}.${payload}.`),
      ...invalid,
    },
    'a dashboard token as player token': {
      options: withToken(key, game.owner.token),
      ...invalid,
    },
    'a player token of 8 KB': { options: withToken(key, 'x'.repeat(8_192)), ...invalid },
    'a player token of another game': { options: withToken(key, others), ...foreign },
    'a player token of the other environment': {
      options: withToken(development_key, own),
      ...foreign,
    },
    'a server key from a page': {
      options: { key: server_key, headers: { origin: 'https://game.example' } },
      status: 403,
      error:
        'A server key must never be in a page, because everybody can read it there: revoke this key, and use a client key in the game',
    },
  };
  const pirate = await tokenOf(game, 'a pirate');
  contradicting = {
    'a client key': { options: withToken(key, pirate), ...OF_ANOTHER_PLAYER },
    'a server key': { options: withToken(server_key, pirate), ...OF_ANOTHER_PLAYER },
  };
  strangers = {
    'a client key without token': { options: { key }, ...TOKEN_MISSING },
  };
});
after(() => server.close());

const call = (operation: Operation, options: RequestOptions, of = game) =>
  callAbout(server, of, PLAYER_ID, operation, options);

async function assertRefused(operation: Operation, who: string, bad: BadCaller): Promise<void> {
  const { status, body, text } = await call(operation, bad.options);
  const shown = `${operation.id} for ${who}: ${status} ${text}`;
  assert.deepEqual([status, body?.error], [bad.status, bad.error], shown);
  assert.ok(!text.includes(MARKER), shown);
}

suite('nobody but the player, the studio and the dashboard reaches data of a player', () => {
  let rows: string[];
  before(async () => {
    rows = await readGameRows(server.database, game.game_id);
    assert.ok(rows.some((row) => row.includes(MARKER)));
  });
  after(async () => {
    assert.deepEqual(await readGameRows(server.database, game.game_id), rows);
  });

  test('the contract has at least twelve operations that name a player and are closed to strangers', () => {
    assert.ok(CLOSED.length >= 12, CLOSED.map(({ id }) => id).join());
  });

  for (const operation of sweep(FOR_GAMES)) {
    test(`${operation.id} refuses bad player tokens, and server keys from pages`, async () => {
      for (const [who, bad] of Object.entries(refused)) await assertRefused(operation, who, bad);
    });
  }

  for (const operation of sweep(OF_ONE_PLAYER)) {
    test(`${operation.id} refuses a player token that contradicts the call, under each key`, async () => {
      for (const [who, bad] of Object.entries(contradicting)) {
        if (takesServerKey(operation) && who === 'a client key') continue;
        await assertRefused(operation, who, bad);
      }
    });
  }

  for (const operation of sweep(CLOSED)) {
    test(`${operation.id} refuses everybody who is not the player`, async () => {
      for (const [who, bad] of Object.entries(strangers)) await assertRefused(operation, who, bad);
    });
  }
});

suite('the player, and the studio by server key, are admitted', () => {
  for (const operation of sweep(CLOSED)) {
    test(operation.id, async () => {
      const own = await makeFullGame(server, { marker: MARKER, player_id: PLAYER_ID });
      await setVerification(server, own, { verification: 'required' });
      const { production_key: key, game_id } = own;
      const admitted = {
        'the own token': withToken(key, await tokenOf(own)),
        'a server key': { key: await server.makeKey(game_id, 'production', 'server') },
      };
      for (const [who, options] of Object.entries(admitted)) {
        const { status, text } = await call(operation, options, own);
        const shown = `${operation.id} for ${who}: ${status} ${text}`;
        assert.ok(status !== 401 && status !== 403 && status < 500, shown);
      }
    });
  }
});

suite('the operations that need a new login', () => {
  for (const operation of OF_NEW_LOGINS) {
    test(`${operation.id} refuses strangers under every setting, and tokens of old logins`, async () => {
      const own = await makeFullGame(server, { marker: MARKER, player_id: PLAYER_ID });
      const { production_key: key, game_id } = own;
      for (const verification of ['off', 'claimed', 'required'] as const) {
        await setVerification(server, own, { verification });
        const stranger = await call(operation, { key }, own);
        assert.deepEqual(
          [stranger.status, stranger.body?.error],
          [TOKEN_MISSING.status, TOKEN_MISSING.error],
        );
      }
      const ended = await call(operation, withToken(key, await tokenOf(own)), own);
      assert.equal(ended.status, 401, ended.text);
      const server_key = await server.makeKey(game_id, 'production', 'server');
      assert.equal((await call(operation, { key: server_key }, own)).status < 300, true);
    });
  }
});

suite('with the setting `claimed`, a token is required once the player has logged in', () => {
  let claimed: FullGame;
  before(async () => {
    claimed = await makeFullGame(server, { marker: MARKER, player_id: PLAYER_ID });
    await setVerification(server, claimed, { verification: 'claimed' });
  });

  const logInAs = (player_id: string) =>
    server.database.execute(sql`
      INSERT INTO player_identities (game_id, environment, provider, subject, player_id)
      VALUES (${claimed.game_id}, 'production', 'device', 'device', ${player_id})`);
  const logOut = () =>
    server.database.execute(sql`DELETE FROM player_identities WHERE game_id = ${claimed.game_id}`);
  const mergeInto = async (player_id: string) => {
    const options = { key: claimed.server_key };
    const known = { ...options, body: { player_id, properties: {} } };
    assert.equal((await server.request('POST', '/v1/identify', known)).status, 200);
    const path = `/v1/players/${player_id}/merge`;
    const body = { from_player_id: PLAYER_ID };
    const { status, text } = await server.request('POST', path, { ...options, body });
    assert.equal(status, 200, text);
  };

  const states: Record<string, { prepare: () => Promise<unknown>; is_claimed: boolean }> = {
    'has not logged in': { prepare: logOut, is_claimed: false },
    'has logged in': { prepare: () => logInAs(PLAYER_ID), is_claimed: true },
    'was merged into a player who has logged in': {
      async prepare() {
        await logOut();
        await mergeInto('ann');
        await logInAs('ann');
      },
      is_claimed: true,
    },
  };
  for (const [state, { prepare, is_claimed }] of Object.entries(states)) {
    suite(`the player ${state}`, () => {
      before(prepare);
      for (const operation of sweep(CLOSED)) {
        test(operation.id, async () => {
          const options = { key: claimed.production_key };
          const { status, body, text } = await call(operation, options, claimed);
          const error = 'This player has logged in: send x-player-token';
          if (is_claimed) assert.deepEqual([status, body?.error], [401, error], text);
          else assert.ok(status !== 401 && status !== 403 && status < 500, `${status} ${text}`);
        });
      }
    });
  }
});
