import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout, copyContext } from '../deploy/container/checkout.ts';
import { parseDockerfile, readImageConfig } from '../deploy/container/dockerfile.ts';
import { buildStage } from '../deploy/container/image.ts';
import { whyNotIsolated } from '../deploy/container/isolation.ts';
import { checkImage } from '../deploy/container/run-image.ts';
import type { Report, Suite } from './suite.ts';

/** The releases of Debian that the Dockerfile's images are, where their names do not tell. */
const SUITES: Record<string, string> = { '12': 'bookworm', '13': 'trixie' };

export const container: Suite = {
  name: 'container',
  summary: 'builds the image without Docker, in folders with a fresh Debian, and runs it',
  options: {},
  async run(_options, report) {
    const reason = whyNotIsolated() ?? whyNoDebian();
    if (reason !== null) return report.violation(`not possible here: ${reason}`);
    const folder = await mkdtemp(join(tmpdir(), 'overworld-container-'));
    await chmod(folder, 0o711);
    try {
      await buildAndRun(folder, report);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function buildAndRun(folder: string, report: Report): Promise<void> {
  const stages = parseDockerfile(readFileSync(join(checkout, 'Dockerfile'), 'utf8'));
  const context = join(folder, 'context');
  mkdirSync(context);
  copyContext(context);
  const built: Record<string, string> = {};
  let root = '';
  for (const [index, stage] of stages.entries()) {
    const name = stage.name ?? String(index);
    root = join(folder, name);
    makeBase(stage.image, root);
    report.say(`${stage.image} is there as a folder`);
    const started = performance.now();
    const base_mb = measureMegabytes(root);
    await buildStage(stage, { root, context, stages: built, env: readNetworkSettings() });
    report.figure(`stage ${name}, s`, Math.round((performance.now() - started) / 1_000));
    report.figure(`stage ${name}, MB on its base`, measureMegabytes(root) - base_mb);
    built[name] = root;
  }
  await checkImage(root, readImageConfig(stages.at(-1)!), (name, value) =>
    report.figure(name, value),
  );
  report.say('The image serves, is healthy, writes to its volume alone, stops and starts again');
}

function whyNoDebian(): string | null {
  const found = spawnSync('debootstrap', ['--version']).status === 0;
  return found ? null : 'debootstrap is not installed';
}

/** Makes what an image of Docker's holds: Debian's smallest system, and Node with npm where it says so. */
function makeBase(image: string, root: string): void {
  const suite =
    /(bookworm|trixie)/.exec(image)?.[1] ?? SUITES[/^debian:(\d+)/.exec(image)?.[1] ?? ''];
  if (suite === undefined) throw new Error(`Which Debian is ${image}?`);
  execute('debootstrap', ['--variant=minbase', suite, root, findMirror()]);
  if (!image.startsWith('node:')) return;
  const npm = join(realpathSync(execute('sh', ['-c', 'command -v npm']).trim()), '../..');
  cpSync(process.execPath, join(root, 'usr/local/bin/node'), { dereference: true });
  cpSync(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true, dereference: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
  // How this machine reaches the registry.
  const npmrc = join(homedir(), '.npmrc');
  if (existsSync(npmrc)) cpSync(npmrc, join(root, 'root/.npmrc'));
  for (const path of ['/etc/resolv.conf', '/etc/hosts', '/etc/ssl/certs']) {
    cpSync(path, join(root, path), { recursive: true, dereference: true });
  }
}

/** Where this machine's own packages come from. */
function findMirror(): string {
  const sites = execute('apt-get', ['indextargets', '--format', '$(SITE)', 'Origin: Debian']);
  const mirror = sites.split('\n').find((site) => !site.includes('security') && site !== '');
  if (mirror === undefined) throw new Error('apt knows no mirror of Debian');
  return mirror;
}

function readNetworkSettings(): Record<string, string> {
  const wanted = /^(npm_config_registry|NODE_EXTRA_CA_CERTS|(https?|no)_proxy)$/i;
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => wanted.test(name)),
  ) as Record<string, string>;
}

function measureMegabytes(folder: string): number {
  return Number.parseInt(execute('du', ['--summarize', '--block-size=1M', folder]), 10);
}

function execute(program: string, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}
