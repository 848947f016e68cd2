import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rolldown } from 'rolldown';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

/** The reason to skip tests on a machine without a browser; CI has one. */
export const withoutBrowser = process.env.CHROMIUM_PATH ? false : 'no Chromium was found';

/** A page on an origin of its own, and a browser to open it. */
export interface WebGame extends AsyncDisposable {
  browser: Browser;
  /** Makes the URL of the page, with the options as JSON in `location.search`. */
  urlOf(options: unknown): string;
}

const HTML =
  '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>';

/** @param entry The module that the page and its workers run. It is served as `/main.js`. */
export async function openWebGame(
  entry: string,
  chromium_path = process.env.CHROMIUM_PATH,
): Promise<WebGame> {
  const bundle = await rolldown({ input: entry, platform: 'browser' });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const server = createServer((request, response) => {
    const isCode = request.url === '/main.js';
    response.setHeader('content-type', isCode ? 'text/javascript' : 'text/html');
    response.end(isCode ? output[0].code : HTML);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const browser = await chromium.launch({
    executablePath: chromium_path,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  return {
    browser,
    urlOf: (options) => `http://127.0.0.1:${port}/?${encodeURIComponent(JSON.stringify(options))}`,
    async [Symbol.asyncDispose]() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
