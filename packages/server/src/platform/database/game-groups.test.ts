import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { cloneDatabase } from '../../../test/harness.ts';
import { openDatabase } from './open-database.ts';
import { perGroup } from './game-groups.ts';
import type { GroupedDatabase } from './game-groups.ts';
import { chooseGroup, schemaOf } from './group-directory.ts';
import { sql } from './sql.ts';

const GROUPS = 4;

let url: string;
let drop: () => Promise<void>;
let database: GroupedDatabase;

before(async () => {
  ({ url, drop } = await cloneDatabase());
  const plain = openDatabase({ url }, { application_name: 'test', max_connections: 1 });
  await plain.execute(sql`
    INSERT INTO installation (name, value) VALUES ('tenant_groups', ${String(GROUPS)})
    ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`);
  const client = await plain.connect();
  for (let group = 0; group < GROUPS; group++) {
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schemaOf(group)};
      CREATE TABLE ${schemaOf(group)}.marks (game_id uuid, text text)`);
  }
  client.release();
  await plain.close();
  database = open();
});
after(async () => {
  await database.close();
  await drop();
});

const open = (max_connections = 3, prepare = false) =>
  openDatabase(
    { url },
    {
      application_name: 'test',
      max_connections,
      prepare,
      groups: { count: GROUPS, known: new Map() },
    },
  );

const insertGame = async (tenant_group: number): Promise<string> => {
  const row = await database.queryOne<{ id: string }>(sql`
    INSERT INTO games (name, time_zone, tenant_group) VALUES ('Game', 'UTC', ${tenant_group})
    RETURNING id`);
  return row!.id;
};

const mark = (game_id: string, text: string) => sql`
  INSERT INTO marks (game_id, text) VALUES (${game_id}, ${text})`;

/** Reads the texts of a game from the tables of all groups, with the numbers of the groups. */
async function readMarks(game_id: string): Promise<string[]> {
  const found = await Promise.all(
    database.groups.map(async (group, number) => {
      const rows = await group.query<{ text: string }>(sql`
        SELECT text FROM marks WHERE game_id = ${game_id} ORDER BY text`);
      return rows.map(({ text }) => `${number} ${text}`);
    }),
  );
  return found.flat();
}

for (const prepare of [false, true]) {
  test(`concurrent writes reach their groups over few connections (prepared: ${prepare})`, async () => {
    const shared = open(3, prepare);
    const games = await Promise.all([0, 1, 2, 3, 1, 2].map(insertGame));
    await Promise.all(
      Array.from({ length: 120 }, async (_, index) => {
        const number = index % games.length;
        const game_id = games[number]!;
        const own = shared.ofGame(game_id);
        const text = String(index).padStart(3, '0');
        if (index % 5 === 0) await own.transaction((tx) => tx.execute(mark(game_id, text)));
        else await own.execute(mark(game_id, text));
      }),
    );
    for (const [number, game_id] of games.entries()) {
      const group = [0, 1, 2, 3, 1, 2][number]!;
      const wanted = Array.from({ length: 20 }, (_, turn) => number + turn * games.length);
      assert.deepEqual(
        await readMarks(game_id),
        wanted.map((index) => `${group} ${String(index).padStart(3, '0')}`),
      );
    }
    assert.ok(shared.load.open <= 3);
    await shared.close();
  });
}

test('a connection returned with another search path or in a transaction never mixes groups', async () => {
  const single = open(1);
  const [first, second] = [await insertGame(0), await insertGame(1)];
  const moved = await single.ofGame(first).connect();
  await moved.query(`SET search_path = ${schemaOf(2)}, public`);
  moved.release();
  await single.ofGame(first).execute(mark(first, 'after a change of the path'));
  const open_transaction = await single.ofGame(first).connect();
  await open_transaction.query('BEGIN');
  await open_transaction.query('INSERT INTO marks VALUES ($1, $2)', [first, 'not committed']);
  open_transaction.release();
  await assert.rejects(
    single.ofGame(second).transaction(async (tx) => {
      await tx.execute(mark(second, 'rolled back'));
      throw new Error('an end');
    }),
    /an end/,
  );
  await single.ofGame(second).execute(mark(second, 'after a rollback'));
  await single.ofGame(first).execute(mark(first, 'at last'));
  await single.close();
  assert.deepEqual(await readMarks(first), ['0 after a change of the path', '0 at last']);
  assert.deepEqual(await readMarks(second), ['1 after a rollback']);
});

test('a session with many prepared statements is replaced', async () => {
  const single = open(1, true);
  const texts = Array.from({ length: 300 }, (_, number) => `SELECT ${number}`);
  for (const text of texts) {
    for (const group of single.groups) await group.execute({ text, values: [] });
  }
  const [row] = await single.groups[0]!.query<{ prepared: number }>(
    sql`SELECT count(*) AS prepared FROM pg_prepared_statements`,
  );
  assert.ok(row!.prepared > 0 && row!.prepared < 1_002, String(row!.prepared));
  await single.close();
});

test('statements are counted by group, and as failures if PostgreSQL was down or overloaded', async () => {
  const counted = open();
  const raise = (code: string) => ({
    text: `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${code}'; END $$`,
    values: [],
  });
  const [, second, third] = counted.groups;
  await second!.query(sql`SELECT pg_sleep(0.01)`);
  await assert.rejects(second!.execute(raise('57P03')));
  await assert.rejects(third!.transaction((tx) => tx.execute(raise('08006'))));
  await assert.rejects(third!.execute(raise('23505')));
  await counted.query(sql`SELECT 1`);
  assert.deepEqual(
    counted.group_loads.map(({ statements, failures }) => [statements, failures]),
    [
      [0, 0],
      [2, 1],
      [2, 1],
      [0, 0],
    ],
  );
  assert.ok(counted.group_loads[1]!.seconds >= 0.01);
  await counted.close();
});

test('a statement that is not about a game sees no tables of groups', async () => {
  await assert.rejects(database.query(sql`SELECT FROM marks`), /relation "marks" does not exist/);
  await database.groups[3]!.query(sql`SELECT FROM marks JOIN games ON games.id = game_id`);
});

test('the first statement about a game finds its group, which stays known after the deletion', async () => {
  const shared = open();
  const game_id = await insertGame(3);
  assert.throws(() => shared.groupOf(game_id), /was not learned/);
  await shared.ofGame(game_id).execute(mark(game_id, 'x'));
  assert.equal(shared.groupOf(game_id), 3);
  const parts = perGroup(shared, (group) => ({ group }));
  assert.equal(parts.ofGame(game_id).group, shared.groups[3]);
  await shared.close();

  await database.execute(sql`
    INSERT INTO game_deletions (game_id, tenant_group)
    SELECT id, tenant_group FROM games WHERE id = ${game_id}`);
  await database.execute(sql`DELETE FROM games WHERE id = ${game_id}`);
  const later = open();
  await later.learnGames([game_id, randomUUID()]);
  assert.equal(later.groupOf(game_id), 3);
  await later.close();
});

test('games that are made at the same time spread evenly over the groups', async () => {
  await database.execute(sql`DELETE FROM games`);
  await insertGame(1);
  const made = await Promise.all(
    Array.from({ length: 11 }, () =>
      database.transaction(async (tx) => {
        const group = await chooseGroup(database, tx);
        await tx.execute(sql`
          INSERT INTO games (name, time_zone, tenant_group) VALUES ('Game', 'UTC', ${group})`);
        return group;
      }),
    ),
  );
  assert.deepEqual(made.toSorted(), [0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 3]);
});
