import { spawnSync } from 'node:child_process';

/** Runs a program and returns its output. When the program fails, throws an error with its output. */
export function execute(program: string, args: string[], cwd?: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}
