import type { Browser, BrowserContext, Page } from 'playwright-core';

/**
 * A URL without a page, whose answer has the same headers as the app's pages. If the headers differed,
 * the browser would start a new process for the next page.
 */
const PLAIN_PAGE = '/healthz/none';
const EVENTS = ['pageerror', 'console', 'dialog', 'request', 'requestfinished', 'response'];

/** A tab that has its own cookies and storage. */
export interface Tab {
  page: Page;
  context: BrowserContext;
}

/**
 * The tabs of one server. Each tab is reused for one visit after another. A tab that
 * has shown the app before has the app's code in memory, so a visit takes half the CPU.
 */
export interface Tabs {
  /** Gives a tab that shows a plain page and whose storage holds only these items. */
  take(items: Record<string, string>): Promise<Tab>;
  /** Takes a tab back after a visit. The tab keeps only scripts and devices that the test added. */
  giveBack(tab: Tab): Promise<void>;
  /** Opens a tab that is not reused for another visit. */
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
      // A handler of the visit may still be answering a request.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await context.unrouteAll({ behavior: 'ignoreErrors' });
      await context.setOffline(false);
      await context.clearCookies();
      // If the mouse stayed over an element, the next page would show the hint of that element.
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
