import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from './npm.js';
import { root } from './paths.js';

const folder = join(root, 'packages', 'dashboard');
const built = join(folder, 'dist');
const stampPath = join(built, '.sources');

/** The sources of the dashboard. A change in any of them causes a new build. */
const SOURCES = [
  'packages/dashboard',
  'packages/contract/src',
  'package-lock.json',
  'tsconfig.json',
];
const NOT_SOURCES = new Set(['node_modules', 'dist', 'test']);

let current;

/** Tells whether the dashboard is missing or older than its sources. */
export function needsDashboardBuild() {
  if (!existsSync(join(folder, 'package.json'))) return false;
  current ??= hashSources();
  return !existsSync(stampPath) || readFileSync(stampPath, 'utf8') !== current;
}

export function buildDashboard() {
  console.log('Building the dashboard.');
  runNpm(
    ['run', 'build', '-w', 'packages/dashboard'],
    'The dashboard could not be built (see above).',
  );
  writeFileSync(stampPath, current);
}

function hashSources() {
  const hash = createHash('sha256');
  for (const source of SOURCES) addToHash(hash, source);
  return hash.digest('hex');
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
