import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { build as buildWithVite } from 'vite';
import { startTestServer } from '../../server/test/harness.ts';
import type { TestGame, TestServer } from '../../server/test/harness.ts';
import { withoutBrowser } from './web-game.ts';

const TOOLS = fileURLToPath(new URL('toolchains/', import.meta.url));
const OWN_COMPILER = fileURLToPath(import.meta.resolve('typescript/package.json')).replace(
  'package.json',
  'bin/tsc',
);

let server: TestServer;
let game: TestGame;
/** A project that has the package of the server, and the tools of `toolchains/package.json`. */
let project: string;
before(async () => {
  server = await startTestServer();
  game = await server.makeGame();
  project = await mkdtemp(join(tmpdir(), 'overworld-toolchains-'));
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
    await cp(join(TOOLS, name), join(project, name));
  }
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  const unsaved = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...unsaved, `${server.url}/sdk/overworld-sdk.tgz`]);
  const options = { baseUrl: server.url, apiKey: game.development_key };
  await writeFile(
    join(project, 'options.ts'),
    `export const options = ${JSON.stringify(options)};`,
  );
  await writeFile(join(project, 'game.ts'), GAME);
  const esbuild = join(project, 'node_modules/esbuild/bin/esbuild');
  await run(esbuild, ['options.ts', 'game.ts', '--outdir=plain', '--format=esm']);
});
after(async () => {
  await server.close();
  await rm(project, { recursive: true });
});

async function run(command: string, args: string[]): Promise<string> {
  const child = spawn(command, args, { cwd: project });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  assert.equal(code, 0, `${command} ${args.join(' ')}\n${output}`);
  return output;
}

/** Submits a score by the bundled SDK, and prints the rank. */
const GAME = `
  import { Overworld, OverworldError } from '@overworld/sdk';
  import { options } from './options';
  const overworld = new Overworld(options);
  overworld.leaderboards.submit('best-run', 4200).then(
    ({ rank }) => console.log('rank', rank),
    (error: OverworldError) => console.log(error.message),
  );
`;

const RANK = /^rank \d+\n$/;

const TYPED = `
  import { Overworld, OverworldError } from '@overworld/sdk';
  import type { ConflictPolicy, OverworldOptions, OverworldStore, SaveConflict } from '@overworld/sdk';
  import { fileStore } from '@overworld/sdk/file-store';
  import { indexedDbStore } from '@overworld/sdk/indexed-db-store';
  import { OverworldServer } from '@overworld/sdk/server';
  export const studio = new OverworldServer({ baseUrl: 'http://x', apiKey: 'ow_srv_dev_k' });
  interface Progress { level: number; coins: number }
  const merge = ({ ours, theirs, base }: SaveConflict<Progress>): Progress => ({
    level: Math.max(ours.level, theirs.level),
    coins: theirs.coins + ours.coins - (base?.coins ?? 0),
  });
  const policy: ConflictPolicy<Progress> = merge;
  const store: OverworldStore = fileStore('./data');
  const options: OverworldOptions = { baseUrl: 'http://x', apiKey: 'k', store, onSaveConflict: merge };
  export const overworld = new Overworld(options);
  new Overworld({ ...options, store: indexedDbStore(), onSaveConflict: policy });
  new Overworld({ ...options, onSaveConflict: async (conflict: SaveConflict<Progress>) => merge(conflict) });
  new Overworld({ ...options, onSaveConflict: ({ ours, theirs }) => ({ ...theirs, ...ours }) });
  export async function play(): Promise<number> {
    const save = await overworld.saves.load<Progress>();
    const { data } = await overworld.saves.save({ level: 1, coins: save?.data.coins ?? 0 }, {
      onConflict: merge,
    });
    overworld.track('step', { n: 1 });
    const speed: number = overworld.config.get('speed', 1);
    return data.coins * speed;
  }
  export const isOffline = (error: unknown) =>
    error instanceof OverworldError && error.code === 'offline';
  // @ts-expect-error
  overworld.track(1);
  // @ts-expect-error
  new Overworld({ ...options, onSaveConflict: () => 1 });
  // @ts-expect-error
  overworld.saves.save({ level: 1 }, { onConflict: 'mine' });
`;

const RESOLUTIONS = {
  node10: { module: 'commonjs', moduleResolution: 'node10' },
  node16: { module: 'node16', moduleResolution: 'node16' },
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
  'React Native': {
    module: 'esnext',
    moduleResolution: 'bundler',
    customConditions: ['react-native'],
  },
};
/** A file of each kind: by `package.json` CommonJS, and by its name an ES module and CommonJS. */
const FILES = ['typed.ts', 'typed.mts', 'typed.cts'];

for (const version of ['5.0', '5.4', '5.9', '6.0', '7.0']) {
  test(`the types compile under TypeScript ${version} with every resolution`, async () => {
    const path = `node_modules/typescript-${version}/bin/tsc`;
    const compiler = version === '7.0' ? OWN_COMPILER : join(project, path);
    for (const name of FILES) await writeFile(join(project, name), TYPED);
    const configs: string[] = [];
    for (const [resolution, settings] of Object.entries(RESOLUTIONS)) {
      const isNode10 = resolution === 'node10';
      // TypeScript 7 has no resolution node10, and 6.0 has it only on demand.
      if (isNode10 && version === '7.0') continue;
      const config = `tsconfig.${configs.length}.json`;
      const compilerOptions = {
        ...settings,
        ...(isNode10 && version === '6.0' && { ignoreDeprecations: '6.0' }),
        strict: true,
        outDir: `typed/${version}/${configs.length}`,
        // Checks the declarations of the package, but not those of TypeScript itself.
        skipDefaultLibCheck: true,
        target: 'es2022',
        lib: ['es2022', 'dom'],
        types: [],
      };
      // Without types of Node and with those of the DOM, as in a game.
      const files = settings.moduleResolution === 'bundler' || isNode10 ? FILES.slice(0, 1) : FILES;
      await writeFile(join(project, config), JSON.stringify({ compilerOptions, files }));
      configs.push(config);
    }
    // One process for all resolutions reads TypeScript's own declarations only once.
    await run(process.execPath, [compiler, '--build', ...configs]);
    for (const config of configs) await rm(join(project, config));
  });
}

test('esbuild bundles the package for pages and for Node', async () => {
  const esbuild = join(project, 'node_modules/esbuild/bin/esbuild');
  for (const options of [
    ['--platform=browser', '--format=iife'],
    ['--platform=node', '--format=cjs'],
    ['--platform=neutral', '--format=esm', '--main-fields=module,main'],
  ]) {
    const to = options.includes('--format=esm') ? 'bundle.mjs' : 'bundle.cjs';
    await run(esbuild, ['game.ts', '--bundle', ...options, `--outfile=${to}`]);
    assert.match(await run(process.execPath, [to]), RANK, options.join(' '));
  }
});

test('webpack bundles the package for pages and for workers', async () => {
  for (const target of ['web', 'webworker', 'node']) {
    await writeFile(
      join(project, 'webpack.cjs'),
      `const config = {
         entry: './plain/game.js', target: '${target}', mode: 'production',
         output: { path: ${JSON.stringify(project)}, filename: 'webpack-bundle.cjs' },
       };
       require('webpack')(config, (error, stats) => {
         if (error || stats.hasErrors() || stats.hasWarnings()) throw error || Error(stats.toString());
       });`,
    );
    await run(process.execPath, ['webpack.cjs']);
    assert.match(await run(process.execPath, ['webpack-bundle.cjs']), RANK, target);
  }
});

test('Vite bundles the package', async () => {
  await buildWithVite({
    root: project,
    configFile: false,
    logLevel: 'error',
    build: {
      lib: { entry: join(project, 'game.ts'), formats: ['es'], fileName: 'vite-bundle' },
      outDir: project,
      emptyOutDir: false,
    },
  });
  assert.match(await run(process.execPath, [join(project, 'vite-bundle.mjs')]), RANK);
});

test('Metro bundles the package as React Native and Expo do', async () => {
  await mkdir(join(project, 'app'), { recursive: true });
  for (const [name, resolver] of Object.entries({
    'React Native, with exports': {
      unstable_enablePackageExports: true,
      unstable_conditionNames: ['react-native'],
    },
    'React Native before 0.79, without exports': { unstable_enablePackageExports: false },
    'Expo for the web': {
      unstable_enablePackageExports: true,
      unstable_conditionNames: ['browser'],
      resolverMainFields: ['browser', 'module', 'main'],
    },
  })) {
    await writeFile(
      join(project, 'metro.cjs'),
      `const Metro = require('metro');
       (async () => {
         const config = await Metro.loadConfig({ resetCache: true }, {
           projectRoot: ${JSON.stringify(project)},
           resolver: ${JSON.stringify(resolver)},
           transformer: {
             babelTransformerPath: require.resolve('@react-native/metro-babel-transformer'),
           },
           reporter: { update() {} },
         });
         const out = ${JSON.stringify(join(project, 'metro-bundle.js'))};
         await Metro.runBuild(config, { entry: 'plain/game.js', out, minify: false, dev: false });
       })().catch((error) => { console.error(error); process.exit(1); });`,
    );
    await run(process.execPath, ['metro.cjs']);
    assert.match(await run(process.execPath, ['metro-bundle.js']), RANK, name);
  }
});

test('a service worker submits scores', { skip: withoutBrowser }, async () => {
  await writeFile(
    join(project, 'worker.ts'),
    `import { Overworld } from '@overworld/sdk';
     import { indexedDbStore } from '@overworld/sdk/indexed-db-store';
     import { options } from './options';
     const overworld = new Overworld({ ...options, playerId: 'worker', store: indexedDbStore() });
     addEventListener('message', ({ data, source }: any) => {
       overworld.leaderboards.submit('workers', data)
         .then(({ rank }) => source.postMessage('rank ' + rank), (error) => source.postMessage(error.message));
     });
     addEventListener('activate', (event: any) => event.waitUntil((globalThis as any).clients.claim()));`,
  );
  const esbuild = join(project, 'node_modules/esbuild/bin/esbuild');
  const code = await run(esbuild, ['worker.ts', '--bundle', '--format=iife']);
  const pages = createServer(({ url }, answer) => {
    answer.setHeader('content-type', url === '/worker.js' ? 'text/javascript' : 'text/html');
    answer.end(url === '/worker.js' ? code : '<!doctype html><link rel="icon" href="data:,">');
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
    const answer = await page.evaluate(`(async () => {
      await navigator.serviceWorker.register('/worker.js');
      const { active } = await navigator.serviceWorker.ready;
      const answered = new Promise((resolve) => {
        navigator.serviceWorker.onmessage = ({ data }) => resolve(data);
      });
      active.postMessage(7);
      return answered;
    })()`);
    assert.equal(answer, 'rank 1');
  } finally {
    await browser.close();
    pages.closeAllConnections();
    pages.close();
  }
});
