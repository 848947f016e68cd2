import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { findCitus, startCitus } from './machine/citus.ts';

const bin = findCitus();

test(
  'a schema that moves to another node while it is written loses no acknowledged row',
  { skip: bin === null && 'CITUS_BIN names no PostgreSQL with Citus' },
  async () => {
    await using cluster = await startCitus(bin!, 2);
    const url = await cluster.makeDatabase('moving');
    const [mover, writer] = [1, 2].map(() => new pg.Client({ connectionString: url }));
    await Promise.all([mover!.connect(), writer!.connect()]);
    try {
      await mover!.query(
        'CREATE SCHEMA game_group; CREATE TABLE game_group.rows (id int PRIMARY KEY)',
      );
      await mover!.query(`SELECT citus_schema_distribute('game_group')`);
      const findPort = async () => {
        const { rows } = await mover!.query<{ port: number }>(
          `SELECT nodeport AS port FROM citus_shards WHERE table_name = 'game_group.rows'::regclass`,
        );
        return rows[0]!.port;
      };
      const from = await findPort();
      const to = cluster.workers.find(({ port }) => port !== from)!.port;
      let acknowledged = 0;
      const progress = { has_moved: false };
      const move = mover!
        .query(`SELECT citus_schema_move('game_group', '127.0.0.1', ${to}, 'force_logical')`)
        .finally(() => (progress.has_moved = true));
      while (!progress.has_moved) {
        await writer!.query('INSERT INTO game_group.rows VALUES ($1)', [acknowledged + 1]);
        acknowledged++;
      }
      await move;
      assert.equal(await findPort(), to);
      const { rows } = await mover!.query<{ stored: string }>(
        'SELECT count(*) AS stored FROM game_group.rows',
      );
      assert.ok(acknowledged > 0);
      assert.equal(Number(rows[0]!.stored), acknowledged);
    } finally {
      await Promise.all([mover!.end(), writer!.end()]);
    }
  },
);
