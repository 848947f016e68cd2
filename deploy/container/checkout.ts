import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout. */
export const checkout = fileURLToPath(new URL('../..', import.meta.url));

const rules = readFileSync(join(checkout, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ includes: line.startsWith('!'), pattern: toPattern(line.replace('!', '')) }));

/** Docker's `*` is any name, also one that begins with a dot; a rule holds for all below a folder. */
function toPattern(rule: string): RegExp {
  const escaped = rule.replaceAll('.', '\\.');
  const pattern = escaped.replaceAll(/\*\*\/|\*/g, (glob) => (glob === '*' ? '[^/]*' : '(.*/)?'));
  return new RegExp(`^${pattern}(/|$)`);
}

/** Whether Docker is given a file: the last rule of .dockerignore that fits it decides. */
export function isInContext(path: string): boolean {
  return rules.findLast(({ pattern }) => pattern.test(path))?.includes ?? true;
}

/** Copies what Docker would be given. */
export function copyContext(to: string): void {
  for (const name of readdirSync(checkout)) {
    if (!isInContext(name)) continue;
    cpSync(join(checkout, name), join(to, name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => isInContext(relative(checkout, path)),
    });
  }
}

/**
 * Puts what the first stage of the Dockerfile leaves into a folder without asking a registry: the
 * sources, the built dashboard, and of the installed packages those that the server needs.
 */
export function linkBuiltCheckout(to: string): void {
  copyContext(to);
  const lock = readFileSync(join(checkout, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lock) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  const needed = Object.entries(packages)
    .filter(
      ([path, { dev, devOptional }]) => path.includes('node_modules/') && !dev && !devOptional,
    )
    .map(([path]) => path)
    .filter((path) => path.lastIndexOf('node_modules/') === 0 && existsSync(join(checkout, path)));
  link([...needed, 'node_modules/.bin', 'packages/dashboard/dist'], to);
}

function link(paths: string[], to: string): void {
  mkdirSync(to, { recursive: true });
  const options = { cwd: checkout, encoding: 'utf8' } as const;
  if (spawnSync('cp', ['-al', '--parents', ...paths, to], options).status === 0) return;
  const copied = spawnSync('cp', ['-af', '--parents', ...paths, to], options);
  if (copied.status !== 0) throw new Error(copied.stderr);
}
