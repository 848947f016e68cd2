import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../packages/server/src/platform/database/open-database.ts';
import type { ConnectionSettings } from '../packages/server/src/platform/database/open-database.ts';
import type { GroupedDatabase } from '../packages/server/src/platform/database/game-groups.ts';
import { readGroups } from '../packages/server/src/platform/database/pools.ts';
import { sql } from '../packages/server/src/platform/database/sql.ts';
import { findRunningPostgres } from '../packages/server/src/platform/embedded-postgres/running.ts';
import { makeApiKey } from '../packages/server/src/platform/auth/api-keys.ts';
import { findCitus, startCitus } from '../torture/machine/citus.ts';
import { readTreeCpu } from './cpu.ts';

const COMMAND = fileURLToPath(new URL('../packages/server/bin/overworld', import.meta.url));

/** A game on the Studio tier, with a key for production. */
export interface BenchGame {
  game_id: string;
  key: string;
}

/** The server as users start it, in its own folder: with its embedded PostgreSQL, or on a cluster. */
export interface BenchServer {
  url: string;
  server_pid: number;
  process: ChildProcess;
  /** The CPU time that PostgreSQL has used so far, on all nodes, in microseconds. */
  readPostgresCpu(): number;
  /** The pool that seeds data and reads counts. */
  database: GroupedDatabase;
  /**
   * The pool that connects as the server does on hot paths, to measure the cost of statements by themselves.
   */
  hot: GroupedDatabase;
  makeGames(count: number): Promise<BenchGame[]>;
  /**
   * Reads the value of a metric, summed over all series whose labels contain `labels`; 0 if there are none.
   */
  readMetric(name: string, labels?: string): Promise<number>;
  /** The folder of the server. */
  folder: string;
  close(options?: { keeps_folder?: boolean }): Promise<void>;
}

/** The number of nodes that hold games on a cluster, besides the coordinator. */
const CLUSTER_WORKERS = Number(process.env.BENCH_CLUSTER_WORKERS ?? 2);
/** The number of groups of games on a cluster. */
const CLUSTER_GROUPS = 16;

/** The database of a server. The embedded database exists only while the server runs. */
interface ServedDatabase {
  env: Record<string, string>;
  connect(): { connection: ConnectionSettings; pids: number[] };
  close(): Promise<void>;
}

/**
 * Prepares the embedded PostgreSQL, or a cluster if CITUS_BIN
 * is set. The CPU of a cluster is that of all its nodes.
 */
async function prepareDatabase(folder: string): Promise<ServedDatabase> {
  const bin = findCitus();
  if (bin === null) {
    return {
      env: {},
      connect() {
        const pidFile = join(folder, 'postgres', 'cluster', 'postmaster.pid');
        const pid = existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, 'utf8'), 10) : 0;
        return { connection: findRunningPostgres(folder)!, pids: [pid] };
      },
      close: async () => undefined,
    };
  }
  const cluster = await startCitus(bin, CLUSTER_WORKERS);
  const url = await cluster.makeDatabase('overworld');
  const nodes = [cluster.coordinator, ...cluster.workers];
  return {
    env: { DATABASE_URL: url, TENANT_GROUPS: String(CLUSTER_GROUPS) },
    connect: () => ({ connection: { url }, pids: nodes.map(({ pid }) => pid!) }),
    close: async () => await cluster[Symbol.asyncDispose](),
  };
}

/**
 * @param log_level `info` logs each request; `warn` logs none.
 * @param probe A module that each thread of the server loads first. With one, the server has one worker, and
 * its process takes messages.
 * @param env More settings of the server.
 * @param folder The folder of an earlier server, which kept it.
 */
export async function startBenchServer(
  log_level: 'warn' | 'info' = 'warn',
  probe: URL | null = null,
  env: Record<string, string> = {},
  folder = mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'overworld-bench-')),
): Promise<BenchServer> {
  await chmod(folder, 0o755);
  const served = await prepareDatabase(folder);
  const preload = probe === null ? [] : ['--import', probe.href];
  const child = spawn(process.execPath, [...preload, COMMAND, 'start'], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: folder,
      PORT: '0',
      RATE_LIMIT_PER_MINUTE: '1000000000',
      MAX_CONNECTIONS_PER_ADDRESS: '20000',
      ALLOW_PRIVATE_WEBHOOKS: 'true',
      LOG_LEVEL: log_level,
      WORKERS: probe === null ? process.env.WORKERS : '1',
      ...served.env,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit', ...(probe === null ? [] : ['ipc' as const])],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    const listen = (chunk: Buffer) => {
      said += chunk.toString();
      const address = /running at (http:\S+)/.exec(said)?.[1];
      if (address === undefined) return;
      child.stdout!.off('data', listen).resume();
      resolve(address);
    };
    child.stdout!.on('data', listen);
    child.on('exit', (code) => reject(new Error(`The server ended with ${code}:\n${said}`)));
  });
  const { connection, pids } = served.connect();
  const groups = await readGroups(connection);
  const database = openDatabase(connection, {
    application_name: 'bench',
    max_connections: 4,
    statement_timeout_ms: 0,
    groups,
  });
  const hot = openDatabase(connection, {
    application_name: 'bench',
    max_connections: 1,
    prepare: true,
    groups,
  });

  return {
    url,
    server_pid: child.pid!,
    process: child,
    readPostgresCpu: () => pids.reduce((sum, pid) => sum + readTreeCpu(pid), 0),
    database,
    hot,
    async makeGames(count) {
      const games: BenchGame[] = [];
      for (let made = 0; made < count; made++) {
        const { key, prefix, key_hash } = makeApiKey('production');
        const game = await database.queryOne<{ id: string }>(
          sql`INSERT INTO games (name, time_zone, tier, tenant_group)
              VALUES ('Bench', 'UTC', 'studio', ${made % database.groups.length}) RETURNING id`,
        );
        await database.execute(sql`
          INSERT INTO api_keys (game_id, environment, name, prefix, key_hash)
          VALUES (${game!.id}, 'production', 'bench', ${prefix}, ${key_hash})`);
        games.push({ game_id: game!.id, key });
      }
      await Promise.all(
        [database, hot].map((each) => each.learnGames(games.map(({ game_id }) => game_id))),
      );
      return games;
    },
    async readMetric(name, labels = '') {
      const text = await (await fetch(`${url}/metrics`)).text();
      return text
        .split('\n')
        .filter((line) => /^\w+/.exec(line)?.[0] === name && line.includes(labels))
        .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    },
    folder,
    async close({ keeps_folder = false } = {}) {
      await Promise.all([database.close(), hot.close()]);
      const ended = new Promise((resolve) => child.on('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      await served.close();
      if (!keeps_folder) await rm(folder, { recursive: true, force: true });
    },
  };
}
