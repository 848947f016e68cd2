import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import type { RequestOptions, TestAnswer } from '../test-request.ts';
import { makePlayerToken } from '../player-token.ts';

const KEY_LIMIT = 200;

let server: TestServer;
before(async () => {
  server = await startTestServer({
    env: { RATE_LIMIT_PER_MINUTE: String(KEY_LIMIT), TRUST_PROXY: 'true' },
  });
});
after(() => server.close());

async function openStudio(shares: Record<string, number>) {
  const game = await server.makeGame();
  const { game_id, production_key: key } = game;
  const { token } = await server.makeAccount({ game_id });
  const set = async (changes: Record<string, number | null>, environment = 'production') => {
    const options = { token, body: changes };
    const path = `/v1/games/${game_id}/shares?environment=${environment}`;
    const answer = await server.request('PATCH', path, options);
    assert.equal(answer.status, 200, answer.text);
  };
  await set(shares);
  return {
    ...game,
    key,
    set,
    tokenOf: async (player_id: string) => ({
      'x-player-token': await makePlayerToken(server, {
        game_id,
        environment: 'production',
        player_id,
      }),
    }),
  };
}

const load = (player_id: string, options: RequestOptions) =>
  server.request('GET', `/v1/saves?player_id=${encodeURIComponent(player_id)}`, options);

const identify = (player_id: string, options: RequestOptions) =>
  server.request('POST', '/v1/identify', { ...options, body: { player_id, properties: {} } });

const track = (events: (string | undefined)[], options: RequestOptions) =>
  server.request('POST', '/v1/track', {
    ...options,
    body: events.map((player_id) => ({ event_name: 'e', session_id: 's', player_id })),
  });

const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

const isRefused = ({ status }: TestAnswer) => status === 429;
const countServed = (answers: TestAnswer[]) => answers.filter((one) => !isRefused(one)).length;

function assertShareUsedUp({ status, body, headers }: TestAnswer, share: number, message: string) {
  assert.equal(status, 429);
  assert.deepEqual(body, { error: 'Too Many Requests', statusCode: 429, message });
  assert.equal(headers.get('x-ratelimit-limit'), String(share));
  assert.equal(headers.get('x-ratelimit-remaining'), '0');
  const reset = headers.get('x-ratelimit-reset');
  assert.ok(Number(reset) > 40 && Number(reset) <= 60, `it resets in ${reset} s`);
  assert.equal(headers.get('retry-after'), reset);
}

const ofPlayer = (share: number, things = 'requests') =>
  `This player has sent more than the limit of ${share} ${things} a minute, retry in 60 seconds`;

test('a player who sends too many requests gets exactly the share of one player, and other players can use the rest of the limit of the key', async () => {
  const { key } = await openStudio({ player_requests_per_minute: 10 });
  const flood = await times(100, () => identify('flood', { key }));
  assert.equal(countServed(flood), 10);
  for (const answer of flood.filter(isRefused)) assertShareUsedUp(answer, 10, ofPlayer(10));
  const others = await times(KEY_LIMIT - 10, (index) => identify(`player ${index}`, { key }));
  assert.equal(countServed(others), KEY_LIMIT - 10);
  const { status, body } = await identify('one more', { key });
  assert.equal(status, 429);
  assert.equal(body.message, 'Rate limit exceeded, retry in 60 seconds');
});

test('a flood of large bodies is slowed down, and large bodies of other players do not wait behind it', async () => {
  const { key } = await openStudio({ player_requests_per_minute: 10 });
  const data = { text: 'x'.repeat(100_000) };
  const save = (player_id: string) =>
    server.request('PUT', '/v1/saves', { key, body: { player_id, data } });
  for (let sent = 0; sent < 20; sent++) await save('flood');
  const began_ms = performance.now();
  const flood = times(20, async () => {
    assertShareUsedUp(await save('flood'), 10, ofPlayer(10));
    return performance.now() - began_ms;
  });
  assert.equal((await save('other')).status, 200);
  const took_ms = await flood;
  for (const ms of took_ms) assert.ok(ms > 350, `refused after ${ms} ms`);
  // Two large bodies proceed at a time: if each kept its turn for the 400 ms, the last would take 4 s.
  assert.ok(Math.max(...took_ms) < 3_000, `refused after ${Math.max(...took_ms)} ms`);
});

test('calls with all keys of an environment count together for a player, wherever a call has the id of the player', async () => {
  const share = { player_requests_per_minute: 10 };
  const { game_id, key, development_key, set } = await openStudio(share);
  await set(share, 'development');
  const second_key = await server.makeKey(game_id, 'production');
  const options = { key };
  const other = { key: second_key };
  const calls = [
    () => identify('ann', options),
    () => load('ann', other),
    () => track(['ann', 'ben'], options),
    () => server.request('GET', '/v1/config?player_id=ann', other),
    () => server.request('GET', '/v1/players/ann', options),
  ];
  for (const call of [...calls, ...calls]) assert.equal(isRefused(await call()), false);
  for (const call of calls) assertShareUsedUp(await call(), 10, ofPlayer(10));
  assert.equal(isRefused(await load('ben', options)), false);
  assert.equal(isRefused(await load('ann', { key: development_key })), false);
});

test('all calls with the token of a player count together, and separately from calls that have only the id of the player', async () => {
  const { key, tokenOf } = await openStudio({ player_requests_per_minute: 10 });
  const headers = await tokenOf('ann');
  const named = await times(20, () => load('ann', { key }));
  assert.equal(countServed(named), 10);
  const calls = [
    () => load('ann', { key, headers }),
    () => server.request('GET', '/v1/leaderboards/b', { key, headers }),
    () => track(['ann'], { key, headers }),
    () => track([undefined], { key, headers }),
    () => server.request('GET', '/v1/achievements', { key, headers }),
  ];
  for (const call of [...calls, ...calls]) assert.equal(isRefused(await call()), false);
  for (const call of calls) assertShareUsedUp(await call(), 10, ofPlayer(10));
});

test('a call that is refused because it lacks the token of the player does not count for the player', async () => {
  const { game_id, key, tokenOf } = await openStudio({ player_requests_per_minute: 10 });
  const { token } = await server.makeAccount({ game_id });
  const body = { verification: 'required' };
  await server.request('PATCH', `/v1/games/${game_id}/player-verification`, { token, body });
  const guesses = await times(20, () => load('ann', { key }));
  assert.ok(guesses.every(({ status }) => status === 401));
  const own = { key, headers: await tokenOf('ann') };
  assert.equal(countServed(await times(20, () => load('ann', own))), 10);
});

test('a network gets exactly its share of the limit of each client key, and the requests of other networks are served', async () => {
  const { game_id, key } = await openStudio({ network_requests_per_minute: 10 });
  const from = (address: string, of = key) => ({
    key: of,
    headers: { 'x-forwarded-for': address },
  });
  const flood = await times(60, (index) => load(`false ${index}`, from('192.0.2.1')));
  assert.equal(countServed(flood), 10);
  const message =
    'With this key, your network has sent more than the limit of 10 requests a minute, retry in 60 seconds';
  for (const answer of flood.filter(isRefused)) assertShareUsedUp(answer, 10, message);
  const board = await server.request('GET', '/v1/leaderboards/b', from('192.0.2.1'));
  assertShareUsedUp(board, 10, message);
  const others = await times(KEY_LIMIT - 10, (index) => load('p', from(`198.51.100.${index}`)));
  assert.equal(countServed(others), KEY_LIMIT - 10);
  const second_key = await server.makeKey(game_id, 'production');
  assert.equal(isRefused(await load('p', from('192.0.2.1', second_key))), false);
  const server_key = await server.makeKey(game_id, 'production', 'server');
  const served = await times(20, () => load('p', from('192.0.2.1', server_key)));
  assert.equal(countServed(served), 20);
});

test('a player gets exactly the share of events, and a batch that exceeds the share is refused as a whole', async () => {
  const { key, game_id } = await openStudio({ player_events_per_minute: 100 });
  const batch = Array.from({ length: 20 }, () => 'flood');
  const answers = await times(12, () => track(batch, { key }));
  assert.equal(countServed(answers), 5);
  for (const answer of answers.filter(isRefused)) {
    assertShareUsedUp(answer, 100, ofPlayer(100, 'events'));
  }
  assertShareUsedUp(await track(['ben', 'flood'], { key }), 100, ofPlayer(100, 'events'));
  assert.equal((await track(['ben', undefined], { key })).body.received, 2);
  assert.equal(isRefused(await load('flood', { key })), false);
  const server_key = await server.makeKey(game_id, 'production', 'server');
  assert.equal((await track(batch, { key: server_key })).body.received, 20);
  const { token } = await server.makeAccount({ game_id });
  const usage = await server.request('GET', `/v1/games/${game_id}/usage`, { token });
  assert.equal(usage.body.used, 5 * 20 + 2 + 20);
});

test('without a share nothing is refused, and after a higher share is set, the player can use what is left of it', async () => {
  const { key, set } = await openStudio({ player_requests_per_minute: 10 });
  assert.equal(countServed(await times(15, () => load('ann', { key }))), 10);
  await set({ player_requests_per_minute: null });
  assert.equal(countServed(await times(15, () => load('ann', { key }))), 15);
  await set({ player_requests_per_minute: 20 });
  assert.equal(countServed(await times(15, () => load('ann', { key }))), 5);
});
