import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  fsyncSync,
  closeSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PORT } from '../process/socket-folder.ts';
import type { Binaries } from '../binaries.ts';
import type { DataFolder } from './data-folder.ts';
import { describeSystemError, EmbeddedPostgresError } from '../error.ts';
import { findUnprivilegedAccount } from '../identity.ts';
import type { ProcessIdentity } from '../identity.ts';

/**
 * The database, and the role that owns it. The role is no superuser, so a security hole in the server does
 * not give access to all of PostgreSQL.
 */
const DATABASE_NAME = 'overworld';
const ROLE_NAME = 'overworld';

const PASSWORD_FILE = 'overworld.password';

export interface Cluster {
  password: string;
  /** True if this start made the cluster. */
  created: boolean;
}

/**
 * Opens the cluster, or makes it if it is missing, and refuses a cluster of another major version. The
 * caller must hold the ownership lock of the folder.
 */
export async function openCluster(
  folder: DataFolder,
  binaries: Binaries,
  log: (message: string) => void,
): Promise<Cluster> {
  removeUnfinished(folder.home);
  const created = !existsSync(folder.cluster);
  if (created) {
    log('Setting up PostgreSQL for the first time');
    await createCluster(folder, binaries);
  }
  checkMajor(folder.cluster, binaries.major);
  giveToOwner(folder);
  return { password: readPassword(folder.cluster), created };
}

/**
 * Makes the cluster under a temporary name and renames it when it is complete, so no start finds half a
 * cluster.
 */
async function createCluster(folder: DataFolder, binaries: Binaries): Promise<void> {
  const underRoot = folder.identity.uid !== undefined;
  const initdbIdentity = underRoot ? findUnprivilegedAccount() : {};
  const unfinished = join(folder.home, `unfinished-${randomBytes(6).toString('hex')}`);
  const password = randomBytes(24).toString('base64url');
  try {
    mkdirSync(unfinished, { mode: 0o700 });
    if (underRoot) chownSync(unfinished, initdbIdentity.uid!, initdbIdentity.gid!);
    await run(binaries.initdb, initdbArguments(unfinished), initdbIdentity);
    await run(
      binaries.postgres,
      ['--single', '-j', '-D', unfinished, 'postgres'],
      initdbIdentity,
      // In this mode a statement ends at an empty line.
      [
        `CREATE ROLE ${ROLE_NAME} LOGIN CREATEDB PASSWORD '${password}';`,
        `CREATE DATABASE ${DATABASE_NAME} OWNER ${ROLE_NAME};`,
      ].join('\n\n') + '\n\n',
    );
    writeFileSync(
      join(unfinished, 'pg_hba.conf'),
      `# Only the server's own role, over the socket.\nlocal all ${ROLE_NAME} scram-sha-256\n`,
    );
    writeFileSync(join(unfinished, PASSWORD_FILE), password, { mode: 0o600, flush: true });
    if (underRoot) chownTree(unfinished, folder.identity);
    renameSync(unfinished, folder.cluster);
    syncFolder(folder.home);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true, maxRetries: 3 });
    if (error instanceof EmbeddedPostgresError) throw error;
    throw new EmbeddedPostgresError(
      `Cannot set up PostgreSQL in ${folder.home} (${describeSystemError(error)}).`,
    );
  }
}

function initdbArguments(folder: string): string[] {
  return [
    '-D',
    folder,
    '--username=postgres',
    // The superuser gets no password and no line in pg_hba.conf, so it can connect only in single-user
    // mode.
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ];
}

/** Runs a program in a session of its own, so that Ctrl-C reaches only the server and not the program. */
function run(
  program: string,
  args: string[],
  identity: ProcessIdentity,
  input = '',
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...identity,
      cwd: '/',
      detached: true,
      env: { LC_ALL: 'C', TZ: 'UTC' },
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk));
    child.stdin.on('error', () => {});
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(explainSetupFailure(output));
    });
    child.stdin.end(input);
  });
}

function explainSetupFailure(output: string): EmbeddedPostgresError {
  if (/No space left on device|Disk quota exceeded/.test(output)) {
    return new EmbeddedPostgresError(
      'The disk is too full to set up PostgreSQL, which takes about 50 MB: free some space, or choose a folder on another disk with DATA_DIR.',
    );
  }
  // After the reason, initdb also reports that a child process failed and which files are removed.
  const lines = output
    .split('\n')
    .filter((line) => !/^$|^initdb: removing|^child process/.test(line));
  const reason = lines.findLast((line) => /(error|FATAL|PANIC):/.test(line)) ?? lines.at(-1);
  return new EmbeddedPostgresError(`Cannot set up PostgreSQL (${reason}).`);
}

function checkMajor(cluster: string, major: number): void {
  const found = readVersionFile(cluster);
  if (found === String(major)) return;
  if (found === null) {
    throw new EmbeddedPostgresError(
      `${cluster} is not a PostgreSQL data folder (it has no PG_VERSION): move it away, and restore a backup or start afresh.`,
    );
  }
  throw new EmbeddedPostgresError(
    `The data in ${cluster} was written by PostgreSQL ${found}, and this release brings PostgreSQL ${major}: make a backup with the release that wrote it (overworld backup), then restore it with this one into an empty data folder (overworld restore).`,
  );
}

function readVersionFile(cluster: string): string | null {
  try {
    return readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  } catch {
    return null;
  }
}

/** Reads the password of the role. @throws EmbeddedPostgresError when the password file cannot be read. */
export function readPassword(cluster: string): string {
  try {
    return readFileSync(join(cluster, PASSWORD_FILE), 'utf8').trim();
  } catch (error) {
    throw new EmbeddedPostgresError(
      `Cannot read the database password in ${join(cluster, PASSWORD_FILE)} (${describeSystemError(error)}).`,
    );
  }
}

/**
 * Returns the options for `pg`. The role owns the database and may create
 * other databases, but is no superuser.
 */
export const describeConnection = (socketFolder: string, password: string) => ({
  host: socketFolder,
  port: PORT,
  user: ROLE_NAME,
  password,
  database: DATABASE_NAME,
});

/**
 * Makes the cluster private to PostgreSQL's user. A copied cluster may belong to root or be open to other
 * users; PostgreSQL refuses both.
 */
function giveToOwner({ cluster, identity }: DataFolder): void {
  const stats = statSync(cluster);
  if (identity.uid !== undefined && stats.uid !== identity.uid) chownTree(cluster, identity);
  if ((stats.mode & 0o777) !== 0o700) chmodSync(cluster, 0o700);
}

function chownTree(path: string, identity: ProcessIdentity): void {
  lchownSync(path, identity.uid!, identity.gid!);
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) chownTree(join(path, name), identity);
}

function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function removeUnfinished(home: string): void {
  for (const name of readdirSync(home)) {
    if (!name.startsWith('unfinished-')) continue;
    rmSync(join(home, name), { recursive: true, force: true, maxRetries: 5 });
  }
}
