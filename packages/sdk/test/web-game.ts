import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import type { OverworldOptions } from '../src/overworld.ts';

/** What `describe` and `test` skip by when there is no browser; CI has one. */
export const withoutBrowser = process.env.CHROMIUM_PATH ? false : 'no Chromium was found';

export const SOURCE = fileURLToPath(new URL('../src/overworld.ts', import.meta.url));

/** A page of its own origin that has made a client: `overworld`, beside all of the SDK as `sdk`. */
export interface WebGame extends AsyncDisposable {
  browser: Browser;
  /** Address of the page; it makes a client of these options as it loads. */
  urlOf(options: Partial<OverworldOptions>): string;
}

const MAIN = `
globalThis.sdk = sdk;
globalThis.drops = [];
if (globalThis.document) {
  const options = JSON.parse(decodeURIComponent(location.search.slice(1)));
  globalThis.overworld = new sdk.Overworld({ ...options, onDrop: (drop) => drops.push(drop) });
  globalThis.trackNumbers = (from, to) => {
    for (let n = from; n <= to; n++) overworld.track('step', { n });
  };
} else {
  onmessage = async ({ data }) => postMessage(await new Function('return ' + data)()());
}`;

/** @param specifier Of the SDK: the source, or the package for a project that has it. */
export async function openWebGame(specifier: string, project?: string): Promise<WebGame> {
  const folder = project ?? (await mkdtemp(join(tmpdir(), 'overworld-sdk-')));
  const entry = join(folder, 'main.js');
  await writeFile(entry, `import * as sdk from ${JSON.stringify(specifier)};\n${MAIN}`);
  const bundle = await rolldown({ input: entry, platform: 'browser' });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const server = createServer((request, response) => {
    const isCode = request.url === '/main.js';
    response.setHeader('content-type', isCode ? 'text/javascript' : 'text/html');
    response.end(
      isCode
        ? output[0].code
        : '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>',
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  return {
    browser,
    urlOf: (options) => `http://127.0.0.1:${port}/?${encodeURIComponent(JSON.stringify(options))}`,
    async [Symbol.asyncDispose]() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (project === undefined) await rm(folder, { recursive: true });
    },
  };
}
