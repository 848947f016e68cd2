import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { DEFINITION_KINDS } from '@overworld/contract/definitions/kinds';
import fc from 'fast-check';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { countCases } from '../long-forms.ts';
import { callCli } from '../run-cli.ts';
import { createDraw } from './definitions/draw.ts';
import type { Draw } from './definitions/draw.ts';
import { GENERATORS } from './definitions/generators.ts';
import type { Clicks } from './definitions/generators.ts';

/**
 * Random games that are made by the calls of the dashboard: their files make the same game on another
 * installation, and a pull there writes the same files.
 */

let servers: TestServer[];
let root: string;
before(async () => {
  servers = await Promise.all([startTestServer(), startTestServer()]);
  root = await mkdtemp(join(tmpdir(), 'overworld-round-trip-'));
});
after(async () => {
  for (const server of servers) await server.close();
  await rm(root, { recursive: true });
});

let folders = 0;

async function openGame(server: TestServer) {
  const { game_id } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id, role: 'admin' });
  const call = async (...args: string[]) => {
    const { code, stdout, stderr } = await callCli(args, {
      OVERWORLD_URL: server.url,
      OVERWORLD_GAME: game_id,
      OVERWORLD_TOKEN: token,
    });
    assert.ok(code !== 1, stderr);
    return stdout;
  };
  const clicks: Clicks = {
    async send(method, path, body) {
      const answer = await server.request(method, `/v1/games/${game_id}${path}`, { token, body });
      const is_done = answer.status < 300 || answer.status === 409;
      assert.ok(is_done, `${method} ${path} ${JSON.stringify(body)}: ${answer.text}`);
      return answer.body;
    },
  };
  return {
    clicks,
    /** Pulls into a folder, by default an empty one. @returns the folder, and its texts by file. */
    async pull(folder = join(root, `${folders++}`)) {
      await call('pull', folder, '--prune');
      return { folder, files: await readAll(folder, server.url) };
    },
    async plan(folder: string): Promise<{ plan: string; changes: { kind: string }[] }> {
      return JSON.parse(await call('plan', folder, '--prune', '--json'));
    },
    apply: (folder: string, plan: string) =>
      call('apply', folder, '--prune', '--replace-used', `--plan=${plan}`),
    read: async () => (await clicks.send('GET', '/definitions')).definitions as { kind: string }[],
    readDigest: async () => (await clicks.send('GET', '/definitions')).digest as string,
  };
}

async function readAll(folder: string, url: string): Promise<Record<string, string>> {
  const names = (await readdir(folder, { recursive: true })).filter((name) =>
    name.endsWith('.yaml'),
  );
  const texts = names.toSorted().map(async (name) => {
    const text = await readFile(join(folder, name), 'utf8');
    // The first line leads to the schema of the server.
    return [name, text.replace(url, 'https://overworld.example')];
  });
  return Object.fromEntries(await Promise.all(texts)) as Record<string, string>;
}

async function generate(clicks: Clicks, draw: Draw): Promise<void> {
  for (const kind of DEFINITION_KINDS) await GENERATORS[kind](clicks, draw);
}

async function checkOneGame(draw: Draw): Promise<void> {
  const [first, second] = await Promise.all(servers.map(openGame));
  const transfer = async (folder: string) => {
    const { plan } = await second!.plan(folder);
    await second!.apply(folder, plan);
    const [made, copy] = [await first!.pull(), await second!.pull()];
    assert.deepEqual(await second!.read(), await first!.read());
    for (const game of [first!, second!]) {
      for (const its of [made.folder, copy.folder, folder]) {
        assert.deepEqual((await game.plan(its)).changes, []);
      }
    }
    return { made: made.files, copy: copy.files };
  };
  await generate(first!.clicks, draw);
  const { folder } = await first!.pull();
  const { made, copy } = await transfer(folder);
  assert.deepEqual(copy, made);
  // A member who may not see all of them could otherwise try out the rest.
  assert.notEqual(await second!.readDigest(), await first!.readDigest());
  const kinds = new Set((await second!.read()).map(({ kind }) => kind));
  assert.deepEqual([...kinds].toSorted(), [...DEFINITION_KINDS].toSorted());

  // Later changes come into the same files, and from there into the other game. Files that exist keep the order
  // of their members.
  await generate(first!.clicks, draw);
  await first!.pull(folder);
  const later = await transfer(folder);
  assert.deepEqual(Object.keys(later.copy), Object.keys(later.made));
}

test('a random game is the same after its files have made it on another installation', async (t) => {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
  t.diagnostic(`SEED=${seed}`);
  const property = fc.asyncProperty(fc.gen(), (value) => checkOneGame(createDraw(value)));
  await fc.assert(property, { seed, numRuns: countCases(15), endOnFailure: true });
});
