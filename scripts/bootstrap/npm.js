import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { BootstrapError } from './error.js';
import { root } from './paths.js';

/**
 * Runs the machine's own npm, because an npm in node_modules could
 * be replaced while it runs. Shows its output only on failure.
 */
export function runNpm(args, failure) {
  const result = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: machinePath() },
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (result.error?.code === 'ENOENT') throw new BootstrapError('npm was not found in the PATH.');
  if (result.status === 0) return;
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}`.trim();
  throw new BootstrapError(`${output}\n${failure}`);
}

function machinePath() {
  const ours = join('node_modules', '.bin');
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.filter((folder) => !folder.endsWith(ours)).join(delimiter);
}
