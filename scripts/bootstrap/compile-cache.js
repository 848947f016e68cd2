import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './paths.js';

/** Loads the server once, so that its first real start finds all modules compiled. */
export function fillCompileCache() {
  const command = join(root, 'packages', 'server', 'bin', 'overworld');
  const node = join(root, 'node_modules', '.bin', 'node');
  // The result is not checked: if this command fails, the real start of the server fails too and reports the
  // error.
  spawnSync(node, [command, 'help'], { stdio: 'ignore' });
}
