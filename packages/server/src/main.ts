import { runCommandLine } from './cli/command-line.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), process.env, {
  // oxlint-disable-next-line no-console
  say: (line) => console.log(line),
  complain: (line) => console.error(line),
});
