import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CallError, withDefaults } from '../engine.ts';
import type { Engine, Game } from '../engine.ts';
import { godotBin, prepareProject } from './project.ts';

/** A game that a script error stops would run for ever. */
const LONGEST_RUN_MS = 600_000;
const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** The beginnings of the hints that the addon gives to developers. */
const HINTS = /^(\[Overworld\] |Overworld\.start: )/;

export const makeGodot = (project: ProjectOptions = {}): Engine => ({
  name: 'Godot',
  skip: godotBin ? false : 'no Godot was found',
  keepsSaveText: false,
  async start(options) {
    const { base_url, api_key, ...rest } = withDefaults(options);
    const game = await openProject(project);
    await game.call('start', { base_url, api_key, options: rest });
    return game;
  },
});

/** The Godot addon in the real engine, without a screen. */
export const godot = makeGodot();

export interface GodotGame extends Game {
  /**
   * Runs GDScript, the body of a function with the parameters `tree` and `args`. Resolves to the value that it
   * returns.
   */
  // oxlint-disable-next-line no-explicit-any
  run(code: string, args?: Record<string, unknown>): Promise<any>;
  /** Resolves when the game has ended by itself. Rejects as `kill` does. */
  readonly ended: Promise<void>;
  readonly isOver: boolean;
}

export interface ProjectOptions {
  /** A project that `copySources` and `importProject` have made; by default one that all tests share. */
  folder?: string;
  /** An exported game to run instead of a project. */
  pack?: string;
  /** The home of the player, for `user://`; by default a new folder. It stays when the game ends. */
  home?: string;
  /** Further words that the engine may say, because of a fault that the test makes. */
  expected?: RegExp;
  /** A command that runs Godot, such as `prlimit`, with its arguments. */
  runner?: string[];
}

/**
 * Runs a project that has the driver, in a process and a home of its own. `kill` ends the process by
 * SIGKILL. It rejects if the engine or a script said an error or a warning that is no hint of the addon.
 */
export async function openProject(options: ProjectOptions = {}): Promise<GodotGame> {
  const game_args = options.pack
    ? ['--main-pack', options.pack]
    : ['--path', options.folder ?? (await prepareProject())];
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'overworld-home-')));
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const run = [...(options.runner ?? []), godotBin, '--headless', ...game_args, '--', `${port}`];
  const child = spawn(run[0]!, run.slice(1), {
    env: { ...process.env, HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.add(child);
  const killNow = () => void child.kill('SIGKILL');
  const limit = setTimeout(killNow, LONGEST_RUN_MS);
  let said = '';
  const findSurprises = () => listSurprises(said).filter((words) => !options.expected?.test(words));
  child.stderr.on('data', (text) => {
    said += text;
    // A function that fails answers no call.
    if (findSurprises().length > 0) killNow();
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();

  const ended = once(child, 'close').then(async () => {
    clearTimeout(limit);
    running.delete(child);
    server.close();
    for (const { reject } of waiting.values()) reject(new Error(`the game has ended:\n${said}`));
    waiting.clear();
    if (!options.home) await rm(home, { recursive: true });
    const surprises = findSurprises();
    if (surprises.length > 0) throw new Error(`Godot said:\n${surprises.join('\n')}\n\n${said}`);
  });
  // Each caller of `kill` learns it.
  ended.catch(() => undefined);

  const socket = await Promise.race([
    once(server, 'connection').then(([connected]) => connected as Socket),
    ended.then(() => Promise.reject(new Error(`the game did not connect: ${said}`))),
  ]);
  socket.setNoDelay(true).on('error', () => undefined);
  createInterface(socket)
    .on('line', (line) => {
      const { id, result, error } = JSON.parse(line);
      const call = waiting.get(id)!;
      waiting.delete(id);
      if (error) call.reject(new CallError(error));
      else call.resolve(result ?? null);
    })
    .on('error', () => undefined);
  let next_id = 1;
  const game: GodotGame = {
    ended,
    get isOver() {
      return child.exitCode !== null || child.signalCode !== null;
    },
    call(name, args = {}) {
      const id = next_id++;
      const call = Promise.withResolvers<unknown>();
      if (game.isOver) {
        call.reject(new Error(`the game has ended: ${said}`));
        return call.promise;
      }
      waiting.set(id, call);
      socket.write(`${JSON.stringify({ id, call: name, args })}\n`);
      return call.promise;
    },
    run: (code, args = {}) => game.call('run', { code, args }),
    async kill() {
      killNow();
      await ended;
    },
  };
  return game;
}

/** Lists the errors and warnings in the output of Godot that are no hints of the addon. */
function listSurprises(said: string): string[] {
  const heads = said.matchAll(/^(?:USER )?(?:SCRIPT )?(?:ERROR|WARNING): (.*)\n/gm);
  return [...heads].map(([, words]) => words!).filter((words) => !HINTS.test(words));
}
