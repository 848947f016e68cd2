// `npm run check`: types, lint and format, side by side.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs all checks and prints the result of each when it ends. Resolves to true if all passed. */
export async function runChecks() {
  const checks = [
    ...listTypeScriptProjects().map((project) => ({
      name: project === '.' ? 'types' : `types of ${project}`,
      // With more checkers, each would check the shared files anew: four
      // checkers together take twice the CPU.
      command: [
        'tsc',
        '--noEmit',
        '--pretty',
        '--checkers',
        '1',
        ...keepResults(project),
        '-p',
        project,
      ],
    })),
    { name: 'lint', command: ['oxlint'] },
    { name: 'format', command: ['oxfmt', '--check'], advice: 'Run `npm run format`.' },
  ];
  const results = await Promise.all(checks.map(runCheck));
  return results.every(Boolean);
}

/**
 * Returns options with which the next run checks only changed files and the files that
 * depend on them, for a quarter of the CPU.
 */
function keepResults(project) {
  const name = `${project.replaceAll('/', '-')}.tsbuildinfo`;
  return ['--incremental', '--tsBuildInfoFile', join(root, 'node_modules/.cache/types', name)];
}

/** Lists the project of the root, and those of workspaces that have their own settings. */
function listTypeScriptProjects() {
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);
  // `examples/phaser` is no workspace: a copy of it installs its packages, and its test compiles it.
  const folders = [...packages, 'examples/moonward'];
  return ['.', ...folders.filter((folder) => existsSync(join(root, folder, 'tsconfig.json')))];
}

function runCheck({ name, command: [program, ...args], advice }) {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      env: {
        ...process.env,
        PATH: join(root, 'node_modules/.bin') + delimiter + process.env.PATH,
        FORCE_COLOR: '1',
      },
      shell: process.platform === 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => (output += error.message));
    child.on('close', (code) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      if (code === 0) console.log(`ok      ${name} (${seconds} s)`);
      else console.log(`FAILED  ${name} (${seconds} s)\n${tidy(output)}\n${advice ?? ''}`);
      resolve(code === 0);
    });
  });
}

/** Removes colours unless this is a terminal, because some tools also colour the log of a CI. */
function tidy(output) {
  return process.stdout.isTTY ? output.trim() : stripVTControlCharacters(output).trim();
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = (await runChecks()) ? 0 : 1;
}
