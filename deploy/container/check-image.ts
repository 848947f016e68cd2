import assert from 'node:assert/strict';
import { chownSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '../../packages/server/test/free-port.ts';
import { waitUntilReady } from '../../torture/machine/server.ts';
import { Container } from './container.ts';
import { imageSettings } from './image-settings.ts';

const START_PATIENCE_MS = 120_000;
const ACCOUNT = { email: 'mira@studio.example', password: 'correct horse battery' };

/**
 * Starts the image at `root` with a read-only file system and an empty volume, uses the server, stops
 * it, and starts it again on the same volume. Throws when anything fails.
 */
export async function checkImage(root: string): Promise<void> {
  const data = await mkdtemp(join(root, '..', 'data-'));
  const [uid, gid] = imageSettings.user.split(':').map(Number);
  chownSync(data, uid!, gid!);
  await runContainer(root, data, checkServing);
  await runContainer(root, data, async (_container, url) => {
    const login = await post(`${url}/v1/auth/login`, ACCOUNT);
    assert.equal(login.status, 200, 'the account is lost after a restart');
  });
  await rm(data, { recursive: true, force: true });
}

async function runContainer(
  root: string,
  data: string,
  use: (container: Container, url: string) => Promise<void>,
): Promise<void> {
  const port = await findFreePort();
  const container = new Container(root, data, { PORT: String(port), HOST: '127.0.0.1' });
  try {
    const url = `http://127.0.0.1:${port}`;
    const ended = container.ended.then((code) => assert.fail(`the server ended with ${code}`));
    await Promise.race([waitUntilReady(url, START_PATIENCE_MS), ended]);
    await use(container, url);
    assert.equal(await container.stop(), 0, container.log);
  } catch (error) {
    container.kill();
    throw new Error(container.log, { cause: error });
  }
}

async function checkServing(container: Container, url: string): Promise<void> {
  const health = container.exec(imageSettings.healthcheck);
  assert.equal(health.status, 0, health.stderr);
  const printed = container.exec(['overworld', 'setup-link']);
  const [, setup_token] = /#setup=(.+)\n/.exec(printed.stdout) ?? [];
  assert.ok(setup_token, printed.stderr);
  const registered = await post(`${url}/v1/auth/register`, { ...ACCOUNT, setup_token });
  assert.equal(registered.status, 201);
  const page = await fetch(`${url}/`);
  assert.match(await page.text(), /<div id="root">/);
  const addon = await fetch(`${url}/sdk/godot.zip`, { method: 'HEAD' });
  assert.equal(addon.status, 200, 'the image has no SDKs');
  for (const path of ['/x', '/app/x', '/etc/x']) {
    const written = container.exec(['sh', '-c', `echo x >${path}`]);
    assert.notEqual(written.status, 0, `${path} can be written`);
  }
  const user = container.exec(['sh', '-c', 'cat /proc/self/status']);
  assert.match(user.stdout, new RegExp(`^Uid:\\t${imageSettings.user.split(':')[0]}\\t`, 'm'));
  const backup = container.exec(['overworld', 'backup', '/data/backup.ndjson.gz']);
  assert.equal(backup.status, 0, backup.stderr);
  const sent = container.exec(['sh', '-c', 'overworld backup - > /data/sent.ndjson.gz']);
  assert.match(sent.stderr, /Backed up \d+ rows to standard output/);
  const refused = container.exec(['overworld', 'backup', 'backup.ndjson.gz']);
  assert.match(refused.stderr, /Cannot write to \/app \(the file system is read-only\)/);
  for (const line of container.log.trim().split('\n')) JSON.parse(line);
}

function post(url: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}
