import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { packProject } from './pack.ts';

/** The web build of a game on an origin of its own, and a browser that can draw it without a graphics card. */
export interface GameSite extends AsyncDisposable {
  browser: Browser;
  /** Makes the URL of the game, which gets these arguments on its command line. */
  urlOf(args: string[]): string;
}

const TYPES: { [extension: string]: string } = {
  js: 'text/javascript',
  wasm: 'application/wasm',
};
const PAGE = `<!doctype html><link rel="icon" href="data:,">
<style>body { margin: 0 } canvas { display: block; width: 100vw; height: 100vh }</style>
<canvas id="canvas" tabindex="0"></canvas>
<script src="index.js"></script>
<script>
  const args = JSON.parse(decodeURIComponent(location.search.slice(1) || '[]'));
  const canvas = document.getElementById('canvas');
  const engine = new Engine({
    executable: 'index', args: ['--', ...args], canvas, canvasResizePolicy: 2, fileSizes: {}, gdextensionLibs: [],
    ensureCrossOriginIsolationHeaders: false, focusCanvas: true, experimentalVK: false, persistentPaths: ['/userfs'],
  });
  engine.startGame({ onPrint: (...words) => console.log(...words), onPrintError: (...words) => console.error(...words) })
    .catch((error) => console.error('ERROR: ' + error));
</script>`;

/** @param folder An imported project. @param template The folder of Godot's web template. */
export async function openGameSite(folder: string, template: string): Promise<GameSite> {
  const pack = await packProject(folder);
  const server = createServer(async (request, response) => {
    const name = new URL(request.url!, 'http://game').pathname.slice(1);
    response.setHeader('content-type', TYPES[name.split('.').at(-1)!] ?? 'text/html');
    if (name === '') response.end(PAGE);
    else if (name === 'index.pck') response.end(pack);
    else if (/^index\.[\w.]+$/.test(name)) response.end(await readFile(join(template, name)));
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--disable-background-networking',
    ],
  });
  return {
    browser,
    urlOf: (args) => `http://127.0.0.1:${port}/?${encodeURIComponent(JSON.stringify(args))}`,
    async [Symbol.asyncDispose]() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
