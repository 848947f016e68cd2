import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { SignJWT } from 'jose/jwt/sign';
import { shareOfNewPlayers } from '@overworld/contract/limits';
import { HALVES, makeStudio } from '../../src/features/experiments/test/studio.ts';
import { makeDevice } from '../../src/features/player-logins/test/login-game.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import type { TestAnswer } from '../test-request.ts';
import { inParallel } from './limited-game.ts';
import { waitUntil } from '../wait-until.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ env: { TRUST_PROXY: 'true', RATE_LIMIT_PER_MINUTE: '100000' } });
});
after(() => server.close());

const SHARE = shareOfNewPlayers(0);
let networks = 0;

/** Makes a game whose players take part in an experiment, and a network that has nearly used up its share. */
async function makeGame() {
  const studio = await makeStudio(server);
  const { game_id, production_key, token } = studio;
  await server.request('POST', `/v1/games/${game_id}/achievements`, {
    token,
    body: { key: 'first', name: 'First' },
  });
  const busy = `192.0.2.${++networks}`;
  await server.database.execute(sql`
    INSERT INTO attempt_counts VALUES ('new_player', ${`${game_id} ${busy}`}, now(), ${SHARE - 3})`);
  const send = (
    method: string,
    path: string,
    body: object | undefined,
    { ip = busy, key = production_key, game_token = '' } = {},
  ) =>
    server.request(method, path, {
      key,
      body,
      headers: {
        'x-forwarded-for': ip,
        ...(game_token === '' ? {} : { 'x-player-token': game_token }),
      },
    });
  const identify = (player_id: string, from: Parameters<typeof send>[3] = {}) =>
    send('POST', '/v1/identify', { player_id, properties: {} }, from);
  return { ...studio, busy, send, identify };
}

type Game = Awaited<ReturnType<typeof makeGame>>;

async function useUpShare({ identify }: Game): Promise<TestAnswer> {
  for (const name of ['known', 'known 2', 'known 3']) {
    assert.equal((await identify(name)).status, 200);
  }
  let answers: TestAnswer[] = [];
  await waitUntil('all workers refuse new players', async () => {
    answers = await inParallel(8, () => identify(`new ${randomUUID()}`));
    return answers.every(({ status }) => status === 429);
  });
  return answers[0]!;
}

const writesOf = ({ send }: Game, player_id: string) => [
  () => send('POST', '/v1/identify', { player_id, properties: {} }),
  () => send('POST', `/v1/players/${player_id}/tags`, { tag: 't' }),
  () => send('PUT', '/v1/saves', { player_id, data: {} }),
  () => send('POST', '/v1/leaderboards', { player_id, board_name: 'b', score: 1 }),
  () => send('POST', '/v1/achievements/unlock', { player_id, achievement_key: 'first' }),
];

test('a network that has made its share of the new players of a game makes no more by any call', async () => {
  const game = await makeGame();
  const { game_id, send, identify } = game;
  await game.start(HALVES);
  const { body, headers } = await useUpShare(game);
  const { message, ...rest } = body;
  assert.deepEqual(rest, { error: 'Too Many Requests', statusCode: 429 });
  assert.match(
    message,
    /^Your network has made 1,000 new players of this game, as many as one network may make in an hour: players who are known can go on, new ones can retry in (60|59) minutes$/,
  );
  const left_s = Number(headers.get('retry-after'));
  assert.ok(left_s > 3_500 && left_s <= 3_600, String(left_s));
  assert.equal(headers.get('x-ratelimit-limit'), '1000');

  for (const write of writesOf(game, 'new')) assert.equal((await write()).status, 429);
  const login = await send('POST', '/v1/players/login', makeDevice());
  assert.equal(login.status, 429);
  // The config of a new player is answered, and makes no player.
  assert.equal((await send('GET', '/v1/config?player_id=new', undefined)).status, 200);
  const events = [{ event_name: 'e', session_id: 's', player_id: 'of events' }];
  assert.equal((await send('POST', '/v1/track', events)).status, 202);
  assert.equal((await identify('of events')).status, 429);
  for (const write of writesOf(game, 'known')) assert.ok((await write()).status < 300);

  const players = await server.database.query<{ player_id: string }>(sql`
    SELECT player_id FROM players WHERE game_id = ${game_id} AND counted_at IS NOT NULL
      AND player_id NOT LIKE 'known%' AND player_id NOT LIKE 'new %'`);
  assert.deepEqual(players, []);
});

test('other networks, other games, and calls with a proof make new players meanwhile', async () => {
  const game = await makeGame();
  const { game_id, identify, send } = game;
  const { token } = await server.makeAccount({ game_id });
  await useUpShare(game);
  assert.equal((await identify('from elsewhere', { ip: '198.51.100.1' })).status, 200);
  const other = await makeGame();
  assert.equal((await other.identify('p', { ip: game.busy })).status, 200);
  const key = await server.makeKey(game_id, 'production', 'server');
  assert.equal((await identify('of the studio', { key })).status, 200);

  const secret = randomBytes(32).toString('base64url');
  const path = `/v1/games/${game_id}/login-providers/custom`;
  await server.request('PUT', path, { token, body: { secret } });
  const login_token = await new SignJWT({ sub: 'user-7', jti: randomUUID() })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('10m')
    .sign(new TextEncoder().encode(secret));
  const login = await send('POST', '/v1/players/login', { provider: 'custom', token: login_token });
  assert.equal(login.status, 201);
  const { player_id, player_token } = login.body;
  assert.equal((await identify(player_id, { game_token: player_token })).status, 200);
});

test('a share counts players and not calls, and a /64 of IPv6 is one network', async () => {
  const game = await makeGame();
  const { game_id, identify } = game;
  const ipOf = (host: number) => `2001:db8::${host.toString(16)}`;
  await inParallel(30, (index) => identify(`p${index % 3}`, { ip: ipOf(index) }));
  const counted = async () => {
    const row = await server.database.queryOne<{ attempts: number }>(sql`
      SELECT attempts FROM attempt_counts
      WHERE action = 'new_player' AND address = ${`${game_id} 2001:db8:0:0::/64`}`);
    return row?.attempts ?? 0;
  };
  await waitUntil('the players are counted', async () => (await counted()) > 0);
  await identify('p0', { ip: ipOf(1) });
  await identify('last', { ip: ipOf(2) });
  await waitUntil('the last player is counted', async () => (await counted()) > 3);
  assert.equal(await counted(), 4);
});
