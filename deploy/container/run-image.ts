import type { ChildProcess } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ImageConfig } from './dockerfile.ts';
import { execInside, findFirstProcess, runContainer } from './isolation.ts';
import type { Inside } from './isolation.ts';

const START_PATIENCE_MS = 60_000;

/** What a container has said and done. */
export interface Container {
  url: string;
  said: () => string;
  /** Runs one more program in it. */
  exec(command: string[]): { status: number | null; stdout: string; stderr: string };
  /** Stops it as Docker does; resolves to the exit code. */
  stop(): Promise<number | null>;
}

/**
 * Proves an image: starts it with a read-only file system and an empty volume, asks it as users do,
 * stops it, and starts it again on the same volume.
 */
export async function checkImage(
  root: string,
  config: ImageConfig,
  onFigure: (name: string, value: number) => void,
): Promise<void> {
  const data = await mkdtemp(join(root, '..', 'data-'));
  chownSync(data, config.user.uid, config.user.gid);
  mkdirSync(join(root, config.volumes[0]!), { recursive: true });
  const started = performance.now();
  const first = await startContainer(root, config, data);
  onFigure('start on an empty volume, ms', Math.round(performance.now() - started));
  await checkServing(first, config).catch(async (error: unknown) => {
    await first.stop();
    throw error;
  });
  const code = await first.stop();
  if (code !== 0) throw new Error(`It ended with ${code}:\n${first.said()}`);
  const again = performance.now();
  const second = await startContainer(root, config, data);
  onFigure('start on its volume, ms', Math.round(performance.now() - again));
  const login = await post(`${second.url}/v1/auth/login`, ACCOUNT);
  await second.stop();
  if (login.status !== 200) throw new Error(`The account is not there: ${login.status}`);
  await rm(data, { recursive: true, force: true });
}

const ACCOUNT = { email: 'mira@studio.example', password: 'correct horse battery' };

async function checkServing(container: Container, { healthcheck }: ImageConfig): Promise<void> {
  const { url } = container;
  const expect = (what: string, holds: boolean) => {
    if (!holds) throw new Error(`${what}:\n${container.said()}`);
  };
  const health = container.exec(healthcheck);
  expect(`The health check failed: ${health.stderr}`, health.status === 0);
  const printed = container.exec(['overworld', 'setup-link']);
  const [, setup_token] = /#setup=(.+)\n/.exec(printed.stdout) ?? [];
  expect(`There is no setup link: ${printed.stderr}`, setup_token !== undefined);
  const registered = await post(`${url}/v1/auth/register`, { ...ACCOUNT, setup_token });
  expect(`Registering answered ${registered.status}`, registered.status === 201);
  const page = await fetch(`${url}/`);
  expect('There is no dashboard', (await page.text()).includes('<div id="root">'));
  const written = container.exec(['sh', '-c', 'echo x > /app/x || echo x > /x || echo x > /etc/x']);
  expect('Its file system can be written', written.status !== 0);
  const who = container.exec(['sh', '-c', 'id -u 2>/dev/null || echo "$UID"']);
  expect('It runs as root', !/^0$/m.test(who.stdout));
  const backup = container.exec(['overworld', 'backup', '/data/backup.ndjson.gz']);
  expect(`A backup failed: ${backup.stderr}`, backup.status === 0);
  const lines = container.said().trim().split('\n');
  expect('Its log is not JSON', lines.every(isJson));
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

async function startContainer(root: string, config: ImageConfig, data: string): Promise<Container> {
  const port = await findFreePort();
  const { user, workdir } = config;
  // On one network with this machine: another port, and an address that nobody else reaches.
  const env = { ...config.env, PORT: String(port), HOST: '127.0.0.1' };
  const inside: Inside = { root, env, user, workdir };
  const child = runContainer(inside, config.command, { [config.volumes[0]!]: data });
  let said = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  }
  const container: Container = {
    url: `http://127.0.0.1:${port}`,
    said: () => said,
    exec: (command) => execInside(child, inside, command),
    stop: () => stop(child),
  };
  await waitUntilServing(child, container);
  return container;
}

async function waitUntilServing(child: ChildProcess, { url, said }: Container): Promise<void> {
  const deadline = performance.now() + START_PATIENCE_MS;
  for (;;) {
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`The container does not serve:\n${said()}`);
    }
    await sleep(50);
  }
}

async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  process.kill(findFirstProcess(child), 'SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
  return ended.finally(() => clearTimeout(timer));
}

function post(url: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
