import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { findFreePort } from '../../../server/test/free-port.ts';
import { startTestServer } from '../../../server/test/harness.ts';
import type { TestServer } from '../../../server/test/harness.ts';
import { waitUntil } from '../../../server/test/wait-until.ts';
import { bundleSdk } from '../../bundle.ts';

// The bundle of the client for servers runs in Node, Deno, Bun and the runtime of workers. The last three
// have 350 MB, so they are no dependencies of this repository: the tests load them from npm.

const RUNTIMES = {
  '@deno/linux-x64-glibc': '2.9.6',
  '@oven/bun-linux-x64': '1.4.5',
  '@cloudflare/workerd-linux-64': '1.20261117.1',
};
const DENO = 'node_modules/@deno/linux-x64-glibc/deno';
const BUN = 'node_modules/@oven/bun-linux-x64/bin/bun';
const WORKERD = 'node_modules/@cloudflare/workerd-linux-64/bin/workerd';

const run = promisify(execFile);

let dir: string;
let server: TestServer;
let apiKey: string;
/** Why Deno, Bun and workerd are not here; null if they are. */
let missing: string | null = null;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'overworld-runtimes-'));
  await bundleSdk(dir);
  await writeFile(join(dir, 'package.json'), '{"type":"module","private":true}');
  await writeFile(join(dir, 'match.js'), MATCH);
  server = await startTestServer();
  const { game_id } = await server.makeGame();
  apiKey = await server.makeKey(game_id, 'production', 'server');
  missing = await installRuntimes();
});
after(async () => {
  await server.close();
  await rm(dir, { recursive: true });
});

/** Writes a program that plays a match and returns the outcome as text. */
const MATCH = `
import { OverworldError, OverworldServer } from './server.js';
export async function playMatch(env) {
  const overworld = new OverworldServer({ baseUrl: env.url, apiKey: env.key });
  const player = overworld.player(env.player);
  await player.saves.save({ wins: 1 });
  await overworld.track([{ event_name: 'won', session_id: 'match', player_id: env.player }]);
  const { rank } = await player.leaderboards.submit('board of ' + env.player, 4200);
  const error = await overworld.verifyPlayer('a.b.c').catch((reason) => reason);
  return [rank, error instanceof OverworldError, error.code].join(' ');
}
`;
const EXPECTED = '1 true invalid_player_token';

async function installRuntimes(): Promise<string | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'not on this machine';
  const wanted = Object.entries(RUNTIMES).map(([name, version]) => `${name}@${version}`);
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
  try {
    await run('npm', ['install', ...flags, ...wanted], { cwd: dir, timeout: 240_000 });
    for (const path of [DENO, BUN, WORKERD]) await access(join(dir, path));
    return null;
  } catch {
    return 'npm could not load the runtime';
  }
}

const writeMain = async (name: string) => {
  const env = JSON.stringify({ url: server.url, key: apiKey, player: name });
  const text = `import { playMatch } from './match.js';\nconsole.log(await playMatch(${env}));`;
  await writeFile(join(dir, `${name}.js`), text);
  return `${name}.js`;
};

test('Node runs it', async () => {
  const { stdout } = await run(process.execPath, [await writeMain('node')], { cwd: dir });
  assert.equal(stdout, `${EXPECTED}\n`);
});

test('Deno runs it, with the right to use the network alone', async (context) => {
  if (missing !== null) return context.skip(missing);
  const args = ['run', '--no-prompt', '--allow-net', await writeMain('deno')];
  const { stdout } = await run(join(dir, DENO), args, { cwd: dir });
  assert.equal(stdout, `${EXPECTED}\n`);
});

test('Bun runs it', async (context) => {
  if (missing !== null) return context.skip(missing);
  const { stdout } = await run(join(dir, BUN), [await writeMain('bun')], { cwd: dir });
  assert.equal(stdout, `${EXPECTED}\n`);
});

test('a worker runs it', async (context) => {
  if (missing !== null) return context.skip(missing);
  const port = await findFreePort();
  const env = JSON.stringify({ url: server.url, key: apiKey, player: 'worker' });
  await writeFile(
    join(dir, 'worker.js'),
    `import { playMatch } from './match.js';
     export default { fetch: async () => new Response(await playMatch(${env})) };`,
  );
  const modules = ['worker.js', 'match.js', 'server.js'].map(
    (name) => `(name = "${name}", esModule = embed "${name}")`,
  );
  await writeFile(
    join(dir, 'worker.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
     const config :Workerd.Config = (
       services = [
         (name = "main", worker = (modules = [${modules.join(', ')}], compatibilityDate = "2026-01-01")),
         (name = "internet", network = (allow = ["private", "public"])),
       ],
       sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
     );`,
  );
  const worker = spawn(join(dir, WORKERD), ['serve', 'worker.capnp'], {
    cwd: dir,
    stdio: 'inherit',
  });
  try {
    let text = '';
    await waitUntil('the worker answers', async () => {
      text = await fetch(`http://127.0.0.1:${port}/`).then(
        (answer) => answer.text(),
        () => '',
      );
      return text !== '';
    });
    assert.equal(text, EXPECTED);
  } finally {
    worker.kill();
    await once(worker, 'exit');
  }
});

test('it needs only fetch, timers and AbortController, and has 4.5 kB when compressed', async () => {
  const code = await readFile(join(dir, 'server.cjs'), 'utf8');
  assert.ok(!/\brequire\(|node:/.test(code));
  assert.ok(gzipSync(code).length < 4_608, String(gzipSync(code).length));
  const web = { fetch, setTimeout, clearTimeout, AbortController, exports: {} };
  const context = createContext({ ...web, module: { exports: {} }, url: server.url, key: apiKey });
  const rank = await runInContext(
    `${code};
     new (module.exports.OverworldServer ?? exports.OverworldServer)({ baseUrl: url, apiKey: key })
       .player('web').leaderboards.submit('board of web', 1).then(({ rank }) => rank)`,
    context,
  );
  assert.equal(rank, 1);
});
