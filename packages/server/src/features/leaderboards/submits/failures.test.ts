import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { cloneDatabase, startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { makeGate } from '../../../../test/gate.ts';
import type { Gate } from '../../../../test/gate.ts';
import { IS_SPREAD } from '../../../../test/test-database.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeBoardClient } from '../test/board-client.ts';
import type { BoardClient } from '../test/board-client.ts';

/** Connects by TCP, or, if the host is a folder, by the Unix socket in that folder. */
function connectTo({ hostname, port }: URL): Socket {
  const host = decodeURIComponent(hostname);
  const number = port || '5432';
  return host.startsWith('/')
    ? connect(`${host}/.s.PGSQL.${number}`)
    : connect(Number(number), host);
}

/** A proxy for connections to PostgreSQL. It can drop the answers of PostgreSQL, and cut the connections. */
class Wire {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  drops_answers = false;
  /** When set, a connection that has sent a statement with this text gets no more answers. */
  drops_after: string | null = null;

  constructor(target: URL) {
    this.#server = createServer((inner) => {
      const outer = connectTo(target);
      let drops = false;
      for (const socket of [inner, outer]) {
        this.#sockets.add(socket);
        socket.on('close', () => this.#sockets.delete(socket));
        socket.on('error', () => undefined);
      }
      inner.on('data', (data) => {
        drops ||= this.drops_after !== null && data.includes(this.drops_after);
        outer.write(data);
      });
      outer.on('data', (data) => drops || this.drops_answers || inner.write(data));
      inner.on('close', () => outer.destroy());
      outer.on('close', () => inner.destroy());
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}

describe('when the connection is lost while submits are stored', () => {
  let drop: () => Promise<void>;
  let wire: Wire;
  let gate: Gate;
  let server: TestServer;
  /** A server that connects to PostgreSQL directly. */
  let secondNode: TestServer;
  let client: BoardClient;

  before(async () => {
    const cloned = await cloneDatabase();
    ({ drop } = cloned);
    const url = new URL(cloned.url);
    wire = new Wire(new URL(cloned.url));
    url.host = `127.0.0.1:${await wire.listen()}`;
    server = await startTestServer({ database_url: url.href });
    secondNode = await startTestServer({ database_url: cloned.url });
    gate = await makeGate(secondNode.database, sql`leaderboard_entries`);
  });
  after(async () => {
    await secondNode.close();
    await server.close();
    wire.close();
    await drop();
  });
  beforeEach(async () => {
    client = await makeBoardClient(secondNode);
    for (const [player_id, score] of Object.entries({ a: 1, b: 2, c: 3 })) {
      await client.submit({ board_name: 'b', player_id, score }, server);
    }
  });

  const assertAgreed = async (expected: string[]) => {
    for (const node of [server, secondNode]) {
      assert.deepEqual(await client.standings('b', '', node), expected);
    }
  };

  test('if it is lost before the commit, the submits are answered 503 and have changed nothing', async () => {
    const { first, later } = await gate.close(async () => {
      const sent = ['a', 'd'].map((player_id) =>
        client.submit({ board_name: 'b', player_id, score: 10 }, server),
      );
      await gate.waitForChange();
      await gate.terminate();
      return { first: await sent[0]!, later: sent[1]! };
    });
    assert.equal(first.status, 503);
    assert.equal(first.headers.get('retry-after'), '1');
    // The other submit may have been in the same batch or in the next one.
    const second = await later;
    const standings = ['c 3', 'b 2', 'a 1'];
    await assertAgreed(second.status === 201 ? ['d 10', ...standings] : standings);
    const again = await client.submit({ board_name: 'b', player_id: 'a', score: 10 }, server);
    assert.equal(again.status, 200);
    assert.equal(again.body.updated, true);
    assert.equal(again.body.rank, second.status === 201 ? 2 : 1);
  });

  test('if it is lost after the commit, the submits are answered 503, but are stored', async () => {
    const { database } = secondNode;
    const sent = await gate.close(async () => {
      const answer = client.submit({ board_name: 'b', player_id: 'a', score: 10 }, server);
      await gate.waitForChange();
      // On a cluster, a transaction stores the submits, and COMMIT is a separate statement.
      if (IS_SPREAD) wire.drops_after = 'COMMIT';
      else wire.drops_answers = true;
      return { answer };
    });
    const stored = sql`
      SELECT FROM leaderboard_entries
      WHERE game_id = ${client.game.game_id} AND player_id = 'a' AND score = 10`;
    await waitUntil('it is committed', async () => (await database.execute(stored)) > 0);
    wire.cut();
    wire.drops_answers = false;
    wire.drops_after = null;
    assert.equal((await sent.answer).status, 503);
    await assertAgreed(['a 10', 'c 3', 'b 2']);
    const again = await client.submit({ board_name: 'b', player_id: 'a', score: 10 }, server);
    assert.deepEqual([again.status, again.body.updated, again.body.rank], [200, false, 1]);
    const raised = await client.submit({ board_name: 'b', player_id: 'b', score: 11 }, server);
    assert.equal(raised.body.rank, 1);
    await assertAgreed(['b 11', 'a 10', 'c 3']);
  });
});

test('a submit to an unknown board answers 401 when the game of the key is gone', async () => {
  await using server = await startTestServer();
  const client = await makeBoardClient(server);
  await client.submit({ board_name: 'b', player_id: 'p', score: 1 });
  await server.database.execute(sql`DELETE FROM games WHERE id = ${client.game.game_id}`);
  const { status, body } = await client.submit({ board_name: 'new', player_id: 'p', score: 1 });
  assert.deepEqual([status, body], [401, { error: 'Invalid API key' }]);
});
