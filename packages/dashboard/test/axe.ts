import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { until } from './browser.ts';

/**
 * Loads axe into the page, once for all checks: to load it for each check takes twice as long. Removes
 * transitions, because the colours during a transition belong to neither theme.
 */
export async function loadAxe(page: Page): Promise<void> {
  const path = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));
  await page.evaluate(await readFile(path, 'utf8'));
  await page.evaluate(`{
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition: none !important }');
    document.adoptedStyleSheets.push(still);
  }`);
}

export type Theme = 'light' | 'dark';

export async function setTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await until(`the ${theme} theme`, () =>
    page.evaluate(`document.documentElement.dataset.mantineColorScheme === '${theme}'`),
  );
}

/**
 * Returns the violations of these rules in a part of the page. By default, checks all rules except the
 * disabled ones.
 */
export async function findViolations(
  page: Page,
  part: string,
  rules?: string[],
  disabled: string[] = [],
) {
  const options: RunOptions = {
    resultTypes: ['violations'],
    preload: false,
    ...(rules ? { runOnly: rules } : {}),
    rules: Object.fromEntries(disabled.map((rule) => [rule, { enabled: false }])),
  };
  const results = await page.evaluate(
    `axe.run(document.querySelector('${part}'), ${JSON.stringify(options)})`,
  );
  return (results as AxeResults).violations;
}
