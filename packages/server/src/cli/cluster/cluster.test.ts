import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../test/harness.ts';
import { waitForIngest } from '../../../test/inbox.ts';
import { callCli } from '../../../test/run-cli.ts';
import { sql } from '../../platform/database/sql.ts';

const isCluster = Boolean(process.env.OVERWORLD_TEST_WORKER_URLS);
/** They are spread over two workers. */
const GROUPS = Number(process.env.TEST_GROUPS);

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const run = (...words: string[]) =>
  callCli(['cluster', ...words], { DATABASE_URL: server.database_url });

async function assertRefused(words: string[], reason: RegExp): Promise<void> {
  const { code, stderr } = await run(...words);
  assert.match(stderr, reason);
  assert.equal(code, 1, words.join(' '));
}

test('for an unknown action or wrong arguments, the command prints the usage', async () => {
  for (const words of [['destroy'], ['constructor'], ['status', 'twice'], ['rebalance', 'now']]) {
    await assertRefused(words, /^Usage: overworld cluster /);
  }
  await assertRefused(['add-node'], /^Usage: overworld cluster add-node <host:port>$/m);
  for (const words of [
    ['move', '1'],
    ['move', '--to', 'a:1'],
    ['move', '1', '--to', 'a:1', '--plan'],
  ]) {
    await assertRefused(words, /^Usage: overworld cluster move <group> --to <host:port>$/m);
  }
});

test(
  'without a cluster, every action is refused because there are no nodes',
  { skip: isCluster },
  async () => {
    for (const words of [
      [],
      ['add-node', '127.0.0.1:5432'],
      ['remove-node', '127.0.0.1:5432'],
      ['move', '0', '--to', '127.0.0.1:5432'],
      ['rebalance'],
    ]) {
      await assertRefused(
        words,
        /^This installation is on one PostgreSQL, .* no nodes to show or change\.$/m,
      );
    }
  },
);

describe('on a cluster', { skip: !isCluster }, () => {
  let game: TestGame;
  let group: number;
  before(async () => {
    game = await server.makeGame();
    const row = await server.database.queryOne<{ tenant_group: number }>(
      sql`SELECT tenant_group FROM games WHERE id = ${game.game_id}`,
    );
    group = row!.tenant_group;
  });

  /** Reads the nodes from the first table of the status, and the node of each group from the second. */
  const readStatus = async () => {
    const { code, stdout, stderr } = await run();
    assert.equal(code, 0, stderr);
    const [nodes, groups] = stdout.split('\n\n').map((table) =>
      table
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(/ {2,}/).map((cell) => cell.trim())),
    );
    return { nodes: nodes!, groups: groups!.map((cells) => cells.filter(Boolean)) };
  };
  const findOther = async () => {
    const { nodes, groups } = await readStatus();
    const now = groups[group]![1];
    return nodes.find(([address, role]) => role === 'worker' && address !== now)![0]!;
  };

  test('the status lists nodes with their groups, and groups with their games', async () => {
    const { nodes, groups } = await readStatus();
    assert.deepEqual(
      nodes.map(([, role, count, , , state]) => [role, count, state]),
      [
        ['coordinator', '0', 'takes no groups'],
        ['worker', String(GROUPS / 2), 'takes groups'],
        ['worker', String(GROUPS / 2), 'takes groups'],
      ],
    );
    assert.deepEqual(
      groups.map(([number, , games]) => [number, games]),
      Array.from({ length: GROUPS }, (_, number) => [String(number), number === group ? '1' : '0']),
    );
  });

  test('an action that names an unknown group or node is refused with that name, and changes nothing', async () => {
    const first = await readStatus();
    const [coordinator, worker] = first.nodes.map(([address]) => address!);
    for (const wrong of [String(GROUPS), '-1', '1e1', 'x', '']) {
      await assertRefused(
        ['move', '--to', worker!, '--', wrong],
        new RegExp(
          `^There is no group ${wrong}: this installation has the groups 0 to ${GROUPS - 1}\\.$`,
          'm',
        ),
      );
    }
    for (const wrong of ['worker', 'worker:0', 'worker:65536', 'a b:5432', ':5432', "x';:1"]) {
      const reason =
        /is not the address of a node: write its host and port, such as 10\.0\.0\.2:5432/;
      await assertRefused(['move', '0', '--to', wrong], reason);
      await assertRefused(['add-node', wrong], reason);
      await assertRefused(['remove-node', wrong], reason);
    }
    await assertRefused(
      ['move', '0', '--to', '127.0.0.1:1'],
      /127\.0\.0\.1:1 is not a node of this cluster, which has 127/,
    );
    await assertRefused(['move', '0', '--to', coordinator!], /takes no groups/);
    await assertRefused(
      ['remove-node', coordinator!],
      /is the coordinator, which cannot be removed/,
    );
    await assertRefused(['add-node', '127.0.0.1:1'], /^The cluster refuses: .*127\.0\.0\.1:1/m);
    assert.deepEqual(
      (await readStatus()).nodes.map(([address]) => address),
      first.nodes.map(([address]) => address),
    );
  });

  test('a move is refused while a node commits asynchronously, because the newest writes would be lost', async () => {
    const other = await findOther();
    const onWorkers = (change: string) =>
      server.database.query(sql`
        SELECT run_command_on_workers(format('ALTER DATABASE %I ' || ${change}, current_database()))`);
    await onWorkers('SET synchronous_commit = off');
    try {
      await assertRefused(
        ['move', String(group), '--to', other],
        /On the node \S+ synchronous_commit is off, and a move would lose the newest writes/,
      );
    } finally {
      await onWorkers('RESET synchronous_commit');
    }
  });

  test('a group moves while its game sends events, and no event is lost or stored twice', async () => {
    const other = await findOther();
    let accepted = 0;
    const playing = { goes_on: true };
    const track = async () => {
      while (playing.goes_on) {
        const { status, body } = await server.request('POST', '/v1/track', {
          key: game.production_key,
          body: { event_name: 'e', session_id: 's' },
        });
        assert.ok(status < 300, JSON.stringify(body));
        accepted += 1;
      }
    };
    const players = [track(), track()];
    const { code, stderr } = await run('move', String(group), '--to', other);
    playing.goes_on = false;
    await Promise.all(players);
    assert.equal(code, 0, stderr);
    assert.match(stderr, new RegExp(`Group ${group} is on ${other} now, after [\\d.]+ s\\.`));
    const { groups } = await readStatus();
    assert.equal(groups[group]![1], other);
    await waitForIngest(server.database, game.game_id);
    const counted = await server.database.queryOne(sql`
      SELECT used, (SELECT count(*) FROM events WHERE game_id = ${game.game_id}) AS events
      FROM event_usage WHERE game_id = ${game.game_id}`);
    assert.deepEqual(counted, { used: accepted, events: accepted });
    const again = await run('move', String(group), '--to', other);
    assert.match(again.stdout, /is on .* already/);
  });
});
