import { parseArgs } from 'node:util';
import { CommandError } from './cli/command.ts';
import type { Command } from './cli/command.ts';
import { COMMANDS, showHelp } from './cli/commands.ts';
import { ConfigError, readConfig } from './platform/config.ts';
import { MigrationError } from './platform/database/migrate.ts';
import { EmbeddedPostgresError } from './platform/embedded-postgres/error.ts';

/** A terminal and a process manager may both pass one Ctrl-C on: within a second it counts once. */
const SIGNAL_ECHO_MS = 1_000;

// oxlint-disable-next-line no-console
const say = (line: string) => console.log(line);

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const [name = 'help', ...rest] = args;
  if (['help', '--help', '-h'].includes(name)) {
    say(showHelp());
    return 0;
  }
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command === undefined) {
    console.error(`There is no command "${name}". See overworld help.`);
    return 1;
  }
  try {
    await runCommand(command, rest);
    return 0;
  } catch (error) {
    console.error(explain(error));
    return 1;
  }
}

async function runCommand(command: Command, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { ...command.options, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  if (values.help) return say(`overworld ${command.name} ${command.usage}\n\n${command.summary}.`);
  if (positionals.length !== command.words) {
    throw new CommandError(`Usage: overworld ${command.name} ${command.usage}`.trim());
  }
  await command.run({
    config: readConfig(process.env),
    words: positionals,
    options: values as Record<string, string | boolean | undefined>,
    say,
    signal: listenForSignals(),
  });
}

/** The first signal asks to stop; another one, a second later or more, ends the process at once. */
function listenForSignals(): AbortSignal {
  const controller = new AbortController();
  let askedAt = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      const now = performance.now();
      if (!controller.signal.aborted) {
        askedAt = now;
        controller.abort();
      } else if (now - askedAt > SIGNAL_ECHO_MS) {
        process.exit(130);
      }
    });
  }
  return controller.signal;
}

/** One sentence where the user can mend it; else all there is, for a report. */
function explain(error: unknown): string {
  const forUser =
    error instanceof CommandError ||
    error instanceof ConfigError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof MigrationError;
  if (forUser) return error.message;
  const isUsage = error instanceof TypeError && 'code' in error;
  if (isUsage && String(error.code).startsWith('ERR_PARSE_ARGS')) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
