import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkImage } from '../deploy/container/check-image.ts';
import { runInFolder, whyNotIsolated } from '../deploy/container/container.ts';
import { execute } from '../deploy/container/execute.ts';
import { checkout } from '../deploy/container/image-settings.ts';
import { listContainerContext } from '../deploy/release/contents.ts';
import { writeTar } from '../deploy/release/tar.ts';
import type { Report, Suite } from './suite.ts';

/** The Debian releases of the base images in the Dockerfile. The test of the Dockerfile checks them too. */
const BUILD_RELEASE = 'bookworm';
const IMAGE_RELEASE = 'trixie';
const SCRIPT = 'deploy/build-image.sh';

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
  const build = join(folder, 'build');
  makeDebian(BUILD_RELEASE, build);
  addNode(build);
  copySources(join(build, 'app'));
  const started = performance.now();
  for (const step of [['install'], ['prune'], ['copy', '/image']]) {
    runInFolder(build, readEnvironment(), [`./${SCRIPT}`, ...step]);
  }
  report.figure('building, s', Math.round((performance.now() - started) / 1_000));

  const root = join(folder, 'image');
  makeDebian(IMAGE_RELEASE, root);
  const base_mb = measureMegabytes(root);
  execute('cp', ['-a', join(build, 'image'), join(root, 'app')]);
  execute(join(checkout, SCRIPT), ['add-user', root]);
  report.figure('image without Debian, MB', measureMegabytes(root) - base_mb);
  await checkImage(root);
  report.say('The image serves, is healthy, writes to its volume alone, stops and starts again');
}

function whyNoDebian(): string | null {
  const found = spawnSync('debootstrap', ['--version']).status === 0;
  return found ? null : 'debootstrap is not installed';
}

/**
 * Installs a minimal Debian of this release in the folder `root`, from the package mirror of this machine.
 */
function makeDebian(release: string, root: string): void {
  const sites = execute('apt-get', ['indextargets', '--format', '$(SITE)', 'Origin: Debian']);
  const mirror = sites.split('\n').find((site) => !site.includes('security') && site !== '');
  if (mirror === undefined) throw new Error('apt knows no mirror of Debian');
  execute('debootstrap', ['--variant=minbase', release, root, mirror]);
}

/** Adds Node and npm as in the image `node`, and this machine's settings for the registry of npm. */
function addNode(root: string): void {
  const npm = join(realpathSync(execute('sh', ['-c', 'command -v npm']).trim()), '../..');
  cpSync(process.execPath, join(root, 'usr/local/bin/node'), { dereference: true });
  cpSync(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true, dereference: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
  const npmrc = join(homedir(), '.npmrc');
  if (existsSync(npmrc)) cpSync(npmrc, join(root, 'root/.npmrc'));
  for (const path of ['/etc/resolv.conf', '/etc/hosts', '/etc/ssl/certs']) {
    cpSync(path, join(root, path), { recursive: true, dereference: true });
  }
}

/** Writes the files that Docker gets, from the archive of a release. */
function copySources(to: string): void {
  mkdirSync(to, { recursive: true });
  const archive = join(to, '..', 'context.tar');
  writeFileSync(archive, Buffer.concat([...writeTar(listContainerContext())]));
  execute('tar', ['xf', archive, '-C', to]);
  rmSync(archive);
}

function readEnvironment(): Record<string, string> {
  const wanted = /^(npm_config_registry|NODE_EXTRA_CA_CERTS|(https?|no)_proxy)$/i;
  const given = Object.entries(process.env).filter(([name]) => wanted.test(name));
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/root',
    ...(Object.fromEntries(given) as Record<string, string>),
  };
}

function measureMegabytes(folder: string): number {
  return Number.parseInt(execute('du', ['--summarize', '--block-size=1M', folder]), 10);
}
