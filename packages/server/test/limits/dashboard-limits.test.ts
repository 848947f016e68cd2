import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { LimitOverrides } from '@overworld/contract/limits';
import { sql } from '../../src/platform/database/sql.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import type { TestAnswer } from '../test-request.ts';
import { assertReached, inParallel, makeLimitedGame, statuses, submit } from './limited-game.ts';
import type { OwnedGame } from './limited-game.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

describe('during simultaneous requests of the dashboard', () => {
  const dashboard = async (
    resource: keyof LimitOverrides,
    send: (game: OwnedGame, index: number) => Promise<TestAnswer>,
    { had = 0 } = {},
  ) => {
    const game = await makeLimitedGame(server, { [resource]: 3 + had });
    const answers = await inParallel(10, (index) => send(game, index));
    const made = answers.filter(({ status }) => status < 300).length;
    assert.equal(made, 3, JSON.stringify(statuses(answers)));
    for (const answer of answers.filter(({ status }) => status >= 300)) {
      assertReached(answer, resource, 3 + had);
    }
    const path = `/v1/games/${game.game_id}/usage`;
    const { body } = await server.request('GET', path, { token: game.token });
    assert.deepEqual(body.limits[resource], { used: 3 + had, limit: 3 + had });
    return game;
  };

  test('a game gets no more leaderboards than allowed, no matter if settings or scores create them', async () => {
    const game = await dashboard('leaderboards', (made, index) =>
      index % 2
        ? submit(server, made, 'p', `b${index}`)
        : server.request('PUT', `/v1/games/${made.game_id}/leaderboards/b${index}`, {
            token: made.token,
            body: {},
          }),
    );
    const list = `/v1/games/${game.game_id}/leaderboards`;
    const { body } = await server.request('GET', list, { token: game.token });
    const board = encodeURIComponent(body.leaderboards[0].board_name as string);
    const options = { token: game.token, body: { order: 'ascending' } };
    assert.equal((await server.request('PUT', `${list}/${board}`, options)).status, 200);
    await server.request('DELETE', `${list}/${board}`, { token: game.token });
    assert.equal((await server.request('PUT', `${list}/anew`, options)).status, 200);
  });

  test('a game gets no more achievements than allowed', async () => {
    const game = await dashboard('achievements', ({ game_id, token }, index) =>
      server.request('POST', `/v1/games/${game_id}/achievements`, {
        token,
        body: { key: `k${index}`, name: 'n' },
      }),
    );
    const path = `/v1/games/${game.game_id}/achievements`;
    const { body } = await server.request('GET', path, { token: game.token });
    const taken = { key: body.achievements[0].key as string, name: 'n' };
    const answer = await server.request('POST', path, { token: game.token, body: taken });
    assert.equal(answer.status, 409);
  });

  test('a game gets no more event schemas than allowed, and existing schemas can be changed', async () => {
    const put = ({ game_id, token }: { game_id: string; token: string }, name: string) =>
      server.request('PUT', `/v1/games/${game_id}/event-schemas/${name}`, {
        token,
        body: { schema: { properties: {} } },
      });
    const game = await dashboard('event_schemas', (made, index) => put(made, `e${index}`));
    const path = `/v1/games/${game.game_id}/event-schemas`;
    const { body } = await server.request('GET', path, { token: game.token });
    const [first] = body.event_schemas;
    assert.equal((await put(game, first.event_name as string)).status, 200);
  });

  test('a game gets no more members than allowed', async () => {
    const game = await makeLimitedGame(server, { members: 3 });
    const guests = await inParallel(5, () => server.makeAccount());
    const tokens = guests.map((guest) => `token of ${guest.email}`);
    for (const [index, { email }] of guests.entries()) {
      await server.database.execute(sql`
        INSERT INTO invitations (game_id, email, role, token_hash, expires_at)
        VALUES (${game.game_id}, ${email}, 'viewer',
                encode(sha256(${tokens[index]}::text::bytea), 'hex'), now() + interval '1 day')`);
    }
    const answers = await inParallel(5, (index) =>
      server.request('POST', `/v1/invitations/${encodeURIComponent(tokens[index]!)}/accept`, {
        token: guests[index]!.token,
      }),
    );
    assert.deepEqual(statuses(answers), { 200: 2, 403: 3 });
    assertReached(
      answers.find(({ status }) => status === 403)!,
      'members',
      3,
    );
  });

  test('an account on the Free tier gets no more games than allowed, but an administrator does', async () => {
    const account = await server.makeAccount();
    const { account_id } = account;
    const administrator = await server.makeAccount({ is_administrator: true });
    const create = ({ token }: { token: string }) =>
      server.request('POST', '/v1/games', { token, body: { name: 'Game' } });
    const setLimit = (free_games: number | null) =>
      server.request('PUT', `/v1/admin/users/${account_id}/limits`, {
        token: administrator.token,
        body: { free_games },
      });
    assert.equal((await setLimit(3)).body.max_free_games, 3);
    const answers = await inParallel(10, () => create(account));
    assert.deepEqual(statuses(answers), { 201: 3, 403: 7 });
    assertReached(
      answers.find(({ status }) => status === 403)!,
      'free_games',
      3,
    );
    const made = answers.find(({ status }) => status === 201)!.body.id as string;
    const tier = { token: administrator.token, body: { tier: 'indie' } };
    await server.request('PATCH', `/v1/admin/games/${made}`, tier);
    assert.equal((await create(account)).status, 201);
    assert.equal((await create(account)).status, 403);
    assert.equal((await setLimit(null)).body.max_free_games, null);
    const more = await inParallel(10, () => create(account));
    assert.deepEqual(statuses(more), { 201: 7, 403: 3 });
    const unlimited = await inParallel(12, () => create(administrator));
    assert.deepEqual(statuses(unlimited), { 201: 12 });
  });
});
