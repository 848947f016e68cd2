import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { callCli } from '../../../../test/run-cli.ts';
import { readNodes } from './nodes.ts';
import { sql } from '../sql.ts';

const [worker_url] = process.env.OVERWORLD_TEST_WORKER_URLS?.split(',') ?? [];

describe('on a cluster', { skip: !worker_url && 'runs in npm run test:cluster' }, () => {
  const servers = [] as TestServer[];
  let database: TestServer['database'];

  before(async () => {
    servers.push(await startTestServer());
    servers.push(await startTestServer({ database_url: servers[0]!.database_url }));
    ({ database } = servers[0]!);
  });
  after(async () => {
    for (const server of servers.toReversed()) await server.close();
  });

  test('all nodes answer, and each group is on exactly one node', async () => {
    const nodes = await readNodes(database);
    assert.equal(nodes.length, 3);
    assert.ok(nodes.every(({ is_reachable, bytes }) => is_reachable && bytes! > 1_000_000));
    const groups = nodes.reduce((sum, node) => sum + node.groups, 0);
    assert.equal(groups, database.groups.length);
  });

  test('a command whose DATABASE_URL is a worker fails and names the coordinator', async () => {
    const { hostname, port, pathname } = new URL(servers[0]!.database_url);
    const url = new URL(pathname, worker_url);
    const { code, stderr } = await callCli(['migrate'], { DATABASE_URL: url.href });
    assert.equal(code, 1);
    assert.equal(
      stderr.split('\n').at(-2),
      `The database at ${url.host}${pathname} is a worker of a Citus cluster: name its coordinator, ${hostname}:${port}, in DATABASE_URL.`,
    );
  });

  test('a change at one server soon reaches the other server', async () => {
    const [one, two] = servers as [TestServer, TestServer];
    const game = await one.makeGame();
    const { production_key: key } = game;
    const { token } = await one.makeAccount({ game_id: game.game_id });
    const config = `/v1/games/${game.game_id}/config`;
    const setGold = (server: TestServer, value: number) =>
      server.request('PUT', config, { token, body: { parameters: { gold: { value } } } });
    const readGold = async (server: TestServer) =>
      (await server.request('GET', '/v1/config', { key })).body.config.gold;
    assert.equal((await setGold(one, 1)).status, 200);
    assert.deepEqual(await Promise.all([one, two].map(readGold)), [1, 1]);
    assert.equal((await setGold(two, 2)).status, 200);
    await waitUntil('the other server hears of it', async () => (await readGold(one)) === 2);

    const sent = { event_name: 'won', session_id: 's', player_id: 'ada' };
    await one.request('POST', '/v1/track', { key, body: sent });
    await waitUntil('the other server shows the event', async () => {
      const { body } = await two.request('GET', '/v1/players/ada/timeline', { key });
      return body.events?.[0]?.event_name === 'won';
    });
    const stored = await database.queryOne<{ id: number }>(
      sql`SELECT id FROM events WHERE game_id = ${game.game_id}`,
    );
    assert.ok(stored!.id < 2 ** 48, 'ids are those of the coordinator');
  });

  test('a node that does not answer is reported as unreachable, with its number of groups', async () => {
    const [, , gone] = await readNodes(database);
    await database.execute(sql`
      UPDATE pg_dist_node SET nodeport = 1
      WHERE nodename || ':' || nodeport = ${gone!.address}`);
    const nodes = await readNodes(database);
    const down = nodes.filter(({ is_reachable }) => !is_reachable);
    assert.deepEqual(down, [
      { address: '127.0.0.1:1', is_reachable: false, bytes: null, groups: gone!.groups },
    ]);
    const { text } = await servers[0]!.request('GET', '/metrics');
    assert.match(text, /^overworld_node_up\{node="127\.0\.0\.1:1"\} 0$/m);
    assert.match(text, /^overworld_node_up\{node="127\.0\.0\.1:(?!1")\d+"\} 1$/m);
  });
});
