// Brings the installed packages, the built dashboard and the packed SDKs up to date. It runs before `npm start`, `npm test`,
// `npm run check`, `npm run demo` and `npm run example`. It is plain JavaScript without dependencies, because
// the machine may have an old Node, and no packages may be installed yet.
import { buildParts, isBuildDue as isPartDue } from './bootstrap/builds.js';
import { fillCompileCache } from './bootstrap/compile-cache.js';
import { findMissingPackage, installPackages } from './bootstrap/install.js';
import { takeInstallLock } from './bootstrap/install-lock.js';
import { checkNode } from './bootstrap/node.js';
import { BootstrapError } from './bootstrap/error.js';

const OLDEST_NODE = 20;
const SETTLE_MS = 500;

const script = process.argv[2];

try {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
    throw new BootstrapError(
      `Overworld needs Node ${OLDEST_NODE} or newer; this is ${process.version}.`,
    );
  }
  if (isWorkLeft()) {
    const lock = await takeInstallLock();
    try {
      await bringUpToDate();
    } finally {
      lock.release();
    }
  }
  checkNode();
} catch (error) {
  if (!(error instanceof BootstrapError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

function isWorkLeft() {
  return findMissingPackage({ dev: needsDevPackages() }) !== null || isBuildDue();
}

/**
 * Installs packages, builds the dashboard and packs the SDKs, if this is still needed. Another start may have
 * done it while this one waited for the lock.
 */
async function bringUpToDate() {
  // If a user runs npm at this moment, npm writes two records of the installed packages, one shortly after
  // the other. This waits until both are written.
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  if (findMissingPackage({ dev: needsDevPackages() }) !== null) installPackages();
  if (isBuildDue()) buildParts();
  if (script === 'start') fillCompileCache();
}

/**
 * Tells whether the packages for development are needed. A server whose parts are already built does not
 * need them. The container image does not contain them.
 */
function needsDevPackages() {
  return ['test', 'check', 'example'].includes(script) || isBuildDue();
}

function isBuildDue() {
  return script !== 'check' && isPartDue();
}
