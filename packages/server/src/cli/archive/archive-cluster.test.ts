import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { cloneDatabase, startTestServer } from '../../../test/harness.ts';
import type { TestGame } from '../../../test/harness.ts';
import { callCli } from '../../../test/run-cli.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { openDatabase } from '../../platform/database/open-database.ts';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { ArchiveLine, TableLine } from '../../features/backups/archive/format.ts';
import { atOneMoment } from '../../features/backups/archive/moment.ts';
import { fillEmptyTables, readAll, readStorage } from './test/whole-database.ts';

const options = { application_name: 'test', max_connections: 2 };

const run = async (args: string[], url: string, env: Record<string, string> = {}) => {
  const result = await callCli(args, { DATABASE_URL: url, ...env });
  assert.equal(result.code, 0, result.stderr);
  return result.stderr;
};

const WRITTEN_TABLES = [
  'achievement_unlocks',
  'event_inbox',
  'event_usage',
  'events',
  'leaderboard_entries',
  'leaderboard_seasons',
  'save_versions',
  'saves',
];

/** Reads the rows of a table from an archive. Puts the rows of all groups into one list. */
async function readRows(file: string, table: string): Promise<Record<string, string>[]> {
  const rows: Record<string, string>[] = [];
  let current: TableLine | null = null;
  for (const text of (await readFile(file, 'utf8')).trimEnd().split('\n')) {
    const line = JSON.parse(text) as ArchiveLine;
    if (!Array.isArray(line)) current = 'table' in line ? line : null;
    else if (current?.table === table) {
      rows.push(Object.fromEntries(line.map((value, at) => [current!.columns[at], value])));
    }
  }
  return rows;
}

describe(
  'an archive of a Citus cluster',
  { skip: !process.env.OVERWORLD_TEST_WORKER_URLS && 'only in npm run test:cluster' },
  () => {
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'overworld-archive-'));
    });
    after(() => rm(folder, { recursive: true, force: true }));

    test('has every row exactly once after moves from one PostgreSQL to a cluster and back', async () => {
      const plain = await Promise.all([makeDatabase(), makeDatabase(), makeDatabase()]);
      const cluster = await cloneDatabase();
      const [first, ...later] = [plain[0], plain[1], cluster, plain[2]] as [Made, Made, Made, Made];
      await run(['demo', '--players', '20', '--days', '4'], first.url);
      const database = openDatabase(first, options);
      const game = await database.queryOne<{ id: string }>(sql`SELECT id FROM games`);
      await database.close();
      const copied = join(folder, 'copied.ndjson');
      await run(['export-game', game!.id, copied], first.url);
      for (let copies = 0; copies < 2; copies++) {
        await run(['import-game', copied, '--new-id'], first.url);
      }
      await fillEmptyTables(first.url, /^$/, game!.id);

      let from = first;
      for (const [at, groups] of [8, Number(process.env.TEST_GROUPS), 1].entries()) {
        const file = join(folder, `${groups}.ndjson.gz`);
        await run(['backup', file, '--with-secrets'], from.url);
        const [rows, stored] = [await readAll(from.url, false), await readStorage(from.url)];
        from = later[at]!;
        await run(['restore', file], from.url, { TENANT_GROUPS: String(groups) });
        assert.deepEqual(await readAll(from.url, false), rows);
        assert.deepEqual(await readStorage(from.url), stored);
        // The copy of a game goes to the group with the fewest games.
        const game_file = join(folder, `game-${groups}.ndjson`);
        const outputs = [
          await run(['export-game', game!.id, game_file], from.url),
          await run(['import-game', game_file, '--new-id'], from.url),
        ];
        const [exported, imported] = outputs.map((text) => /: ([\d,]+) rows/.exec(text)![1]);
        assert.equal(imported, exported);
      }
      for (const { drop } of [first, ...later]) await drop();
    });

    test('has the data of each game as it was at one moment, even while players write to the games', async () => {
      await using server = await startTestServer();
      const games: (TestGame & { stored: number })[] = [];
      for (let count = 0; count < 4; count++) {
        games.push({ ...(await server.makeGame()), stored: 0 });
      }
      const backup = { has_ended: false };
      const writers = games.map(async (game) => {
        while (!backup.has_ended) {
          for (const [method, path, body] of [
            ['POST', '/v1/track', { event_name: 'written', session_id: 's', player_id: 'p' }],
            ['PUT', '/v1/saves', { player_id: 'p', data: { number: game.stored } }],
            ['POST', '/v1/leaderboards', { board_name: 'b', player_id: 'p', score: game.stored }],
          ] as const) {
            const answer = await server.request(method, path, { key: game.production_key, body });
            assert.ok(answer.status < 300, answer.text);
          }
          game.stored++;
        }
      });
      // The list of games lacks the game of this row. The archive must leave the row out. The same
      // happens when a game is deleted during a backup: after its group was read, but before the list was
      // read.
      await server.database.groups[0]!.execute(sql`
        INSERT INTO achievement_unlocks (game_id, environment, player_id, achievement_key, unlocked_at)
        VALUES (${randomUUID()}, 'production', 'p', 'first', ${new Date().toISOString()})`);
      await waitUntil('all games are written', async () => games.every(({ stored }) => stored > 3));
      const stored_before = games.map(({ stored }) => stored);
      const file = join(folder, 'written.ndjson');
      await run(['backup', file], server.database_url);
      const stored_after = games.map(({ stored }) => stored);
      backup.has_ended = true;
      await Promise.all(writers);

      const tables = new Map<string, Record<string, string>[]>();
      for (const table of WRITTEN_TABLES) tables.set(table, await readRows(file, table));
      assert.deepEqual(tables.get('achievement_unlocks'), []);
      for (const [at, { game_id }] of games.entries()) {
        const of = (table: string) => tables.get(table)!.filter((row) => row.game_id === game_id);
        const used = Number(of('event_usage')[0]!.used);
        assert.equal(of('events').length + of('event_inbox').length, used);
        assert.ok(used >= stored_before[at]! && used <= stored_after[at]! + 1);
        const versions = of('save_versions').map(({ version }) => Number(version));
        assert.equal(Number(of('saves')[0]!.version), Math.max(...versions));
        const [season] = of('leaderboard_seasons');
        assert.equal(Number(season!.next_seq), Number(of('leaderboard_entries')[0]!.seq) + 1);
      }
    });

    test('is not written if a group moves to another node during the backup', async () => {
      const { url, drop } = await cloneDatabase();
      const database = openDatabase({ url }, options);
      const reading = atOneMoment(database, [0], () => moveToOtherNode(url, 'group_0'));
      await assert.rejects(reading, /A group of games moved to another node/);
      await database.close();
      await drop();
    });
  },
);

interface Made {
  url: string;
  drop(): Promise<unknown>;
}

/**
 * Makes an empty database on the coordinator only. Without other nodes, it works like the database of a
 * single PostgreSQL.
 */
async function makeDatabase(): Promise<Made> {
  const url = new URL(process.env.OVERWORLD_TEST_DATABASE_URL!);
  const name = `archive_${randomBytes(6).toString('hex')}`;
  const maintenance = (text: string) =>
    withDatabase(url.href, (database) => database.execute({ text, values: [] }));
  await maintenance(`CREATE DATABASE ${name}`);
  return {
    url: Object.assign(new URL(url), { pathname: `/${name}` }).href,
    drop: () => maintenance(`DROP DATABASE ${name} WITH (FORCE)`),
  };
}

const moveToOtherNode = (url: string, schema: string) =>
  withDatabase(url, async (database) => {
    await database.execute(sql`
      SELECT citus_schema_move(${schema}::regnamespace, nodename, nodeport, 'block_writes')
      FROM pg_dist_node
      WHERE noderole = 'primary' AND shouldhaveshards AND nodeport <> (
        SELECT nodeport FROM citus_shards
        WHERE table_name = ${`${schema}.event_holds`}::regclass)
      LIMIT 1`);
  });

async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase({ url }, { ...options, statement_timeout_ms: 0 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
