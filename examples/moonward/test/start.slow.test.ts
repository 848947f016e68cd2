import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { cloneDatabase } from '../../../packages/server/test/harness.ts';
import { callApi } from '../setup/dashboard-api.ts';
import { BOARDS } from '../setup/definitions.ts';

const START = join(import.meta.dirname, '../start.ts');
const PATIENCE_MS = 60_000;

let folder: string;
let database: Awaited<ReturnType<typeof cloneDatabase>>;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overworld-moonward-'));
  database = await cloneDatabase();
});
after(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

/** The example, which runs in its own process, and the output that it has written so far. */
class Example {
  readonly child: ChildProcess;
  said = '';

  constructor(env: Record<string, string> = {}) {
    this.child = spawn(process.execPath, [START], {
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        GAME_PORT: '0',
        DATA_DIR: folder,
        DATABASE_URL: database.url,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const output of [this.child.stdout!, this.child.stderr!]) {
      output.on('data', (chunk: Buffer) => (this.said += chunk.toString()));
    }
  }

  async waitFor(pattern: RegExp): Promise<RegExpExecArray> {
    const deadline = Date.now() + PATIENCE_MS;
    while (Date.now() < deadline && this.child.exitCode === null) {
      const match = pattern.exec(this.said);
      if (match) return match;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    this.child.kill('SIGKILL');
    assert.fail(`It did not say ${pattern}, but:\n${this.said}`);
  }

  /** Waits for the end of the process, and returns its exit code. */
  async ended(): Promise<number | null> {
    if (this.child.exitCode === null) await once(this.child, 'close');
    return this.child.exitCode;
  }
}

test('npm run example sets up the game once, suggests things to try, and stops at Ctrl-C', async () => {
  const settings: unknown[] = [];
  for (const start of ['first', 'second']) {
    const example = new Example();
    const [, game_url] = await example.waitFor(/Play +(http:\S+)/);
    const [, server_url, game_id] = await example.waitFor(
      /Change the difficulty here +(http:\S+)\/games\/(\S+)\/production\/config\n/,
    );
    const [, email, password] = await example.waitFor(/(\S+@\S+), password (\S+)/);
    await example.waitFor(/Press Ctrl-C to stop\./);

    assert.equal((await fetch(game_url!)).status, 200);
    const { api_key } = (await (await fetch(`${game_url}/settings.json`)).json()) as {
      api_key: string;
    };
    settings.push({ api_key, game_id, email, password });

    const { token } = await callApi<{ token: string }>(server_url!, 'POST', '/v1/auth/login', {
      body: { email, password },
    });
    const count = async (path: string, list: string) => {
      const answer = await callApi<Record<string, unknown[]>>(server_url!, 'GET', path, { token });
      return answer[list]!.length;
    };
    const game = `/v1/games/${game_id}`;
    assert.equal(await count('/v1/games', 'games'), 1, `${start} start`);
    assert.equal(await count(`${game}/achievements?environment=production`, 'achievements'), 10);
    assert.equal(
      await count(`${game}/leaderboards?environment=production`, 'leaderboards'),
      BOARDS.length,
    );
    assert.equal(await count(`${game}/api-keys`, 'api_keys'), 1);
    assert.equal(
      await count(`${game}/login-providers?environment=production`, 'login_providers'),
      1,
    );
    // The account that signed up at the first start logs in at the second start, although the account
    // server has a new secret by then.
    const { token: login_token } = await callApi<{ token: string }>(
      game_url!,
      'POST',
      `/accounts/${start === 'first' ? 'sign-up' : 'sign-in'}`,
      { body: { name: 'Ada', pin: '2718' } },
    );
    const login = await fetch(`${server_url}/v1/players/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-game-api-key': api_key },
      body: JSON.stringify({ provider: 'custom', token: login_token }),
    });
    assert.equal(login.status, start === 'first' ? 201 : 200);
    const { version } = await callApi<{ version: number }>(
      server_url!,
      'GET',
      `${game}/config?environment=production`,
      { token },
    );
    assert.equal(version, 1);

    example.child.kill('SIGINT');
    assert.equal(await example.ended(), 0, example.said);
    assert.match(example.said, /Stopped\.\n$/);
  }
  assert.deepEqual(settings[0], settings[1]);
});

test('a port in use is reported in one plain sentence', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  for (const setting of ['PORT', 'GAME_PORT']) {
    const example = new Example({ [setting]: String(port) });
    assert.equal(await example.ended(), 1, example.said);
    assert.match(example.said, new RegExp(`^Port ${port} on 127.0.0.1 is already in use.*\n$`));
    assert.match(example.said, new RegExp(`such as ${setting}=`));
  }
  other.close();
});
