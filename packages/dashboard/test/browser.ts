import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { startTestServer } from '../../server/test/harness.ts';
import type { TestGame, TestServer, TestServerOptions } from '../../server/test/harness.ts';
import { returnBrowser, takeBrowser } from './shared-browser.ts';
import { createTabs } from './tabs.ts';
import type { Tabs } from './tabs.ts';

/** The reason to skip browser tests on a machine without a browser; CI has one. */
export const withoutBrowser = process.env.CHROMIUM_PATH ? false : 'no Chromium was found';

/** A time limit that is long enough on a machine that is busy with other tests. */
const PATIENCE_MS = 60_000;

/** The groups of the navigation, as the dashboard keeps them in the browser. */
const ALL_GROUPS_OPEN = JSON.stringify({
  Watch: true,
  Players: true,
  Live: true,
  Build: true,
  Studio: true,
});

export interface Visit {
  page: Page;
  context: BrowserContext;
  close(): Promise<void>;
}

export interface VisitOptions {
  token?: string;
  theme?: 'light' | 'dark';
  width?: number;
  /** Another host name of this machine for the URL, such as `localhost`. */
  host?: string;
  /** True for a reader who has opened no group of the navigation; otherwise all groups are open. */
  isNewReader?: boolean;
  /** True for tests that add scripts or devices: the visit gets a new browser context. */
  isAlone?: boolean;
  /** Problems that the test causes on purpose, such as `/401/`. */
  expected?: RegExp;
}

/** A real server and a real browser, shared by the tests of a file. */
export interface Stage {
  server: TestServer;
  /** Opens a page, logged in with the token, or without a login if there is no token. */
  visit(path: string, options?: VisitOptions): Promise<Visit>;
  close(): Promise<void>;
}

/**
 * Starts the server and the browser. Closing a page fails if the page called another server or raised an
 * error.
 */
export async function openStage(options: TestServerOptions = {}): Promise<Stage> {
  const [server, browser] = await Promise.all([startTestServer(options), takeBrowser()]);
  /** The open tabs, with the host name in their URLs as the key. */
  const hosts = new Map<string, Tabs>();
  return {
    server,
    async visit(path, visiting = {}) {
      const { token, theme = 'light', width = 1440, host = '127.0.0.1', expected } = visiting;
      const url = server.url.replace('127.0.0.1', host);
      const tabs = hosts.get(host) ?? createTabs(browser, url, PATIENCE_MS);
      hosts.set(host, tabs);
      const items: Record<string, string> = token ? { 'overworld.token': token } : {};
      if (!visiting.isNewReader) items['overworld.navigation'] = ALL_GROUPS_OPEN;
      const tab = await (visiting.isAlone ? tabs.open(items) : tabs.take(items));
      const { page, context } = tab;
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ media: null, colorScheme: theme });
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
          if (visiting.isAlone) await context.close();
          else await tabs.giveBack(tab);
          assert.deepEqual(problems, []);
        },
      };
    },
    async close() {
      for (const tabs of hosts.values()) await tabs.close();
      returnBrowser();
      await server.close();
    },
  };
}

/** The URL path of a page of a game. */
export const gamePath = ({ game_id }: TestGame, page: string, environment = 'production') =>
  `/games/${game_id}/${environment}/${page}`;

/** Goes to another page of the app as a link does, without a reload, and waits for the new content. */
export async function go(page: Page, path: string, heading?: string): Promise<void> {
  await page.evaluate(
    // The app marks the page as busy only when it is first idle after the change of the URL. Until then the
    // page looks as if it had its content.
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'));
     new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: 20_000 }))`,
  );
  await page.getByRole('heading', { name: heading, exact: true, level: 1 }).waitFor();
  await until(`${path} has its content`, async () => {
    const settled = (await page.locator('[aria-busy=true]').count()) === 0;
    return settled && (await page.getByRole('heading', { level: 1 }).count()) === 1;
  });
}

/** Presses Undo in the notification that contains the text `what`. */
export async function undo(page: Page, what: string): Promise<void> {
  const message = page.getByRole('alert').filter({ hasText: what });
  await message.getByRole('button', { name: 'Undo' }).click();
}

/** Chooses an option of the open list by the arrow keys. */
export async function chooseByKeys(page: Page, name: string): Promise<void> {
  const option = page.getByRole('option', { name });
  for (let presses = 0; presses < 20; presses++) {
    await page.keyboard.press('ArrowDown');
    if ((await option.getAttribute('data-combobox-selected').catch(() => null)) !== null) {
      await page.keyboard.press('Enter');
      return;
    }
  }
  throw new Error(`The arrow keys do not lead to ${name}`);
}

/** Waits until the condition holds. If it never does, the error contains `what`. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (Date.now() > deadline) assert.fail(`never: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
