import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { CliProcess } from '../packages/server/test/run-cli.ts';
import { execute } from './container/execute.ts';
import { checkout } from './container/image-settings.ts';

const ACCOUNT = { email: 'mira@studio.example', password: 'correct horse battery' };

const folder = await mkdtemp(join(tmpdir(), 'overworld-upgrade-'));
await chmod(folder, 0o755);
after(() => rm(folder, { recursive: true, force: true }));
const current = join(folder, 'overworld');
const env = { DATA_DIR: join(folder, 'data'), PORT: '0', RATE_LIMIT_PER_MINUTE: '1000000' };

before(() => installRelease('overworld-1'));

test('while a release is installed in place of the running one, no request fails', async () => {
  await symlink(join(folder, 'overworld-1'), current);
  const { server, url } = await start();
  const load = await playUntilStopped(url);
  const modules = join(folder, 'overworld-1/node_modules');
  // npm removes what is installed, and then writes the files anew.
  await rename(modules, join(folder, 'old'));
  await rm(join(folder, 'old'), { recursive: true });
  await load.moreRequests();
  await copyModules(modules);
  assert.deepEqual(await load.stop(), []);
  await stop(server);
});

test('an upgrade beside the running release loses no request before the restart', async (t) => {
  const { server, url } = await start();
  const load = await playUntilStopped(url);
  await installRelease('overworld-2');
  await symlink(join(folder, 'overworld-2'), `${current}.new`);
  await rename(`${current}.new`, current);
  assert.deepEqual(await load.stop(), []);
  const begun = performance.now();
  await stop(server);
  const next = await start();
  t.diagnostic(`The server was away for ${Math.round(performance.now() - begun)} ms.`);
  const again = await playUntilStopped(next.url);
  assert.deepEqual(await again.stop(), []);
  await stop(next.server);
});

test('docs/operations.md upgrades by a link to a new folder', () => {
  const guide = readFileSync(join(checkout, 'docs/operations.md'), 'utf8');
  const upgrade = guide.split('\n## Upgrade')[1]!.split('\n## ')[0]!;
  assert.match(upgrade, /git clone [^\n]+ \/opt\/overworld-0\.2\.0/);
  assert.match(upgrade, /ln -sfn \/opt\/overworld-0\.2\.0 \/opt\/overworld/);
  assert.doesNotMatch(upgrade, /sudo git pull/);
});

async function start() {
  const command = [
    join(current, 'node_modules/.bin/node'),
    join(current, 'packages/server/bin/overworld'),
  ];
  // The shell leaves out the program and the command of this checkout, and runs those of the release.
  const through = ['sh', '-c', `shift 2; exec '${command.join("' '")}' "$@"`, 'sh'];
  const server = new CliProcess(['start'], env, through);
  const [, url] = await server.waitFor(/Overworld is running at (http:[^\s"]+)/);
  return { server, url: url! };
}

async function stop(server: CliProcess): Promise<void> {
  server.child.kill('SIGTERM');
  const { code, stderr } = await server.done;
  assert.equal(code, 0, stderr);
}

/**
 * Makes games in ever other time zones and reads their reports, until it is stopped. PostgreSQL loads the
 * file of a time zone when a session first uses it.
 */
async function playUntilStopped(url: string) {
  const send = async (method: string, path: string, body: object | null, token = '') => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: body && JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, string> };
  };
  await send('POST', '/v1/auth/register', ACCOUNT);
  const { token } = (await send('POST', '/v1/auth/login', ACCOUNT)).body;
  const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone.includes('/'));
  const failed: string[] = [];
  const state = { requests: 0, isStopped: false };
  const play = async () => {
    while (!state.isStopped) {
      const time_zone = zones[(state.requests * 7) % zones.length]!;
      const made = await send('POST', '/v1/games', { name: time_zone, time_zone }, token);
      const path = `/v1/games/${made.body.id}/analytics/overview?environment=production`;
      const read = await send('GET', path, null, token);
      const game = `/v1/games/${made.body.id}`;
      const deleted = await fetch(url + game, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${token}` },
      });
      for (const { status, body } of [made, read, { status: deleted.status, body: null }]) {
        state.requests++;
        if (status >= 300) failed.push(`${status} ${JSON.stringify(body)}`);
      }
    }
  };
  const players = Promise.all([play(), play()]);
  const moreRequests = async () => {
    const enough = state.requests + 60;
    while (state.requests < enough) await Promise.race([players, sleep(20)]);
  };
  return {
    moreRequests,
    async stop() {
      await moreRequests();
      state.isStopped = true;
      await players;
      return failed;
    },
  };
}

/** Installs a release as `git clone` and `npm run prestart` do, without a registry. */
async function installRelease(name: string): Promise<void> {
  const to = join(folder, name);
  await mkdir(to);
  execute('cp', ['-a', 'package.json', 'packages', to], checkout);
  await copyModules(join(to, 'node_modules'));
}

async function copyModules(to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const from = join(checkout, 'node_modules');
  const needed = readdirSync(from).filter(
    (one) => !['.cache', '@tabler', 'typescript'].includes(one),
  );
  execute('cp', ['-a', ...needed, to], from);
}
