import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import { waitUntil } from '../../../../test/wait-until.ts';

const MINUTE = 60_000;

const play = async (server: TestServer, { production_key: key }: TestGame) =>
  (await server.request('GET', '/v1/config', { key })).body.config;

async function makeStudio(server: TestServer, value = 0) {
  const game = await server.makeGame();
  const { token } = await server.makeAccount({ game_id: game.game_id });
  const path = `/v1/games/${game.game_id}/config`;
  const parameters = { gold: { value } };
  await server.request('PUT', path, { token, body: { parameters } });
  const plan = async (from: number, to: number | null, sent: unknown) => {
    const body = {
      name: 'Weekend',
      starts_at: new Date(from).toISOString(),
      ends_at: to && new Date(to).toISOString(),
      parameters: { gold: { value: sent } },
    };
    const answer = await server.request('POST', `${path}/schedules`, { token, body });
    assert.equal(answer.status, 201);
    return answer.body.id as string;
  };
  const show = async (id: string) =>
    (await server.request('GET', `${path}/schedules/${id}`, { token })).body;
  return { ...game, token, path, plan, show };
}

test('a scheduled change begins and ends on time on every server, and needs no request to end', async () => {
  let now = Date.now();
  const clock = () => new Date(now);
  await using first = await startTestServer({ clock });
  await using second = await startTestServer({ clock, database_url: first.database_url });
  const studio = await makeStudio(first);
  const id = await studio.plan(now + MINUTE, now + 2 * MINUTE, 1);
  await waitUntil('the second server knows the config', async () => {
    return (await play(second, studio)).gold === 0;
  });
  now += MINUTE;
  assert.deepEqual(await play(second, studio), { gold: 1 });
  assert.deepEqual(await play(first, studio), { gold: 1 });
  now += MINUTE;
  await waitUntil('a server ends it by itself', async () => {
    return (await studio.show(id)).state === 'done';
  });
  const both = await Promise.all([play(first, studio), play(second, studio)]);
  assert.deepEqual(both, [{ gold: 0 }, { gold: 0 }]);
});

test('many requests at the start of a change all get the new value, and make only one version', async () => {
  let now = Date.now();
  const clock = () => new Date(now);
  await using first = await startTestServer({ clock });
  await using second = await startTestServer({ clock, database_url: first.database_url });
  const studio = await makeStudio(first);
  await studio.plan(now + MINUTE, null, 1);
  await Promise.all([play(first, studio), play(second, studio)]);
  now += MINUTE;
  const servers = [first, second];
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => play(servers[n % 2]!, studio)),
  );
  assert.ok(answers.every(({ gold }) => gold === 1));
  const { body } = await first.request('GET', studio.path, { token: studio.token });
  assert.equal(body.version, 2);
});

test('a change due while all servers are down begins late, or is missed if its end has passed', async () => {
  const begun = Date.now();
  let now = begun;
  const clock = () => new Date(now);
  // This server keeps the database up while the others are down. Its clock stands still, so for this server
  // no change is ever due.
  await using keeper = await startTestServer({ clock: () => new Date(begun) });
  const on = { clock, database_url: keeper.database_url };
  const studio = await makeStudio(keeper);
  const ends = await studio.plan(now + MINUTE, now + 6 * MINUTE, 1);
  const missed = await studio.plan(now + 10 * MINUTE, now + 11 * MINUTE, 2);
  const running = await studio.plan(now + 15 * MINUTE, now + 60 * MINUTE, 3);
  {
    await using stopped = await startTestServer(on);
    now += MINUTE;
    assert.deepEqual(await play(stopped, studio), { gold: 1 });
  }
  now += 20 * MINUTE;
  await using again = await startTestServer(on);
  assert.deepEqual(await play(again, studio), { gold: 3 });
  const states = [ends, missed, running].map(async (id) => (await studio.show(id)).state);
  assert.deepEqual(await Promise.all(states), ['done', 'missed', 'running']);
  now += 50 * MINUTE;
  assert.deepEqual(await play(again, studio), { gold: 0 });
});

test('a PUT at the moment when a change begins must name the version that the change has made', async () => {
  let now = Date.now();
  await using server = await startTestServer({ clock: () => new Date(now) });
  const studio = await makeStudio(server);
  const id = await studio.plan(now + MINUTE, now + 2 * MINUTE, 1);
  now += MINUTE;
  const put = (version: number) =>
    server.request('PUT', studio.path, {
      token: studio.token,
      body: { version, parameters: { gold: { value: 9 } } },
    });
  const stale = await put(1);
  assert.equal(stale.status, 409);
  assert.equal(stale.body.server_version, 2);
  assert.equal((await put(2)).body.version, 3);
  now += MINUTE;
  assert.deepEqual(await play(server, studio), { gold: 9 });
  assert.deepEqual((await studio.show(id)).kept_keys, ['gold']);
});
