import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cloneDatabase } from '../../../test/harness.ts';
import { IS_SPREAD, openTestDatabase } from '../../../test/test-database.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import type { Queryable } from './database.ts';
import type { GroupedDatabase } from './game-groups.ts';
import { sql } from './sql.ts';

let url: string;
let drop: () => Promise<void>;
let database: GroupedDatabase;

before(async () => {
  ({ url, drop } = await cloneDatabase());
  database = openTestDatabase({ url }, { application_name: 'test', max_connections: 2 });
});
after(async () => {
  await database.close();
  await drop();
});

const getPid = async (tx: Queryable) =>
  (await tx.queryOne<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`))!.pid;

async function readsWholeTable(tx: Queryable): Promise<boolean> {
  const rows = await tx.query<{ 'QUERY PLAN': string }>(sql`
    EXPLAIN SELECT FROM players
    WHERE game_id = gen_random_uuid() AND environment = 'production' AND player_id = 'p'`);
  return rows[0]!['QUERY PLAN'].includes('Seq Scan');
}

test('a connection lost between two statements of a transaction fails only this transaction', async () => {
  const work = database.transaction(async (tx) => {
    const pid = await getPid(tx);
    await database.execute(sql`SELECT pg_terminate_backend(${pid}::int)`);
    await waitUntil('the connection is gone', async () => {
      const row = await database.queryOne(sql`SELECT FROM pg_stat_activity WHERE pid = ${pid}`);
      return row === null;
    });
    await tx.execute(sql`SELECT 1`);
  });
  await assert.rejects(work, /not queryable|terminat|EPIPE|ECONNRESET/);
  assert.deepEqual(await database.query(sql`SELECT 1 AS one`), [{ one: 1 }]);
});

const planned_anew = IS_SPREAD && 'a cluster plans each statement anew';

test(
  'hot connections use indexes even in tables that are empty',
  { skip: planned_anew },
  async () => {
    const hot = openTestDatabase(
      { url },
      { application_name: 'test hot', max_connections: 1, prepare: true },
    );
    const [group, hotGroup] = [database.groups[0]!, hot.groups[0]!];
    await group.execute(sql`ANALYZE players`);
    assert.equal(await readsWholeTable(group), true);
    assert.equal(await readsWholeTable(hotGroup), false);
    await hot.close();
  },
);

test('lists of texts reach PostgreSQL with every character unchanged', async () => {
  const texts = ['', 'NULL', null, 'a,b', '{}', ' a ', '"', '\\', '\\"\\\\', 'ä\n\t€😀', "'"];
  const numbers = [1, -0.5, null, 1e300, Number.MAX_SAFE_INTEGER, Infinity];
  const row = await database.queryOne(sql`
    SELECT ${texts}::text[] AS texts, ${numbers}::float8[] AS numbers,
           ${[true, null, false]}::boolean[] AS flags, ${[]}::text[] AS none`);
  assert.deepEqual({ ...row }, { texts, numbers, flags: [true, null, false], none: [] });
});
