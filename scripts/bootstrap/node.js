import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BootstrapError } from './error.js';
import { binFolder } from './paths.js';

const OLDEST_NODE = 24;

/**
 * Makes sure that the `node` that npm's scripts use can run Overworld. The scripts use
 * the Node that npm installed for this platform or, if there is none, the machine's own.
 */
export function checkNode() {
  const program = join(binFolder, process.platform === 'win32' ? 'node.cmd' : 'node');
  if (existsSync(program)) {
    // This Node runs this file, so it works.
    if (realpathSync(program) === realpathSync(process.execPath)) return;
    if (readMajor(program) >= OLDEST_NODE) return;
    // This Node was made for another C library, as on Alpine, and would hide the machine's own Node.
    rmSync(program);
  }
  if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) return;
  throw new BootstrapError(
    `Overworld runs on Node ${OLDEST_NODE} or newer, which npm has no package of for ${process.platform} ${process.arch}; this machine has ${process.version}: install a newer Node.`,
  );
}

function readMajor(program) {
  const { stdout } = spawnSync(program, ['--version'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  return Number.parseInt((stdout ?? '').slice(1), 10) || 0;
}
