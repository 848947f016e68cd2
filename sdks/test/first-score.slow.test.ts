import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { startTestServer } from '../../packages/server/test/harness.ts';

/** The time that a studio may need from an empty folder to the first score. */
const MAX_MS = 5 * 60_000;

const readme = readFileSync(new URL('../../packages/sdk/README.md', import.meta.url), 'utf8');
const [, start = ''] = /^## Start$(.*?)^## /ms.exec(readme) ?? [];

/** Reads all blocks of the README's chapter "Start" in this language. */
const readBlocks = (language: string) =>
  [...start.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, block]) => block!,
  );

test('the commands and the code of the README lead from an empty folder to the first score', async (t) => {
  const server = await startTestServer();
  const folder = await mkdtemp(join(tmpdir(), 'overworld-first-score-'));
  t.after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });
  const { development_key: key } = await server.makeGame();
  const fill = (text: string) =>
    text.replaceAll('http://127.0.0.1:8080', server.url).replaceAll('ow_dev_…', key);
  const [install, play] = readBlocks('sh').map(fill);
  const [code] = readBlocks('ts').map(fill);
  const [, file] = /In a file `([\w.]+)`/.exec(start)!;

  const began_at = performance.now();
  const entered = /^cd (\S+)$/m.exec(install!)![1]!;
  await runShell(install!, folder);
  await writeFile(join(folder, entered, file!), code!);
  const printed = await runShell(play!, join(folder, entered));
  const duration_ms = performance.now() - began_at;

  assert.equal(printed, 'Rank 1\n');
  const { body } = await server.request('GET', '/v1/leaderboards/best-run', { key });
  assert.deepEqual([body.entries[0].score, body.entries[0].player_name], [4200, 'Juno']);
  t.diagnostic(`${(duration_ms / 1_000).toFixed(1)} s`);
  assert.ok(duration_ms < MAX_MS, `${duration_ms} ms`);
});

/** Runs commands as a studio's shell does, with the Node of the machine. */
async function runShell(commands: string, cwd: string): Promise<string> {
  const ours = join('node_modules', '.bin');
  const folders = process.env.PATH!.split(delimiter).filter((each) => !each.endsWith(ours));
  const env = { ...process.env, PATH: folders.join(delimiter) };
  const shell = spawn('bash', ['-euc', commands], { cwd, env });
  let printed = '';
  let failures = '';
  shell.stdout.on('data', (chunk) => (printed += chunk));
  shell.stderr.on('data', (chunk) => (failures += chunk));
  const [code] = await once(shell, 'close');
  assert.equal(code, 0, `${commands}\n${printed}${failures}`);
  return printed;
}
