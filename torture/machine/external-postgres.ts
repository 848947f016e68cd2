import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from '../../packages/server/test/free-port.ts';
import { prepareBinaries } from '../../packages/server/src/platform/embedded-postgres/binaries.ts';
import {
  findUnprivilegedAccount,
  runsAsRoot,
} from '../../packages/server/src/platform/embedded-postgres/identity.ts';
import { endAtExit } from './endings.ts';
import { makeFolder } from './folder.ts';
import { listChildren } from './processes.ts';

/**
 * The major versions in the order in which they are tried. The first one is the oldest that is supported. If
 * none of them is installed, the bundled PostgreSQL is used.
 */
const INSTALLED_MAJORS = [15, 16, 17, 18];
const START_PATIENCE_MS = 60_000;

/** A PostgreSQL that runs by itself, and is not supervised by our server. */
export interface ExternalPostgres extends AsyncDisposable {
  /** The value for DATABASE_URL. Its role is the superuser. */
  url: string;
  port: number;
  /** Null while PostgreSQL is stopped. */
  readonly pid: number | null;
  version: string;
  /** Starts PostgreSQL, and resolves once it answers. */
  start(): Promise<void>;
  /** Ends PostgreSQL as if all its processes crashed. */
  stop(): Promise<void>;
  /** Ends all processes of PostgreSQL by SIGKILL, as if the machine lost its power. */
  kill(): Promise<void>;
  /** Suspends the processes of PostgreSQL. */
  freeze(): void;
  thaw(): void;
}

interface ExternalOptions {
  /** Environment variables of the processes of PostgreSQL. */
  env?: Record<string, string>;
  /**
   * The folder with the programs of PostgreSQL. Without it, an installed or the bundled PostgreSQL is used.
   */
  bin?: string;
  /** The locale of its databases. */
  locale?: 'C' | 'C.UTF-8';
  /** Settings such as `wal_level=logical`. */
  settings?: string[];
}

export async function startExternalPostgres(
  given: ExternalOptions = {},
): Promise<ExternalPostgres> {
  const { env = {}, bin, locale = 'C' } = given;
  const folder = await makeFolder();
  const identity = runsAsRoot() ? findUnprivilegedAccount() : {};
  const { initdb, postgres } =
    bin === undefined ? findBinaries(folder.path, identity) : inFolder(bin);
  const cluster = join(folder.path, 'cluster');
  mkdirSync(cluster, { mode: 0o700 });
  if (identity.uid !== undefined) chownSync(cluster, identity.uid, identity.gid!);
  const options = { ...identity, cwd: '/', env: { LC_ALL: 'C', TZ: 'UTC' } };
  const made = spawnSync(
    initdb,
    ['-D', cluster, '--username=postgres', '--auth=trust', '--encoding=UTF8', `--locale=${locale}`],
    { ...options, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await findFreePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    ...(given.settings ?? []),
  ];
  let child: ChildProcess | null = null;
  const listAll = () => (child?.pid === undefined ? [] : [child.pid, ...listChildren(child.pid)]);
  const signalAll = (signal: NodeJS.Signals) => {
    for (const pid of listAll()) {
      try {
        process.kill(pid, signal);
      } catch {
        // The process has just ended.
      }
    }
  };
  const forget = endAtExit(() => signalAll('SIGKILL'));

  const stop = async () => {
    if (child === null) return;
    const ended = new Promise((resolve) => child!.on('exit', resolve));
    signalAll('SIGCONT');
    // SIGQUIT ends sessions as a crash does, and the next start recovers.
    child.kill('SIGQUIT');
    await ended;
    child = null;
  };

  const kill = async () => {
    const ended = new Promise((resolve) => child!.on('exit', resolve));
    signalAll('SIGKILL');
    await ended;
    child = null;
  };

  const start = async () => {
    const args = ['-D', cluster, '-p', String(port), ...settings.flatMap((one) => ['-c', one])];
    child = spawn(postgres, args, {
      ...options,
      env: { ...options.env, ...env },
      stdio: 'ignore',
      detached: true,
    });
    await waitUntilAnswering(url);
  };

  await start();
  return {
    url,
    port,
    get pid() {
      return child?.pid ?? null;
    },
    version: spawnSync(postgres, ['--version'], { encoding: 'utf8' }).stdout.trim(),
    start,
    stop,
    kill,
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    async [Symbol.asyncDispose]() {
      await stop();
      forget();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function findBinaries(folder: string, identity: { uid?: number; gid?: number }) {
  for (const major of INSTALLED_MAJORS) {
    const bin = `/usr/lib/postgresql/${major}/bin`;
    if (existsSync(join(bin, 'initdb'))) return inFolder(bin);
  }
  return prepareBinaries(folder, identity);
}

const inFolder = (bin: string) => ({
  initdb: join(bin, 'initdb'),
  postgres: join(bin, 'postgres'),
});

async function waitUntilAnswering(url: string): Promise<void> {
  const deadline = performance.now() + START_PATIENCE_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(20);
    }
  }
}
