import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { execute } from './execute.ts';
import { imageSettings } from './image-settings.ts';

const ENTER = fileURLToPath(new URL('enter.sh', import.meta.url));
const NEW_NAMESPACES = ['--mount', '--pid', '--fork', '--kill-child'];

/** Returns the reason why this machine cannot confine programs to a folder, or null if it can. */
export function whyNotIsolated(): string | null {
  const tried = spawnSync('unshare', [...NEW_NAMESPACES, 'mount', '-t', 'proc', 'p', '/mnt']);
  return tried.status === 0 ? null : 'this user may not make namespaces for mounts and processes';
}

/**
 * Runs a command as root in the folder `root`, as `RUN` in a Dockerfile does. The command may change the
 * content of the folder.
 */
export function runInFolder(root: string, env: Record<string, string>, command: string[]): void {
  const args = [...NEW_NAMESPACES, ENTER, root, '--', root, ...withEnv(env), ...command];
  execute('unshare', args);
}

/** A container of the image, which has the network of this machine. */
export class Container {
  readonly #child: ChildProcess;
  readonly #env: Record<string, string>;
  /** Resolves to the exit code of the server once it has ended. */
  readonly ended: Promise<number | null>;
  /** Everything that the server has written to its log. */
  log = '';

  /** Starts the server of the image at `root`, with the folder `data` as its volume. */
  constructor(root: string, data: string, env: Record<string, string>) {
    const { user, command } = imageSettings;
    this.#env = { ...imageSettings.env, ...env };
    const as = [`--userspec=${user}`, '--groups=', root];
    const entering = [ENTER, root, '--read-only', data, '--', ...as, ...withEnv(this.#env)];
    this.#child = spawn('unshare', [...NEW_NAMESPACES, ...entering, ...command], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
    }
    this.ended = new Promise((resolve) => this.#child.on('close', resolve));
  }

  /** Runs one more command in the container, as `docker exec` does. */
  exec(command: string[]) {
    const [uid, gid] = imageSettings.user.split(':');
    const target = [`--target=${this.#findServer()}`, '--mount', '--pid', '--root', '--wd'];
    const as = [`--setuid=${uid}`, `--setgid=${gid}`];
    const entering = [...target, ...as, '--', ...withEnv(this.#env), ...command];
    return spawnSync('nsenter', entering, { encoding: 'utf8' });
  }

  /** Stops the server as Docker does; resolves to the exit code. */
  async stop(): Promise<number | null> {
    process.kill(this.#findServer(), 'SIGTERM');
    const timer = setTimeout(() => this.kill(), 10_000);
    return this.ended.finally(() => clearTimeout(timer));
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /**
   * Finds the server: the process with the ID 1 inside the container. Returns its ID outside the container.
   */
  #findServer(): number {
    const { pid } = this.#child;
    return Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'), 10);
  }
}

const withEnv = (env: Record<string, string>) => [
  'env',
  '-i',
  '--chdir=/app',
  ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
];
