import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startTestServer } from '../../server/test/harness.ts';
import type { TestGame, TestServer, TestServerOptions } from '../../server/test/harness.ts';

/** The reason to skip browser tests on a machine without a browser; CI has one. */
export const withoutBrowser = process.env.CHROMIUM_PATH ? false : 'no Chromium was found';

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** Long enough on a machine that is busy with other tests. */
const PATIENCE_MS = 60_000;

export interface Visit {
  page: Page;
  context: BrowserContext;
  close(): Promise<void>;
}

export interface VisitOptions {
  token?: string;
  theme?: 'light' | 'dark';
  width?: number;
  /** Another name of the machine in the address, such as `localhost`. */
  host?: string;
  /** Problems that the test causes on purpose, such as `/401/`. */
  expected?: RegExp;
}

/** A real server and a real browser, shared by the tests of a file. */
export interface Stage {
  server: TestServer;
  /** Opens a page as the holder of the token, or without a login. */
  visit(path: string, options?: VisitOptions): Promise<Visit>;
  close(): Promise<void>;
}

/** Test files of one process come one after the other, and share a browser: a start takes a second of CPU. */
const LINGER_MS = 500;
let stages = 0;
let shared: Promise<Browser> | undefined;

function takeBrowser(): Promise<Browser> {
  stages++;
  shared ??= chromium.launch({ executablePath: process.env.CHROMIUM_PATH, args: ARGUMENTS });
  return shared;
}

function returnBrowser(): void {
  stages--;
  setTimeout(() => {
    if (stages > 0) return;
    void shared?.then((browser) => browser.close());
    shared = undefined;
  }, LINGER_MS);
}

/** Starts the stage. Closing a page fails if it asked another server or raised an error. */
export async function openStage(options: TestServerOptions = {}): Promise<Stage> {
  const contexts: BrowserContext[] = [];
  const [server, browser] = await Promise.all([startTestServer(options), takeBrowser()]);
  return {
    server,
    async visit(path, { token, theme = 'light', width = 1440, host = '127.0.0.1', expected } = {}) {
      const url = server.url.replace('127.0.0.1', host);
      const context = await browser.newContext({
        baseURL: url,
        colorScheme: theme,
        viewport: { width, height: 900 },
        reducedMotion: 'reduce',
      });
      contexts.push(context);
      context.setDefaultTimeout(PATIENCE_MS);
      if (token) {
        await context.addInitScript(
          `if (!sessionStorage.begun) { sessionStorage.begun = 1; localStorage.setItem('overworld.token', ${JSON.stringify(token)}); }`,
        );
      }
      const page = await context.newPage();
      const problems: string[] = [];
      const note = (problem: string) => {
        if (!expected?.test(problem)) problems.push(problem);
      };
      page.on('pageerror', (error) => note(`error: ${error.message}`));
      page.on('console', (message) => {
        if (message.type() === 'error') note(`console: ${message.text()}`);
      });
      page.on('dialog', (dialog) => note(`dialog: ${dialog.message()}`));
      page.on('request', (request) => {
        const { origin, protocol } = new URL(request.url());
        if (protocol.startsWith('http') && origin !== url) note(`asked ${request.url()}`);
      });
      await page.goto(path);
      return {
        page,
        context,
        async close() {
          await context.close();
          assert.deepEqual(problems, []);
        },
      };
    },
    async close() {
      for (const context of contexts) await context.close();
      returnBrowser();
      await server.close();
    },
  };
}

/** Address of a page of a game. */
export const gamePath = ({ game_id }: TestGame, page: string, environment = 'production') =>
  `/games/${game_id}/${environment}/${page}`;

/** Goes to another page of the app as its links do, without loading it anew; waits for its content. */
export async function go(page: Page, path: string, heading?: string): Promise<void> {
  await page.evaluate(
    // The page may look settled until it begins to show the next one.
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'));
     new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: 2_000 }))`,
  );
  await page.getByRole('heading', { name: heading, exact: true, level: 1 }).waitFor();
  await until(`${path} has its content`, async () => {
    const settled = (await page.locator('[aria-busy=true]').count()) === 0;
    return settled && (await page.getByRole('heading', { level: 1 }).count()) === 1;
  });
}

/** Presses Undo in the message in the corner that holds the text. */
export async function undo(page: Page, what: string): Promise<void> {
  const message = page.getByRole('alert').filter({ hasText: what });
  await message.getByRole('button', { name: 'Undo' }).click();
}

/** Waits until the condition holds, and names it when it never does. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (Date.now() > deadline) assert.fail(`never: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
