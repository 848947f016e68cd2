import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { shareOfNewBoards } from '@overworld/contract/limits';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { assertReached, inParallel, makeLimitedGame, setLimits, statuses } from './limited-game.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ env: { TRUST_PROXY: 'true' } });
});
after(() => server.close());

test('a network that has made its share of the boards of a game makes no more, and others do', async () => {
  const game = await makeLimitedGame(server, { leaderboards: 200 });
  const { game_id, production_key, token } = game;
  const submit = (board_name: string, ip = '192.0.2.1', key = production_key) =>
    server.request('POST', '/v1/leaderboards', {
      key,
      body: { board_name, player_id: 'p', score: 1 },
      headers: { 'x-forwarded-for': ip },
    });
  const share = shareOfNewBoards(200);
  const answers = await inParallel(share + 10, (index) => submit(`board ${index}`));
  assert.deepEqual(statuses(answers), { 201: share, 429: 10 });

  const { status, body, headers } = await submit('another');
  assert.equal(status, 429);
  assert.match(
    body.message,
    /^Your network has made 50 new leaderboards of this game, as many as one network may make in an hour: make this one in the dashboard or with a server key, or retry in (60|59) minutes$/,
  );
  assert.ok(Number(headers.get('retry-after')) > 3_500);

  const known = answers.findIndex((answer) => answer.status === 201);
  assert.equal((await submit(`board ${known}`)).status, 200);
  assert.equal((await submit('of another network', '198.51.100.1')).status, 201);
  const server_key = await server.makeKey(game_id, 'production', 'server');
  assert.equal((await submit('of the studio', '192.0.2.1', server_key)).status, 201);
  const path = `/v1/games/${game_id}/leaderboards/of staff`;
  assert.equal((await server.request('PUT', path, { token, body: {} })).status, 200);
  assert.equal((await submit('of staff')).status, 201);

  await setLimits(server, game_id, { leaderboards: share });
  assertReached(await submit('last', '198.51.100.1'), 'leaderboards', share, share + 3);
});
