import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import type { OverworldOptions } from '../../packages/sdk/src/overworld.ts';
import type { WebGame } from '../../packages/sdk/test/web-game.ts';
import { endAtExit } from '../machine/endings.ts';
import type { Said } from './bot.ts';

/** A game that a bot plays until a fault strikes it. */
export interface Player {
  readonly stream: string;
  /** Begins to play, or begins again after the game has ended. */
  start(): Promise<void>;
  /** Ends the game without warning, or in an everyday way. */
  strike(kind: number): Promise<string>;
  /** Ends the game for good. */
  end(): Promise<void>;
}

const NODE_BOT = fileURLToPath(new URL('node-bot.ts', import.meta.url));
/** The first start of a game numbers its events from 0, the next from 1,000,000, so numbers always rise. */
export const EVENTS_OF_A_LIFE = 1_000_000;

/** A game as a process of Node that keeps its events in a folder. */
export function createNodePlayer(settings: {
  stream: string;
  folder: string;
  options: Partial<OverworldOptions>;
  onSaid: (said: Said) => void;
}): Player {
  const { stream, onSaid } = settings;
  let child: ChildProcess | null = null;
  let life = 0;
  const kill = async (signal: NodeJS.Signals) => {
    if (child === null) return;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
    child = null;
  };
  return {
    stream,
    async start() {
      const first = life++ * EVENTS_OF_A_LIFE;
      const started = spawn(process.execPath, [NODE_BOT, JSON.stringify({ ...settings, first })], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      child = started;
      const forget = endAtExit(() => started.kill('SIGKILL'));
      started.on('close', forget);
      const lines = createInterface(started.stdout);
      lines.on('line', (line) => onSaid(JSON.parse(line) as Said));
      await once(lines, 'line');
    },
    async strike() {
      await kill('SIGKILL');
      await this.start();
      return 'SIGKILL of a game on Node';
    },
    end: () => kill('SIGKILL'),
  };
}

/** A game as a tab of a browser that keeps its events in localStorage. */
export function createTabPlayer(settings: {
  stream: string;
  web: WebGame;
  context: BrowserContext;
  options: Partial<OverworldOptions>;
}): Player {
  const { stream, web, context, options } = settings;
  const url = web.urlOf({ stream, isPlaying: true, options });
  let page: Page | null = null;
  const waitUntilPlaying = () => page!.waitForFunction('globalThis.overworld', { timeout: 60_000 });
  return {
    stream,
    async start() {
      page = await context.newPage();
      await page.goto(url);
      await waitUntilPlaying();
    },
    async strike(kind) {
      if (kind === 0) {
        // The tab's renderer is gone at once, so no handler of the page runs.
        await page!.goto('chrome://crash').catch(() => undefined);
        await page!.close();
        await this.start();
        return 'crash of a tab';
      }
      if (kind === 1) {
        await page!.close();
        await this.start();
        return 'end of a tab';
      }
      await page!.reload();
      await waitUntilPlaying();
      return 'reload of a tab';
    },
    async end() {
      await page?.close();
    },
  };
}

/** Makes a function that returns, at each start of a tab, the number of the tab's first event. */
export function createLives(): () => number {
  let life = 0;
  return () => life++ * EVENTS_OF_A_LIFE;
}
