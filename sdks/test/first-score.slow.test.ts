import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { startTestServer } from '../../packages/server/test/harness.ts';
import { godotBin } from './godot/project.ts';

/** The time that a studio may need from an empty folder to the first score. */
const MAX_MS = 5 * 60_000;

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Lists all blocks of a text in this language. */
const blocksOf = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, block]) => block!,
  );

/** Makes a server, a game, and an empty folder. `fill` writes the address and the key into a text. */
async function openStudio(t: TestContext) {
  const server = await startTestServer();
  const folder = await mkdtemp(join(tmpdir(), 'overworld-first-score-'));
  t.after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });
  const { development_key: key } = await server.makeGame();
  const began_at = performance.now();
  return {
    folder,
    fill: (text: string) =>
      text.replaceAll('http://127.0.0.1:8080', server.url).replaceAll('ow_dev_…', key),
    async checkScore() {
      const duration_ms = performance.now() - began_at;
      t.diagnostic(`${(duration_ms / 1_000).toFixed(1)} s`);
      assert.ok(duration_ms < MAX_MS, `${duration_ms} ms`);
      const { body } = await server.request('GET', '/v1/leaderboards/best-run', { key });
      assert.deepEqual([body.entries[0].score, body.entries[0].player_name], [4200, 'Juno']);
    },
  };
}

test('the README of the TypeScript SDK leads from an empty folder to the first score', async (t) => {
  const { folder, fill, checkScore } = await openStudio(t);
  const [, start = ''] = /^## Start$(.*?)^## /ms.exec(read('packages/sdk/README.md')) ?? [];
  const [install, play] = blocksOf(start, 'sh').map(fill);
  const [code] = blocksOf(start, 'ts').map(fill);
  const [, file] = /In a file `([\w.]+)`/.exec(start)!;
  const entered = join(folder, /^cd (\S+)$/m.exec(install!)![1]!);
  await runShell(install!, folder);
  await writeFile(join(entered, file!), code!);
  assert.equal(await runShell(play!, entered), 'Rank 1\n');
  await checkScore();
});

test(
  'the README of the Godot addon leads from an empty folder to the first score',
  { skip: godotBin ? false : 'no Godot was found' },
  async (t) => {
    const { folder, fill, checkScore } = await openStudio(t);
    const block = blocksOf(read('sdks/godot/README.md'), 'sh').find((each) =>
      /^godot /m.test(each),
    );
    await symlink(godotBin, join(folder, 'godot'));
    const env = { HOME: folder, PATH: `${folder}${delimiter}${process.env.PATH}` };
    const printed = await runShell(fill(block!), folder, env);
    assert.match(printed, /^Rank 1$/m);
    await checkScore();
  },
);

/** Runs commands as a studio's shell does, with the Node of the machine. */
async function runShell(
  commands: string,
  cwd: string,
  given: Record<string, string> = {},
): Promise<string> {
  const ours = join('node_modules', '.bin');
  const folders = process.env.PATH!.split(delimiter).filter((each) => !each.endsWith(ours));
  const env = { ...process.env, PATH: folders.join(delimiter), ...given };
  const shell = spawn('bash', ['-euc', commands], { cwd, env });
  let printed = '';
  let failures = '';
  shell.stdout.on('data', (chunk) => (printed += chunk));
  shell.stderr.on('data', (chunk) => (failures += chunk));
  const [code] = await once(shell, 'close');
  assert.equal(code, 0, `${commands}\n${printed}${failures}`);
  return printed;
}
