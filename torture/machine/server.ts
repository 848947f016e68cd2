import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findRunningPostgres } from '../../packages/server/src/platform/embedded-postgres/running.ts';
import type { ConnectionSettings } from '../../packages/server/src/platform/database/open-database.ts';
import { endAtExit } from './endings.ts';

const COMMAND = fileURLToPath(new URL('../../packages/server/bin/overworld', import.meta.url));
/** The maximum time of a start, which may include the recovery of a killed database. */
const START_PATIENCE_MS = 120_000;

/** The log level of all servers. To see their logs, set TEST_LOG_LEVEL. */
const LOG_LEVEL = process.env.TEST_LOG_LEVEL ?? 'silent';

export interface ServerSettings {
  port: number;
  data_dir: string;
  env?: Record<string, string>;
}

/** A server as users start it, in a process group of its own. */
export class Server {
  readonly settings: ServerSettings;
  readonly child: ChildProcess;
  /** Resolves when the process ends: to the exit code, or to null after a signal. */
  readonly ended: Promise<number | null>;
  readonly started_at = performance.now();
  /** Milliseconds from the start until the server was ready. */
  start_ms = 0;
  said = '';

  private constructor(settings: ServerSettings) {
    this.settings = settings;
    const { port, data_dir, env } = settings;
    this.child = spawn(process.execPath, ['--max-semi-space-size=8', COMMAND, 'start'], {
      env: {
        PATH: process.env.PATH,
        DATA_DIR: data_dir,
        PORT: String(port),
        RATE_LIMIT_PER_MINUTE: '1000000000',
        LOG_LEVEL,
        WORKERS: process.env.WORKERS,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const forget = endAtExit(() => this.child.kill('SIGKILL'));
    for (const stream of [this.child.stdout!, this.child.stderr!]) {
      stream.on('data', (chunk: Buffer) => {
        this.said += chunk.toString();
        if (LOG_LEVEL !== 'silent') process.stderr.write(chunk);
      });
    }
    this.ended = new Promise((resolve) =>
      this.child.on('close', (code) => {
        forget();
        resolve(code);
      }),
    );
  }

  /** Starts a server, and resolves when it is ready. */
  static async start(settings: ServerSettings): Promise<Server> {
    const server = new Server(settings);
    await server.#waitUntilServing();
    return server;
  }

  /** Starts a server that must fail; resolves to its exit code and its output. */
  static async failToStart(
    settings: ServerSettings,
  ): Promise<{ code: number | null; said: string }> {
    const server = new Server(settings);
    const timer = setTimeout(() => server.child.kill('SIGKILL'), START_PATIENCE_MS);
    const code = await server.ended;
    clearTimeout(timer);
    return { code, said: server.said };
  }

  get url(): string {
    return `http://127.0.0.1:${this.settings.port}`;
  }

  get pid(): number {
    return this.child.pid!;
  }

  get has_ended(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** The process ID of the embedded PostgreSQL's first process. */
  get postmaster_pid(): number {
    const path = join(this.settings.data_dir, 'postgres', 'cluster', 'postmaster.pid');
    return Number.parseInt(readFileSync(path, 'utf8'), 10);
  }

  /** The connection to the server's database. */
  get connection(): ConnectionSettings {
    const url = this.settings.env?.DATABASE_URL;
    if (url !== undefined) return { url };
    const running = findRunningPostgres(this.settings.data_dir);
    if (running === null) throw new Error('No PostgreSQL runs there');
    return running;
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  killGroup(signal: NodeJS.Signals): void {
    process.kill(-this.pid, signal);
  }

  /** Asks the server to stop, and kills it after 15 s; resolves to its exit code. */
  async stop(): Promise<number | null> {
    this.kill('SIGTERM');
    const timer = setTimeout(() => this.kill('SIGKILL'), 15_000);
    return this.ended.finally(() => clearTimeout(timer));
  }

  async #waitUntilServing(): Promise<void> {
    const deadline = performance.now() + START_PATIENCE_MS;
    while (!this.said.includes('Overworld is running at')) {
      if (this.has_ended || performance.now() > deadline) {
        this.kill('SIGKILL');
        throw new Error(`The server did not start:\n${this.said}`);
      }
      await sleep(5);
    }
    this.start_ms = performance.now() - this.started_at;
  }
}

/** Waits until the server is ready. @returns the milliseconds until then. */
export async function waitUntilReady(url: string, patience_ms: number): Promise<number> {
  const started = performance.now();
  for (;;) {
    const status = await fetch(`${url}/readyz`).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );
    const took_ms = performance.now() - started;
    if (status === 200) return took_ms;
    if (took_ms > patience_ms) throw new Error(`${url} is not ready after ${patience_ms} ms`);
    await sleep(20);
  }
}
