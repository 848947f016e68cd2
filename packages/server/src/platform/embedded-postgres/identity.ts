import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { EmbeddedPostgresError } from './error.ts';

/** The user and group of a new process; empty to keep those of this process. */
export interface ProcessIdentity {
  uid?: number;
  gid?: number;
}

/** Debian assigns the uids from here to 64,999 only on demand, and systemd's dynamic uids begin at 61,184. */
const FIRST_PRIVATE_UID = 60_100;
const PRIVATE_UIDS = 1_000;

/** Tells whether this process runs as root. PostgreSQL then needs a user of its own. */
export function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Chooses a uid that no user of this machine has, for the PostgreSQL of one data folder: PostgreSQL refuses
 * to run as root, and we add no users to the host. The uid depends on the folder's path, so two
 * installations cannot read each other's data.
 */
export function choosePrivateIdentity(folder: string): ProcessIdentity {
  const taken = new Set(readAccounts().values());
  const first = createHash('sha256').update(folder).digest().readUInt32BE(0);
  for (let offset = 0; offset < PRIVATE_UIDS; offset++) {
    const id = FIRST_PRIVATE_UID + ((first + offset) % PRIVATE_UIDS);
    if (!taken.has(id)) return { uid: id, gid: id };
  }
  throw new EmbeddedPostgresError(
    `All user ids from ${FIRST_PRIVATE_UID} to ${FIRST_PRIVATE_UID + PRIVATE_UIDS - 1} are taken on this machine: start the server as an ordinary user.`,
  );
}

/**
 * Finds an unprivileged account. Root runs initdb under this account, because initdb needs a user that has a
 * name.
 */
export function findUnprivilegedAccount(): ProcessIdentity {
  const uid = readAccounts().get('nobody');
  if (uid === undefined) {
    throw new EmbeddedPostgresError(
      'PostgreSQL cannot be set up as root on a machine without the user "nobody": start the server as an ordinary user, or set DATABASE_URL.',
    );
  }
  return { uid, gid: uid };
}

/**
 * Tells whether the user `identity` can enter the folder. The operating system is asked, so access control
 * lists are respected.
 */
export function canEnter(identity: ProcessIdentity, folder: string): boolean {
  const result = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], {
    ...identity,
    cwd: '/',
    env: {},
    stdio: 'ignore',
  });
  if (result.error) {
    throw new EmbeddedPostgresError(
      'PostgreSQL does not run as root, and this root may not become another user: start the server as an ordinary user, or set DATABASE_URL.',
    );
  }
  return result.status === 0;
}

function readAccounts(): Map<string, number> {
  const entries = readFileSync('/etc/passwd', 'utf8').matchAll(/^([^:\n]+):[^:\n]*:(\d+):/gm);
  return new Map(Array.from(entries, ([, name, uid]) => [name!, Number(uid)]));
}
