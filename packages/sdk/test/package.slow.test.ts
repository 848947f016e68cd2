import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { startTestServer } from '../../server/test/harness.ts';
import type { TestGame, TestServer } from '../../server/test/harness.ts';
import { firstEventSnippets } from '../../dashboard/src/pages/first-run/snippets.ts';
import { sql } from '../../server/src/platform/database/sql.ts';
import { waitUntil } from '../../server/test/wait-until.ts';
import { listNumbers } from './client.ts';
import { openWebGame, withoutBrowser } from './web-game.ts';

const MAX_BROTLI_BYTES = 10_550;
const MAX_GZIP_BYTES = 11_550;

let server: TestServer;
let game: TestGame;
/** A project that has installed the package. */
let project: string;
let installed: string;
before(async () => {
  project = await mkdtemp(join(tmpdir(), 'overworld-sdk-'));
  server = await startTestServer();
  game = await server.makeGame();
  await writeFile(join(project, 'package.json'), '{"type":"module","private":true}');
  const install = ['install', '--no-audit', '--no-fund', `${server.url}/sdk/overworld-sdk.tgz`];
  const installing = await run('npm', install, project);
  assert.equal(installing.code, 0, installing.output);
  installed = join(project, 'node_modules/@overworld/sdk');
});
after(async () => {
  await server.close();
  await rm(project, { recursive: true });
});

test('the package has code, types, licence and description, and no dependencies', async () => {
  const files = await readdir(installed);
  assert.deepEqual(files.toSorted(), ['README.md', 'dist', 'package.json']);
  const built = await readdir(join(installed, 'dist'), { recursive: true });
  assert.ok(built.includes('LICENSE'));
  for (const name of [
    'overworld.js',
    'overworld.d.ts',
    'overworld.cjs',
    'overworld.d.cts',
    'file-store.js',
    'indexed-db-store.js',
    join('stores', 'file-store.d.ts'),
  ]) {
    assert.ok(built.includes(name), name);
  }
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  assert.equal(manifest.dependencies, undefined);
  const root = JSON.parse(
    await readFile(new URL('../../../package.json', import.meta.url), 'utf8'),
  );
  assert.equal(manifest.version, root.version);
});

test(`the package has under ${MAX_BROTLI_BYTES} bytes compressed with Brotli`, async (t) => {
  const file = await readFile(join(installed, 'dist/overworld.js'), 'utf8');
  // Bundlers leave this comment out.
  const code = file.replace(/\n\/\/# sourceMappingURL=.*/, '');
  const compressed = brotliCompressSync(code).length;
  const zipped = gzipSync(code, { level: 9 }).length;
  t.diagnostic(`${code.length} bytes, ${compressed} with Brotli, ${zipped} with gzip`);
  assert.ok(compressed < MAX_BROTLI_BYTES, `${compressed} bytes with Brotli`);
  assert.ok(zipped < MAX_GZIP_BYTES, `${zipped} bytes with gzip`);
});

test('the package runs on the Node of this machine, in a plain project', async (t) => {
  const node = findOtherNode();
  t.diagnostic(`Node ${(await run(node, ['--version'], project)).output.trim()}`);
  await writeFile(
    join(project, 'game.js'),
    `import { Overworld, OverworldError } from '@overworld/sdk';
     import { fileStore } from '@overworld/sdk/file-store';
     const options = {
       baseUrl: ${JSON.stringify(server.url)},
       apiKey: ${JSON.stringify(game.production_key)},
       playerId: 'node',
     };
     const first = new Overworld({ ...options, store: fileStore('./data') });
     first.track('step', { n: 1 });
     await first.stored();
     // As after a crash, another client finds the unsent events of this one.
     const next = new Overworld({ ...options, store: fileStore('./data') });
     next.track('step', { n: 2 });
     await next.saves.save({ level: 1 });
     await first.close();
     await next.close();
     const error = await next.achievements.unlock('none').catch((reason) => reason);
     console.log(error instanceof OverworldError, error.code);`,
  );
  const { code, output } = await run(node, ['game.js'], project);
  assert.deepEqual([code, output], [0, 'true not_found\n']);
  assert.deepEqual((await listNumbers(server, game, 'node')).toSorted(), [1, 2]);
});

test('a CommonJS project can require the package, and gets its types', async () => {
  const code = `const { Overworld, OverworldError } = require('@overworld/sdk');
     const { fileStore } = require('@overworld/sdk/file-store');
     const store = fileStore('./data-cjs');
     const overworld = new Overworld({ baseUrl: ${JSON.stringify(server.url)}, apiKey: 'wrong', store });
     overworld.config.load().catch((error) => {
       console.log(error instanceof OverworldError, error.code);
       return overworld.close({ timeoutMs: 0 });
     });`;
  await writeFile(join(project, 'game.cjs'), code);
  const ran = await run(findOtherNode(), ['game.cjs'], project);
  assert.deepEqual(ran, { code: 0, output: 'true unauthorized\n' });
  await writeFile(
    join(project, 'typed.cts'),
    `import sdk = require('@overworld/sdk');
     export const overworld = new sdk.Overworld({ baseUrl: 'http://x', apiKey: 'k' });
     // @ts-expect-error
     overworld.track(1);`,
  );
  const options = ['--module', 'nodenext', '--types', '', '--noEmit', '--strict'];
  const checked = await run('tsc', [...options, '--lib', 'es2022', 'typed.cts'], project);
  assert.deepEqual(checked, { code: 0, output: '' });
});

test('Node prints little code beside an error that nobody catches', async () => {
  const baseUrl = JSON.stringify(server.url);
  const code = {
    'wrong-key.js': `import { Overworld } from '@overworld/sdk';
      const overworld = new Overworld({ baseUrl: ${baseUrl}, apiKey: 'ow_dev_wrong' });
      await overworld.leaderboards.page('best-run');`,
    'wrong-server-key.js': `import { OverworldServer } from '@overworld/sdk/server';
      new OverworldServer({ baseUrl: ${baseUrl}, apiKey: 'ow_dev_wrong' });`,
  };
  for (const [name, text] of Object.entries(code)) {
    await writeFile(join(project, name), text);
    const ran = await run(findOtherNode(), [name], project);
    assert.equal(ran.code, 1);
    assert.match(
      ran.output,
      /Error: apiKey is no server key|\[?OverworldError\]?: Invalid API key/,
    );
    const longest = Math.max(...ran.output.split('\n').map((line) => line.length));
    assert.ok(longest < 250, ran.output);
  }
});

test('the code that the dashboard shows sends a first event', async () => {
  const snippets = firstEventSnippets(server.url, game.development_key);
  const { code } = snippets.find(({ name }) => name === 'TypeScript')!;
  await writeFile(join(project, 'first-event.js'), code);
  const sent = await run(findOtherNode(), ['first-event.js'], project);
  assert.deepEqual(sent, { code: 0, output: '' });
  await waitUntil('it is stored', async () => {
    const event = await server.database.queryOne(sql`
      SELECT FROM events
      WHERE game_id = ${game.game_id} AND environment = 'development'
        AND event_name = 'game_started'`);
    return event !== null;
  });
});

test('the types of the package need no types of the DOM or of Node, and reject wrong calls', async () => {
  await writeFile(
    join(project, 'game.ts'),
    `import { Overworld, OverworldError } from '@overworld/sdk';
     import type { ConflictPolicy, OverworldStore, Save, SaveConflict } from '@overworld/sdk';
     import { fileStore } from '@overworld/sdk/file-store';
     import { indexedDbStore } from '@overworld/sdk/indexed-db-store';
     interface State { level: number }
     const store: OverworldStore = fileStore('./data');
     export const overworld = new Overworld({ baseUrl: 'http://x', apiKey: 'k', store });
     new Overworld({ baseUrl: 'http://x', apiKey: 'k', store: indexedDbStore() });
     const highest = ({ ours, theirs }: SaveConflict<State>): State => ({
       level: Math.max(ours.level, theirs.level),
     });
     const policy: ConflictPolicy<State> = highest;
     const conflicts = { baseUrl: 'http://x', apiKey: 'k' };
     new Overworld({ ...conflicts, onSaveConflict: highest });
     new Overworld({ ...conflicts, onSaveConflict: policy });
     new Overworld({ ...conflicts, onSaveConflict: async ({ ours }) => ({ ...ours, level: 1 }) });
     // @ts-expect-error
     new Overworld({ ...conflicts, onSaveConflict: () => 1 });
     overworld.track('step', { n: 1 } satisfies { n: number });
     export const save: Save<State> | null = await overworld.saves.load<State>();
     await overworld.saves.save({ level: 1 }, {
       onConflict: ({ ours, theirs }) => ({ level: Math.max(ours.level, theirs.level) }),
     });
     const speed = overworld.config.get('speed', 1);
     export const isDouble: boolean = speed === 2;
     const mode = overworld.config.get('mode', 'easy');
     export const isHard: boolean = mode === 'hard';
     export const any: unknown = overworld.config.get('any', null);
     export const code = (error: unknown) => error instanceof OverworldError && error.code === 'offline';
     // @ts-expect-error
     overworld.track(1);
     // @ts-expect-error
     new Overworld({ baseUrl: 'http://x' });
     // @ts-expect-error
     await overworld.saves.save({ level: 1 }, { onConflict: 'mine' });
     // @ts-expect-error
     await overworld.leaderboards.submit('best-run', '1');`,
  );
  for (const module of ['nodenext', 'esnext']) {
    const resolution = module === 'esnext' ? 'bundler' : 'nodenext';
    const options = ['--module', module, '--moduleResolution', resolution, '--types', ''];
    const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022'];
    const args = [...options, ...strict, '--lib', 'es2022', 'game.ts'];
    const { code, output } = await run('tsc', args, project);
    assert.deepEqual([code, output], [0, ''], module);
  }
});

test(
  'the package runs in Chromium when it is bundled into a page',
  { skip: withoutBrowser },
  async () => {
    const main = await readFile(new URL('web-main.ts', import.meta.url), 'utf8');
    const entry = join(project, 'main.ts');
    const installed_main = main
      .replace('../src/overworld.ts', '@overworld/sdk')
      .replace('../src/stores/indexed-db-store.ts', '@overworld/sdk/indexed-db-store');
    await writeFile(entry, installed_main);
    await using web = await openWebGame(entry);
    const page = await web.browser.newPage();
    const options = { baseUrl: server.url, apiKey: game.production_key, playerId: 'page' };
    await page.goto(web.urlOf(options));
    await page.waitForFunction('globalThis.overworld');
    assert.equal(await page.evaluate('trackNumbers(1, 3), overworld.flush()'), true);
    assert.deepEqual(await listNumbers(server, game, 'page'), [1, 2, 3]);
  },
);

/** Finds a Node outside of `node_modules` in `PATH`; else the Node that runs the tests. */
function findOtherNode(): string {
  const folders = process.env.PATH!.split(delimiter);
  const paths = folders
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, 'node'));
  return paths.find((path) => existsSync(path)) ?? process.execPath;
}

function run(
  program: string,
  args: string[],
  cwd: string,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}
