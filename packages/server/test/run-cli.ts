import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from '../src/cli/command-line.ts';

const COMMAND = fileURLToPath(new URL('../bin/overworld', import.meta.url));
const PATIENCE_MS = 60_000;
/** Without DATA_DIR, commands would take the data of this checkout for theirs. */
const DEFAULTS = { DATA_DIR: join(tmpdir(), 'overworld-no-data') };

export interface CliRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The `overworld` command as a process of its own, with only the given settings. */
export class CliProcess {
  readonly child: ChildProcess;
  readonly #done: Promise<CliRun>;
  #stdout = '';
  #stderr = '';

  /** @param through A program that runs the command and waits for it, like npm's shell. */
  constructor(args: string[], env: Record<string, string>, through: readonly string[] = []) {
    const [command, ...rest] = [...through, process.execPath, COMMAND, ...args];
    this.child = spawn(command!, rest, {
      env: { PATH: process.env.PATH, ...DEFAULTS, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout!.on('data', (chunk: Buffer) => (this.#stdout += chunk.toString()));
    this.child.stderr!.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString()));
    this.#done = once(this.child, 'close').then(([code]) => ({
      code: code as number | null,
      stdout: this.#stdout,
      stderr: this.#stderr,
    }));
  }

  /** Resolves when the command has ended. */
  get done(): Promise<CliRun> {
    return this.#done;
  }

  /** Waits until the output matches the pattern, and returns the match. */
  async waitFor(pattern: RegExp): Promise<RegExpExecArray> {
    const deadline = Date.now() + PATIENCE_MS;
    while (Date.now() < deadline) {
      const match = pattern.exec(this.#stdout);
      if (match) return match;
      if (this.child.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    this.child.kill('SIGKILL');
    throw new Error(`Its output does not match ${pattern}:\n${this.#stdout}${this.#stderr}`);
  }
}

const START_TRIES = 3;

/** Starts a server to kill. It is started again if it ends, because a busy machine may cut off its first connection. */
export async function startVictim(
  env: Record<string, string>,
): Promise<{ victim: CliProcess; url: string }> {
  for (let tries = 1; ; tries++) {
    const victim = new CliProcess(['start'], env);
    try {
      const [, url] = await victim.waitFor(/Overworld is running at (http\S+)/);
      return { victim, url: url! };
    } catch (error) {
      if (tries === START_TRIES) throw error;
    }
  }
}

/** Runs a command to its end. */
export const runCli = (args: string[], env: Record<string, string> = {}): Promise<CliRun> =>
  new CliProcess(args, env).done;

/**
 * Runs a command to its end in this process, which spares the half second of CPU that a new process takes.
 * Run only one command at a time: everything on standard error counts as the command's output.
 */
export async function callCli(args: string[], env: Record<string, string> = {}): Promise<CliRun> {
  let stdout = '';
  let stderr = '';
  const { write } = process.stderr;
  process.stderr.write = (text) => {
    stderr += text.toString();
    return true;
  };
  try {
    const code = await runCommandLine(
      args,
      { ...DEFAULTS, ...env },
      {
        say: (line) => (stdout += `${line}\n`),
        complain: (line) => (stderr += `${line}\n`),
      },
    );
    return { code, stdout, stderr };
  } finally {
    process.stderr.write = write;
  }
}
