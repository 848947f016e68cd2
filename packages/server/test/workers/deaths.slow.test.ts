import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startTestServer } from '../harness.ts';
import { waitUntil } from '../wait-until.ts';
import { ask } from './client.ts';

const COMMAND = fileURLToPath(new URL('../../bin/overworld', import.meta.url));
const END_WORKERS = new URL('end-workers.js', import.meta.url);
const DEATHS = 4;
const WRITERS = 16;
const WRITES_BETWEEN = 200;

/**
 * Starts a server with two workers by the command that users run. On each SIGUSR2, one of the workers ends.
 */
function startServer(env: Record<string, string>) {
  const child = spawn(process.execPath, [COMMAND, 'start'], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NODE_OPTIONS: `--import=${END_WORKERS}`,
      DATA_DIR: join(tmpdir(), 'overworld-workers'),
      PORT: '0',
      WORKERS: '2',
      RATE_LIMIT_PER_MINUTE: '1000000',
      LOG_REQUESTS: 'none',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (said.text += chunk.toString()));
  }
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { child, said, ended };
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

test('workers that end under load are logged and replaced, and lose no acknowledged write', async () => {
  await using beside = await startTestServer();
  const { production_key } = await beside.makeGame({ tier: 'studio' });
  const { child, said, ended } = startServer({ DATABASE_URL: beside.database_url });
  try {
    await waitUntil('it runs', async () => said.text.includes('running at'));
    const url = /running at (http:[^ ]+)/.exec(said.text)![1]!;
    const agent = new Agent({ keepAlive: true, maxSockets: WRITERS });
    const headers = { 'x-game-api-key': production_key };

    const acknowledged = new Map<string, number>();
    let writes = 0;
    const over = new AbortController();
    const failures = new Set<number>();
    const write = async (player_id: string) => {
      for (let score = 1; !over.signal.aborted; score++) {
        const body = { board_name: `b${score % 4}`, player_id, score };
        const request = { method: 'POST', agent, headers, body };
        const status = await ask(url, '/v1/leaderboards', request).then(
          (answer) => answer.status,
          () => 0,
        );
        if (status === 200 || status === 201) {
          acknowledged.set(`b${score % 4} ${player_id}`, score);
          writes++;
        } else failures.add(status);
      }
    };
    const writers = Array.from({ length: WRITERS }, (_, index) => write(`p${index}`));
    for (let deaths = 1; deaths <= DEATHS; deaths++) {
      const wanted = writes + WRITES_BETWEEN;
      await waitUntil('writes go on', async () => writes >= wanted);
      child.kill('SIGUSR2');
      const begun = 2 + deaths;
      await waitUntil(
        'it is replaced',
        async () => count(said.text, /^worker \d begins/gm) >= begun,
      );
    }
    const wanted = writes + WRITES_BETWEEN;
    await waitUntil('writes go on', async () => writes >= wanted);
    over.abort();
    await Promise.all(writers);

    assert.equal(count(said.text, /a worker died and is replaced/g), DEATHS);
    // A write may fail in only two ways, and a client can try again after both: the connection
    // has ended (status 0), or the dead worker was the one that handles the board (503).
    assert.deepEqual(
      [...failures].filter((status) => ![0, 503].includes(status)),
      [],
      said.text,
    );
    for (const board of ['b0', 'b1', 'b2', 'b3']) {
      const page = await ask(url, `/v1/leaderboards/${board}?limit=100`, { agent, headers });
      const stored = new Map<string, number>(
        JSON.parse(page.text).entries.map((entry: { player_id: string; score: number }) => [
          entry.player_id,
          entry.score,
        ]),
      );
      for (let player = 0; player < WRITERS; player++) {
        const name = `p${player}`;
        assert.ok(stored.get(name)! >= acknowledged.get(`${board} ${name}`)!, `${board} ${name}`);
      }
    }
    const answered = /operation="submitScore",status="20[01]"\} (\d+)/g;
    const metrics = await ask(url, '/metrics', { agent });
    assert.ok([...metrics.text.matchAll(answered)].length > 0);
    agent.destroy();
  } finally {
    child.kill('SIGTERM');
  }
  assert.equal(await ended, 0, said.text);
});
