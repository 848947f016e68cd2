// Runs before `npm start`, `npm test`, `npm run check`, `npm run demo` and `npm run example`, under
// whatever Node the machine has: brings the installed packages and the built dashboard up to date.
// Plain JavaScript without dependencies, since nothing may be installed yet.
import { buildDashboard, needsDashboardBuild } from './bootstrap/dashboard.js';
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
 * Does the work that is left. It checks again, since another start may have done the work while this one
 * waited.
 */
async function bringUpToDate() {
  // When somebody runs npm by hand, npm writes its second record shortly after its first, so this waits.
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  if (findMissingPackage({ dev: needsDevPackages() }) !== null) installPackages();
  if (isBuildDue()) buildDashboard();
  if (script === 'start') fillCompileCache();
}

/** A server with a built dashboard runs without these packages. The container image leaves them out. */
function needsDevPackages() {
  return ['test', 'check', 'example'].includes(script) || isBuildDue();
}

function isBuildDue() {
  return script !== 'check' && needsDashboardBuild();
}
