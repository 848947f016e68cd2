import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How a program runs in a folder that is its whole file system. */
export interface Inside {
  root: string;
  env: Record<string, string>;
  user?: { uid: number; gid: number };
  workdir: string;
}

/** Why programs cannot be shut into a folder here; null when they can. */
export function whyNotIsolated(): string | null {
  const tried = spawnSync('unshare', [
    '--mount',
    '--pid',
    '--fork',
    'mount',
    '-t',
    'proc',
    'p',
    '/mnt',
  ]);
  return tried.status === 0 ? null : 'this user may not make namespaces for mounts and processes';
}

/** Runs a program there, with what is written staying: as `RUN` does. */
export function runInside(inside: Inside, command: string[]): ChildProcess {
  return spawnInside(inside, command, prepareMounts(inside.root, []), {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs a program as a container with a read-only file system, whose volumes are those folders. */
export function runContainer(
  inside: Inside,
  command: string[],
  volumes: Record<string, string>,
): ChildProcess {
  const binds = Object.entries(volumes).map(
    ([path, folder]) => `mount --bind '${folder}' '${join(inside.root, path)}'`,
  );
  const mounts = [
    `mount --bind '${inside.root}' '${inside.root}'`,
    `mount -o remount,ro,bind '${inside.root}'`,
    ...prepareMounts(inside.root, [`mount -t tmpfs -o mode=1777 tmp '${inside.root}/tmp'`]),
    ...binds,
  ];
  return spawnInside(inside, command, mounts, { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Runs one more program in a container that runs, as `docker exec` does. */
export function execInside(container: ChildProcess, { env, user }: Inside, command: string[]) {
  const target = ['--target', String(findFirstProcess(container)), '--mount', '--pid'];
  const { uid, gid } = user!;
  const as = [`--setuid=${uid}`, `--setgid=${gid}`];
  const entering = [...target, '--root', '--wd', ...as, '--', ...withEnv(env), ...command];
  return spawnSync('nsenter', entering, { encoding: 'utf8' });
}

/** The process that is number 1 in there, which signals go to; by its number out here. */
export function findFirstProcess({ pid }: ChildProcess): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return Number.parseInt(children, 10);
}

/** Of /dev, what Docker gives; one by one, so that nothing in there can remove the machine's own. */
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];

function prepareMounts(root: string, more: string[]): string[] {
  for (const folder of ['dev/shm', 'proc', 'tmp']) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  for (const device of DEVICES) {
    const path = join(root, 'dev', device);
    if (!existsSync(path)) writeFileSync(path, '');
  }
  return [
    `mount -t proc proc '${root}/proc'`,
    ...DEVICES.map((device) => `mount --bind /dev/${device} '${root}/dev/${device}'`),
    `mount -t tmpfs -o mode=1777,size=64m shm '${root}/dev/shm'`,
    ...more,
  ];
}

function spawnInside(
  { root, env, user, workdir }: Inside,
  command: string[],
  mounts: string[],
  options: SpawnOptions,
): ChildProcess {
  const userspec = user ? [`--userspec=${user.uid}:${user.gid}`, '--groups='] : [];
  const entering = [
    'chroot',
    ...userspec,
    root,
    ...withEnv(env),
    'sh',
    '-c',
    'cd "$0" && exec "$@"',
  ];
  const script = [...mounts, 'exec "$@"'].join(' && ');
  return spawn(
    'unshare',
    [
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      'sh',
      '-c',
      script,
      'sh',
      ...entering,
      workdir,
      ...command,
    ],
    options,
  );
}

const withEnv = (env: Record<string, string>) => [
  '/usr/bin/env',
  '-i',
  ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
];
