import type { Page } from 'playwright-core';
import { until } from './browser.ts';

/** The text of a page, and the names of the controls that it offers. */
interface Offers {
  text: string;
  /** The names of the controls on the page itself and in its menus. */
  onPage: string[];
  /** The names of the controls in the dialogs that only show something. */
  inDialogs: string[];
}

/** Reads all tabs of a page, the menus in the tabs, and the dialogs that the buttons "Show …" open. */
export async function readOffers(page: Page): Promise<Offers> {
  const offers: Offers = { text: '', onPage: [], inDialogs: [] };
  await readTab(page, offers);
  for (const tab of (await page.getByRole('tab').all()).slice(1)) {
    await tab.click();
    await until('it shows', async () => (await tab.getAttribute('aria-selected')) === 'true');
    await readTab(page, offers);
  }
  return offers;
}

async function readTab(page: Page, offers: Offers): Promise<void> {
  const main = page.locator('main');
  await settle(page);
  offers.text += await main.innerText();
  offers.onPage.push(...(await listNames(page, 'main')));
  for (const button of await main.locator('[aria-haspopup=menu]').all()) {
    await button.click();
    const menu = page.getByRole('menu');
    await menu.waitFor();
    offers.onPage.push(...(await listNames(page, '[role=menu]')));
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
  }
  for (const button of await main.getByRole('button', { name: /^Show (?!more|\d+ days)/ }).all()) {
    await button.click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await settle(page);
    offers.text += await dialog.innerText();
    offers.inDialogs.push(...(await listNames(page, '[role=dialog]')));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  }
  const older = main.getByRole('button', { name: /^Version \d/, pressed: false });
  if ((await older.count()) > 0) {
    await older.first().click();
    await settle(page);
    offers.onPage.push(...(await listNames(page, 'main')));
  }
}

const settle = (page: Page) =>
  until('all is loaded', async () => (await page.locator('[aria-busy=true]').count()) === 0);

/**
 * Lists the names of the enabled controls. Leaves out tabs, the table heads that sort, and read-only fields.
 * But lists a select outside a dialog, although the field of a select is always read-only.
 */
const listNames = (page: Page, within: string) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('${within} *')]
    .filter((each) => each.matches('button, input, textarea, [role=button], [role=menuitem]'))
    .filter((each) => !each.matches(':disabled, [type=hidden], [role=tab], th *'))
    .filter((each) => !each.readOnly || each.matches('[aria-haspopup]:not([role=dialog] *)'))
    .map((each) => each.ariaLabel || (each.labels?.[0] ?? each).innerText || each.placeholder || '')
    .map((name) => name.replace(/\\s+/g, ' ').trim())`);
