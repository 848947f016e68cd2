import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { closeBrowser } from '../../../scripts/test/cpu-account.js';

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--mute-audio',
];

/**
 * The time in ms for which an unused browser waits for the next test file. Test files run one
 * after the other in one process, and share a browser because starting one takes a second of CPU.
 */
const LINGER_MS = 500;
let users = 0;
let shared: Promise<Browser> | undefined;

/** Returns the browser of this process. Each call needs a later call of `returnBrowser`. */
export function takeBrowser(): Promise<Browser> {
  users++;
  shared ??= chromium.launch({ executablePath: process.env.CHROMIUM_PATH, args: ARGUMENTS });
  return shared;
}

export function returnBrowser(): void {
  users--;
  setTimeout(() => {
    if (users > 0) return;
    void shared?.then((browser) => closeBrowser(() => browser.close()));
    shared = undefined;
  }, LINGER_MS);
}
