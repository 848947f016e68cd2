import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { IS_SPREAD } from '../../../../test/test-database.ts';
import { allowTriggers, hasCitus } from './citus.ts';
import { schemaOf } from '../group-directory.ts';
import { applyMigration } from '../migrate.ts';
import { sql } from '../sql.ts';

let server: TestServer;

before(async () => {
  server = await startTestServer();
});
after(() => server.close());

test('a database is recognized as a cluster only if it has Citus', async () => {
  const client = await server.database.connect();
  assert.equal(await hasCitus(client), IS_SPREAD);
  client.release();
});

describe('on a cluster', { skip: !IS_SPREAD && 'runs in npm run test:cluster' }, () => {
  /** Lists for each table the ports of the nodes that have it. */
  async function listNodes(schema: string): Promise<Map<string, number[]>> {
    const rows = await server.database.query<{ name: string; ports: number[] }>(sql`
      SELECT relname::text AS name, array_agg(DISTINCT nodeport::integer) AS ports
      FROM citus_shards JOIN pg_class ON pg_class.oid = table_name
      WHERE relnamespace = ${schema}::text::regnamespace
      GROUP BY relname`);
    return new Map(rows.map(({ name, ports }) => [name, ports]));
  }

  test('all nodes have the table of games', async () => {
    const nodes = await listNodes('public');
    assert.equal(nodes.get('games')?.length, 3);
  });

  test('all tables of a group are on one worker, and both workers have groups', async () => {
    const workers = new Set<number>();
    for (let group = 0; group < server.database.groups.length; group++) {
      const nodes = await listNodes(schemaOf(group));
      assert.ok(nodes.has('players') && nodes.has('game_storage'));
      const ports = new Set([...nodes.values()].flat());
      assert.equal(ports.size, 1, schemaOf(group));
      workers.add([...ports][0]!);
    }
    assert.equal(workers.size, 2);
  });

  test('tables of accounts stay on the coordinator', async () => {
    const nodes = await listNodes('public');
    const [coordinator] = nodes.get('accounts') ?? [];
    assert.equal(coordinator, Number(new URL(server.database_url).port));
  });

  test('a trigger function that a migration replaces still finds the tables of its group', async () => {
    const { game_id } = await server.makeGame();
    const text = `
      CREATE OR REPLACE FUNCTION count_added_players() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM FROM storage_changes;
        RETURN NULL;
      END $$`;
    const client = await server.database.connect();
    try {
      await allowTriggers(client);
      const migration = { name: '9999_count_players.group.sql', text };
      await applyMigration(client, migration, server.database.groups.length);
    } finally {
      client.release(true);
    }
    const added = await server.database.ofGame(game_id).execute(sql`
      INSERT INTO players (game_id, environment, player_id) VALUES (${game_id}, 'production', 'p')`);
    assert.equal(added, 1);
  });
});
