import type { Browser, BrowserContext, Page } from 'playwright-core';

/**
 * An address without a page, whose answer has the headers of the app's pages: a browser starts a new
 * process for the next page if they differ.
 */
const PLAIN_PAGE = '/healthz/none';
const EVENTS = ['pageerror', 'console', 'dialog', 'request', 'requestfinished', 'response'];

/** A tab with cookies and storage of its own. */
export interface Tab {
  page: Page;
  context: BrowserContext;
}

/**
 * Tabs of one server, each for one visit after another. A tab that has shown the app before has its
 * code in memory, so a visit takes half the CPU.
 */
export interface Tabs {
  /** Gives a tab at a plain page. Its storage holds only these items. */
  take(items: Record<string, string>): Promise<Tab>;
  /** Takes a tab back: it keeps nothing of its visit but scripts and devices that a test added. */
  giveBack(tab: Tab): Promise<void>;
  /** Opens a tab that no other visit gets. */
  open(items: Record<string, string>): Promise<Tab>;
  close(): Promise<void>;
}

export function createTabs(browser: Browser, url: string, patience_ms: number): Tabs {
  const contexts: BrowserContext[] = [];
  const free: Tab[] = [];

  const open = async () => {
    const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce' });
    contexts.push(context);
    context.setDefaultTimeout(patience_ms);
    const page = await context.newPage();
    await page.goto(PLAIN_PAGE);
    return { page, context };
  };
  const fill = async (tab: Tab, items: Record<string, string>) => {
    await tab.page.evaluate(`{
      localStorage.clear();
      sessionStorage.clear();
      Object.assign(localStorage, ${JSON.stringify(items)});
    }`);
    return tab;
  };
  return {
    async take(items) {
      return fill(free.pop() ?? (await open()), items);
    },
    async giveBack(tab) {
      const { page, context } = tab;
      for (const event of EVENTS) page.removeAllListeners(event);
      for (const other of context.pages()) if (other !== page) await other.close();
      // A handler may still be at work for a request of the visit.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await context.unrouteAll({ behavior: 'ignoreErrors' });
      await context.setOffline(false);
      await context.clearCookies();
      // Otherwise the next page would show the hint of the element under the mouse.
      await page.mouse.move(-1, -1);
      await page.goto(PLAIN_PAGE);
      free.push(tab);
    },
    async open(items) {
      return fill(await open(), items);
    },
    async close() {
      for (const context of contexts) await context.close();
    },
  };
}
