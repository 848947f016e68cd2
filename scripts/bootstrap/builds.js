import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from './npm.js';
import { root } from './paths.js';

/** The sources of every build: the packages that it uses, and the settings of the compiler. */
const COMMON_SOURCES = ['package-lock.json', 'tsconfig.json'];
const NOT_SOURCES = new Set(['node_modules', 'dist', 'test']);

/**
 * The parts that are built before the server starts. `command` are the arguments of npm. A change in any
 * source causes a new build. A part whose `entry` is missing, as in the container image, is not built.
 */
const BUILDS = [
  {
    name: 'dashboard',
    entry: 'packages/dashboard/package.json',
    command: ['run', 'build', '-w', 'packages/dashboard'],
    built: 'packages/dashboard/dist',
    sources: ['packages/dashboard', 'packages/contract/src'],
  },
  {
    name: 'SDKs',
    entry: 'sdks/pack.ts',
    command: ['run', 'build:sdks'],
    built: 'packages/server/dist/sdk',
    sources: ['packages/sdk', 'sdks/pack.ts', 'sdks/godot/addons', 'sdks/unity', 'LICENSE'],
  },
];

/** Tells whether a part is missing or older than its sources. */
export function isBuildDue() {
  return BUILDS.some(isDue);
}

/** Builds the parts that are missing or older than their sources. */
export function buildParts() {
  for (const build of BUILDS.filter(isDue)) {
    const { name, command } = build;
    console.log(`Building the ${name}.`);
    runNpm(command, `The ${name} could not be built (see above).`);
    writeFileSync(stampPathOf(build), hashOf(build));
  }
}

function isDue(build) {
  if (!existsSync(join(root, build.entry))) return false;
  const path = stampPathOf(build);
  return !existsSync(path) || readFileSync(path, 'utf8') !== hashOf(build);
}

const stampPathOf = ({ built }) => join(root, built, '.sources');

/** Hashes the sources of a build, once in a process. */
function hashOf(build) {
  if (build.hash === undefined) {
    const hash = createHash('sha256');
    for (const source of [...build.sources, ...COMMON_SOURCES]) addToHash(hash, source);
    build.hash = hash.digest('hex');
  }
  return build.hash;
}

function addToHash(hash, path) {
  const absolute = join(root, path);
  if (!statSync(absolute).isDirectory()) {
    hash.update(`${path}\0`).update(readFileSync(absolute)).update('\0');
    return;
  }
  for (const name of readdirSync(absolute).sort()) {
    if (!NOT_SOURCES.has(name)) addToHash(hash, `${path}/${name}`);
  }
}
