import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

const PHONE = { width: 390, height: 600 };

/** Loads the questions of a phone into the page, once for all visits. */
export async function loadPhoneQuestions(page: Page): Promise<void> {
  await page.evaluate(await readFile(new URL('phone-questions.js', import.meta.url), 'utf8'));
}

/** Returns what a thumb cannot hit and an eye cannot read on the page, at its present width. */
export async function findPhoneProblems(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    '[...new Set([...findSmallTargets(), ...findCutTexts(), ...findTouchingTexts()])]',
  );
}

/** Returns the buttons of the open dialog that a phone would not show before somebody scrolls. */
export async function findHiddenSubmits(page: Page): Promise<string[]> {
  const size = page.viewportSize()!;
  await page.setViewportSize(PHONE);
  const hidden = await page.evaluate<string[]>('findHiddenSubmits()');
  await page.setViewportSize(size);
  return hidden;
}
