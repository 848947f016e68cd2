import assert from 'node:assert/strict';
import { access, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { callCli, CliProcess, runCli } from '../../../test/run-cli.ts';
import { cloneDatabase } from '../../../test/harness.ts';

let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overworld-cli-'));
  // Under root, PostgreSQL runs as another user. That user must be able to reach the folder.
  await chmod(folder, 0o755);
});
after(() => rm(folder, { recursive: true, force: true }));

/** Runs a start of the server that must fail. @returns the one line that it prints. */
async function failStart(env: Record<string, string>, run = callCli): Promise<string> {
  const { code, stderr } = await run(['start'], { PORT: '0', ...env });
  assert.equal(code, 1);
  assert.match(stderr, /^[^\n]+\n$/, 'one line');
  return stderr.trim();
}

describe('a start with the embedded database', () => {
  test('a start prints URL and next step, serves, refuses a second server, and stops cleanly', async () => {
    const DATA_DIR = join(folder, 'data');
    const server = new CliProcess(['start'], { DATA_DIR, PORT: '0' });
    const [, address] = await server.waitFor(/Overworld is running at (http:\S+) /);
    await server.waitFor(
      /Next: open http:\S+\/register#setup=[\w-]{43} to make the administrator's account"/,
    );
    assert.equal((await fetch(`${address}/readyz`)).status, 200);

    const second = await failStart({ DATA_DIR }, runCli);
    assert.match(second, new RegExp(`\\(process ${server.child.pid}\\) is already using`));
    assert.equal((await fetch(`${address}/readyz`)).status, 200, 'the first goes on');

    // A terminal signals the whole process group, and npm signals again. All signals must count as one.
    server.child.kill('SIGINT');
    server.child.kill('SIGINT');
    server.child.kill('SIGTERM');
    const { code, stdout, stderr } = await server.done;
    assert.equal(code, 0, stderr);
    assert.match(stdout, /"Stopped\."}\n$/);
    assert.doesNotMatch(stdout, /Registration is open/);

    const PUBLIC_URL = 'https://games.example';
    const again = new CliProcess(['start'], { DATA_DIR, PORT: '0', PUBLIC_URL });
    await again.waitFor(/Overworld is running at/);
    await again.waitFor(/Registration is open: everybody who reaches this server/);
    again.child.kill('SIGTERM');
    assert.equal((await again.done).code, 0);
  });
});

describe('a failed start prints the reason in one sentence', () => {
  test('for a taken port, before a database is set up', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const DATA_DIR = join(folder, 'unused');
    const said = await failStart({ DATA_DIR, PORT: String(port) }, runCli);
    assert.match(said, new RegExp(`^Port ${port} on 127.0.0.1 is already in use`));
    other.close();
    await assert.rejects(access(DATA_DIR), 'nothing was made');
  });

  test('for a data folder that cannot be made', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const said = await failStart({ DATA_DIR: join(file, 'data') });
    assert.match(said, /^Cannot use the data folder .* \(a file is in the way\)/);
  });

  test('for an unreachable DATABASE_URL, without showing the password', async () => {
    const said = await failStart({ DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/none' });
    assert.match(said, /^The database at 127.0.0.1:1\/none cannot be reached/);
    assert.doesNotMatch(said, /hunter2/);
  });

  test('for a wrong setting, with the name of the setting', async () => {
    assert.match(await failStart({ PORT: 'eighty' }), /^PORT must be a whole number/);
    assert.match(await failStart({ REGISTRATION: 'maybe' }), /^REGISTRATION must be one of/);
    assert.match(await failStart({ DATABASE_URL: 'mysql://x' }), /^DATABASE_URL must be/);
    assert.match(await failStart({ TRUST_PROXY: 'yes' }), /^TRUST_PROXY must be/);
    assert.match(await failStart({ TRUST_PROXY: '10.0.0.0/33' }), /^TRUST_PROXY must be/);
    assert.match(await failStart({ JWT_SECRET: 'short' }), /^JWT_SECRET must have at least/);
  });

  test('for a database of a newer release', async () => {
    const { url, drop } = await cloneDatabase();
    const { openDatabase } = await import('../../platform/database/open-database.ts');
    const database = openDatabase({ url }, { application_name: 'test', max_connections: 1 });
    const client = await database.connect();
    await client.query(`INSERT INTO migrations (name) VALUES ('9999_future.sql')`);
    client.release();
    await database.close();
    assert.match(await failStart({ DATABASE_URL: url }), /newer release of Overworld/);
    await drop();
  });
});

test('help lists every command, and an unknown command is refused', async () => {
  const help = await callCli(['help']);
  assert.equal(help.code, 0);
  assert.match(help.stdout, /npx overworld <command>/);
  const unknown = await callCli(['fly']);
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /no command "fly"/);
  const option = await callCli(['backup', 'x', '--fast']);
  assert.equal(option.code, 1);
  assert.match(option.stderr, /--fast/);
});
