import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from './npm.js';
import { root } from './paths.js';

/**
 * The first package of package-lock.json that is not installed in that version, null when all are.
 * What is installed is read from npm's own record, node_modules/.package-lock.json (5 ms).
 */
export function findMissingPackage({ dev }) {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const recordPath = join(root, 'node_modules', '.package-lock.json');
  const installed = existsSync(recordPath) ? readPackages(recordPath) : {};
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.includes('node_modules/') || isLeftOut(entry, dev)) continue;
    const found = installed[path];
    if (found === undefined || found.version !== entry.version) return path;
    if (found.integrity !== entry.integrity || !existsSync(join(root, path))) return path;
  }
  return null;
}

export function installPackages() {
  console.log('Installing the packages that Overworld needs; the first time takes about a minute.');
  // Whatever NODE_ENV and npm's settings say. No install scripts: nothing of ours depends on one.
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

function readPackages(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages;
}

/**
 * npm leaves out optional packages that do not fit the machine, and what only those need. So of the
 * optional ones just those are expected that say what they fit; which C library it is, npm finds out.
 */
function isLeftOut(entry, dev) {
  if (!dev && (entry.dev || entry.devOptional)) return true;
  if (!entry.optional) return false;
  if (entry.libc || !(entry.os || entry.cpu)) return true;
  return !fits(entry.os, process.platform) || !fits(entry.cpu, process.arch);
}

/** npm's `os` and `cpu`: absent, a name, or a list of names and `!names`. */
function fits(allowed, value) {
  const names = [allowed ?? []].flat();
  if (names.includes(`!${value}`)) return false;
  return names.includes(value) || names.every((name) => name.startsWith('!'));
}
