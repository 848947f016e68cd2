import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from './npm.js';
import { root } from './paths.js';

/**
 * Finds the first package that is not installed in the version of package-lock.json. Returns null if there
 * is no such package. Reads the packages themselves (15 ms). npm's own record,
 * node_modules/.package-lock.json, only shows that npm finished: after `npm install --package-lock-only` it
 * is newer than the packages.
 */
export function findMissingPackage({ dev }) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) return 'node_modules';
  for (const [path, entry] of Object.entries(packages)) {
    if (!path.includes('node_modules/') || isLeftOut(entry, dev)) continue;
    const wanted = entry.link ? packages[entry.resolved].version : entry.version;
    if (readVersion(path) !== wanted) return path;
  }
  return null;
}

export function installPackages() {
  console.log('Installing the packages that Overworld needs; the first time takes about a minute.');
  // These options override NODE_ENV and npm's settings. No package needs its install scripts.
  runNpm(
    [
      'ci',
      '--loglevel=error',
      '--include=dev',
      '--include=optional',
      '--include=peer',
      '--ignore-scripts',
    ],
    'The packages could not be installed (npm ci failed, see above).',
  );
}

function readVersion(path) {
  try {
    return JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')).version;
  } catch {
    return null;
  }
}

/**
 * Tells whether a package may be missing. npm leaves out optional packages for other machines, and packages
 * that only such optional packages need. So an optional package is expected only if it names this system or
 * processor. A package that names a C library is never expected, because only npm checks the C library.
 */
function isLeftOut(entry, dev) {
  if (!dev && (entry.dev || entry.devOptional)) return true;
  if (!entry.optional) return false;
  if (entry.libc || !(entry.os || entry.cpu)) return true;
  return !fits(entry.os, process.platform) || !fits(entry.cpu, process.arch);
}

/**
 * Tells whether a value fits npm's `os` or `cpu`, which is absent, a name, or a list of names and `!names`.
 */
function fits(allowed, value) {
  const names = [allowed ?? []].flat();
  if (names.includes(`!${value}`)) return false;
  return names.includes(value) || names.every((name) => name.startsWith('!'));
}
