import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CallError, withDefaults } from './engine.ts';
import type { Engine, Game, GameOptions } from './engine.ts';

const unity = fileURLToPath(new URL('../unity/', import.meta.url));

let compiled: Promise<string> | undefined;

/** The core of the Unity package, run on a console by Mono. */
export const csharp: Engine = {
  name: 'C#',
  skip: process.env.HAS_MONO ? false : 'no Mono was found',
  keepsSaveText: true,
  async start(options) {
    compiled ??= compile();
    return await startGame(await compiled, options);
  },
};

/** Compiles the core and the console program that plays a game. */
async function compile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'overworld-csharp-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, 'driver.exe');
  const engine = ['Runtime/Unity/{UnityForms,WebStorage}.cs', 'Test~/Declarations/UnityEngine.cs'];
  const sources = ['Runtime/Core/*.cs', 'Test~/Console/*.cs', ...engine];
  await runCompiler([`-out:${program}`], sources);
  return program;
}

/** Runs Mono's compiler; every warning is an error. */
export async function runCompiler(options: string[], patterns: string[]): Promise<void> {
  const sources = globSync(patterns, { cwd: unity });
  // The language version of Unity 2021.
  const strict = ['-langversion:7', '-warnaserror', '-warn:4', '-r:System.Core.dll'];
  await promisify(execFile)('mcs', [...strict, ...options, ...sources], { cwd: unity });
}

async function startGame(program: string, options: GameOptions): Promise<Game> {
  // Mono's console uses the encoding of the locale, which a bare machine does not set.
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  const child = spawn('mono', [program], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let next_id = 1;
  const ended = once(child, 'close').then(() => {
    for (const { reject } of waiting.values()) reject(new Error('the game has ended'));
  });
  createInterface(child.stdout).on('line', (line) => {
    const { id, result, error } = JSON.parse(line);
    const call = waiting.get(id)!;
    waiting.delete(id);
    if (error) call.reject(new CallError(error));
    else call.resolve(result ?? null);
  });

  const game: Game = {
    call(name, args = {}) {
      const id = next_id++;
      const call = Promise.withResolvers<unknown>();
      waiting.set(id, call);
      child.stdin.write(`${JSON.stringify({ id, call: name, args })}\n`);
      return call.promise;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
  try {
    await game.call('open', withDefaults(options));
  } catch (error) {
    await game.kill();
    throw error;
  }
  return game;
}
