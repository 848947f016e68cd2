import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { findFreePort } from '../../../server/test/free-port.ts';
import { startTestServer } from '../../../server/test/harness.ts';

const run = promisify(execFile);
const read = (path: string) =>
  readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

const page = read('docs/own-server.md');
const listBlocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, text]) => text!);
const commands = listBlocks('sh');
const files = listBlocks('js');
const NAMES = ['match-server.js', 'players.js'];

test('the page shows the files of the example', () => {
  assert.deepEqual(
    files,
    NAMES.map((name) => read(`examples/match-server/${name}`)),
  );
});

test('the commands of the page lead from an empty folder to scores in under five minutes', async (t) => {
  const began = performance.now();
  await using server = await startTestServer();
  const { game_id, development_key } = await server.makeGame();
  const server_key = await server.makeKey(game_id, 'development', 'server');
  const folder = await mkdtemp(join(tmpdir(), 'overworld-own-server-'));
  t.after(() => rm(folder, { recursive: true }));
  const own = (command: string) =>
    command
      .replaceAll('http://127.0.0.1:8080', server.url)
      .replaceAll('ow_srv_…', server_key)
      .replaceAll('ow_dev_…', development_key);
  const [install, start, play] = commands.map(own);
  await run('sh', ['-ec', install!], { cwd: folder });
  const cwd = join(folder, 'match-server');
  for (const [index, name] of NAMES.entries()) await writeFile(join(cwd, name), files[index]!);

  const env = { ...process.env, OVERWORLD_URL: server.url, PORT: String(await findFreePort()) };
  const match = spawn('sh', ['-ec', `exec env ${start}`], { cwd, env });
  match.stderr.pipe(process.stderr);
  try {
    await once(match.stdout, 'data');
    const refused = await fetch(`http://127.0.0.1:${env.PORT}/`, {
      headers: { authorization: 'Bearer ow_a_lie' },
    });
    assert.equal(refused.status, 401);
    const { stdout } = await run('sh', ['-ec', play!], { cwd, env });
    assert.match(stdout, /^\S+ rolled \d+: rank [12]\n\S+ rolled \d+: rank [12]\n$/);
    const board = await server.request('GET', '/v1/leaderboards/duels', { key: development_key });
    assert.equal(board.body.total_entries, 2);
  } finally {
    match.kill();
    await once(match, 'exit');
  }
  assert.ok(performance.now() - began < 300_000);
});
