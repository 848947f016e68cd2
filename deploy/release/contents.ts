import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listShipped } from '../../scripts/licences.js';
import type { TarEntry } from './tar.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The files of the checkout that an operator needs besides the server. */
const FOR_OPERATORS = [
  'LICENSE',
  'CHANGELOG.md',
  'SECURITY.md',
  'deploy/example.env',
  'deploy/grafana-dashboard.json',
  'deploy/make-database.sh',
  'deploy/overworld',
  'deploy/overworld.service',
  'deploy/prometheus-alerts.yaml',
];
/** Tests are no part of a release. */
const IS_TEST = /(^|\/)test\/|\.test\.[jt]s$/;

/**
 * Lists the server with everything that it runs on: its sources, the built dashboard and SDKs, Node, PostgreSQL
 * and the other packages of npm that it uses on this kind of machine. No other file of the checkout is there.
 */
export function listServer(): TarEntry[] {
  const tracked = listTracked();
  const sources = tracked.filter(
    (path) =>
      FOR_OPERATORS.includes(path) ||
      /^docs\/[^/]+\.md$/.test(path) ||
      (/^packages\/(contract|server)\//.test(path) && !IS_TEST.test(path)),
  );
  return [
    ...sources.map((path) => fileEntry(path)),
    ...listFolder('packages/dashboard/dist'),
    ...listFolder('packages/server/dist/sdk'),
    ...listPackages(),
    ...listLicences(),
    fileEntry('deploy/release/overworld.sh', 'overworld'),
  ];
}

/** Lists the files from which Docker builds the image: those that .dockerignore lets through, and the Dockerfile. */
export function listContainerContext(): TarEntry[] {
  const rules = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  const included = rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1));
  const excluded = rules.filter((rule) => rule.startsWith('**/')).map((rule) => rule.slice(3));
  const isIncluded = (path: string) =>
    included.some((rule) => path === rule || path.startsWith(`${rule}/`));
  const isExcluded = (path: string) =>
    path
      .split('/')
      .some((part) =>
        excluded.some((rule) =>
          rule.startsWith('*') ? part.endsWith(rule.slice(1)) : part === rule,
        ),
      );
  return listTracked()
    .filter(
      (path) =>
        (isIncluded(path) && !isExcluded(path)) ||
        path === 'Dockerfile' ||
        path === '.dockerignore',
    )
    .map((path) => fileEntry(path));
}

/** Lists the files that git knows. Others may be settings, or leftovers. */
function listTracked(): string[] {
  return askGit(['ls-files', '-z'])
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(root, path)));
}

/** Tells whether files differ from the commit. */
export const hasChanges = (): boolean => askGit(['status', '--porcelain']) !== '';

/** @throws outside of a clone. */
function askGit(args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`A release is made from a clone: ${stderr}`);
  return stdout;
}

function fileEntry(path: string, as = path): TarEntry {
  const from = join(root, path);
  return { path: as, from, is_executable: (statSync(from).mode & 0o100) !== 0 };
}

/** The stamp of a build, which only serves builds. */
const isStamp = (path: string) => path === '.sources';

/** Lists the files of a folder, without stamps of builds. */
function listFolder(folder: string, isLeftOut: (path: string) => boolean = isStamp): TarEntry[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true }).flatMap(
    (entry) => {
      const path = join(entry.parentPath, entry.name).slice(join(root, folder).length + 1);
      if (isLeftOut(path) || entry.isDirectory()) return [];
      if (!entry.isSymbolicLink()) return fileEntry(`${folder}/${path}`);
      const link_to = readlinkSync(join(root, folder, path));
      return { path: `${folder}/${path}`, link_to };
    },
  );
}

interface Locked {
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  link?: boolean;
}

/** Lists the packages that the server uses, by package-lock.json. */
function listPackages(): TarEntry[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const needed = Object.entries(lock.packages).filter(
    ([path, { dev, devOptional, link }]) =>
      path.includes('node_modules/') && !dev && !devOptional && !link,
  );
  const installed = needed.filter(([path, { optional }]) => {
    if (existsSync(join(root, path))) return true;
    // npm leaves out packages for other machines.
    if (optional) return false;
    throw new Error(`${path} is not installed: run npm ci`);
  });
  const isLeftOut = (path: string) =>
    // Packages inside a package are in the list by themselves, and headers serve only those who compile for Node.
    path.startsWith('node_modules/') ||
    /(^|\/)\.bin\//.test(path) ||
    path.startsWith('include/node/');
  return [
    ...installed.flatMap(([path]) => listFolder(path, isLeftOut)),
    { path: 'node_modules/@overworld/contract', link_to: '../../packages/contract' },
    { path: 'node_modules/.bin/node', link_to: readlinkSync(join(root, 'node_modules/.bin/node')) },
  ];
}

/** Lists the licences of all packages, because the built dashboard contains some that are nowhere else. */
function listLicences(): TarEntry[] {
  const places = ['node_modules', 'packages/dashboard/node_modules'];
  return listShipped().flatMap(({ name }) =>
    places.flatMap((place) =>
      globSync('{licen[cs]e,LICEN[CS]E,Licen[cs]e,COPYING,NOTICE}*', {
        cwd: join(root, place, name),
      })
        .filter((file) => statSync(join(root, place, name, file)).isFile())
        .map((file) => fileEntry(`${place}/${name}/${file}`, `licences/${name}/${file}`)),
    ),
  );
}
