import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { unzipSync } from 'fflate';
import { chromium } from 'playwright-core';
import { withoutBrowser } from '../../packages/sdk/test/web-game.ts';
import { startTestServer } from '../../packages/server/test/harness.ts';
import type { TestGame, TestServer } from '../../packages/server/test/harness.ts';
import { packSdks } from '../pack.ts';

let server: TestServer;
let game: TestGame;
let folder: string;
before(async () => {
  server = await startTestServer();
  game = await server.makeGame();
  folder = await mkdtemp(join(tmpdir(), 'overworld-sdk-files-'));
});
after(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const load = async (file: string) => {
  const answer = await fetch(`${server.url}/sdk/${file}`);
  assert.equal(answer.status, 200, file);
  return new Uint8Array(await answer.arrayBuffer());
};

async function run(command: string, args: string[]): Promise<string> {
  const child = spawn(command, args, { cwd: folder });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  assert.equal(code, 0, output);
  return output;
}

test('npm installs the package from the server, without another registry', async () => {
  await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}');
  const offline = ['--registry', 'http://127.0.0.1:1', '--fetch-retries', '0', '--no-audit'];
  await run('npm', ['install', ...offline, `${server.url}/sdk/overworld-sdk.tgz`]);
  await writeFile(
    join(folder, 'game.js'),
    `import { Overworld } from '@overworld/sdk';
     const overworld = new Overworld({
       baseUrl: ${JSON.stringify(server.url)}, apiKey: ${JSON.stringify(game.development_key)},
     });
     const { rank } = await overworld.leaderboards.submit('best-run', 4200);
     console.log('rank', rank);`,
  );
  assert.equal(await run(process.execPath, ['game.js']), 'rank 1\n');
});

test('the addon unpacks into a Godot project, with every file that it has here', async () => {
  const files = unzipSync(await load('godot.zip'));
  const names = Object.keys(files);
  assert.deepEqual(
    names.filter((name) => !name.startsWith('addons/overworld/')),
    [],
  );
  for (const name of ['plugin.cfg', 'overworld.gd', 'LICENSE', 'core/transport.gd']) {
    const here = await readFile(new URL(`../godot/addons/overworld/${name}`, import.meta.url));
    assert.deepEqual(Buffer.from(files[`addons/overworld/${name}`]!), here, name);
  }
});

test('the package for Unity has what the Package Manager asks for, and no tests for other tools', async () => {
  await writeFile(join(folder, 'unity.tgz'), await load('unity.tgz'));
  const names = (await run('tar', ['-tzf', 'unity.tgz'])).trim().split('\n');
  for (const name of ['package.json', 'package.json.meta', 'Samples~/QuickStart/QuickStart.cs']) {
    assert.ok(names.includes(`package/${name}`), name);
  }
  assert.deepEqual(
    names.filter((name) => !name.startsWith('package/') || name.includes('Test~')),
    [],
  );
});

test('a page of another origin loads the module', { skip: withoutBrowser }, async () => {
  const pages = createServer((_request, answer) => {
    answer.setHeader('content-type', 'text/html');
    answer.end(`<!doctype html><link rel="icon" href="data:,"><script type="module">
      import { Overworld } from '${server.url}/sdk/overworld.js';
      const overworld = new Overworld({
        baseUrl: '${server.url}', apiKey: '${game.production_key}', playerId: 'page',
      });
      const { rank } = await overworld.leaderboards.submit('pages', 1);
      document.title = 'rank ' + rank;
    </script>`);
  });
  pages.listen(0, '127.0.0.1');
  await once(pages, 'listening');
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH,
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
    await page.waitForFunction('document.title === "rank 1"');
  } finally {
    await browser.close();
    pages.closeAllConnections();
    pages.close();
  }
});

test('the same sources make the same bytes, and they are those that the server gives out', async () => {
  for (const [file, bytes] of Object.entries(packSdks())) {
    assert.ok(Buffer.from(bytes).equals(await load(file)), file);
  }
});

test('the files do not depend on the umask of the user who packs them', async () => {
  const hashOf = `
    import { createHash } from 'node:crypto';
    import { packSdks } from ${JSON.stringify(new URL('../pack.ts', import.meta.url).href)};
    const hash = createHash('sha256');
    for (const bytes of Object.values(packSdks())) hash.update(bytes);
    console.log(hash.digest('hex'));`;
  await writeFile(join(folder, 'hash.mjs'), hashOf);
  const hash = (umask: string) =>
    run('sh', ['-c', `umask ${umask}; exec "$0" hash.mjs`, process.execPath]);
  assert.equal(await hash('077'), await hash('022'));
});
