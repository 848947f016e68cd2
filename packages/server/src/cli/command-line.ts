import { parseArgs } from 'node:util';
import { StoreError } from '../platform/stores/store-error.ts';
import { ConfigError } from '../platform/config-error.ts';
import { readConfig } from '../platform/config.ts';
import { MigrationError } from '../platform/database/migration-error.ts';
import { EmbeddedPostgresError } from '../platform/embedded-postgres/error.ts';
import { CommandError } from './command.ts';
import type { Command, ExitCode } from './command.ts';
import { startCommand } from './start/start.ts';

/** The functions with which a command writes lines for the user. */
interface Output {
  say: (line: string) => void;
  complain: (line: string) => void;
}

/** Runs the command that a command line names. @returns the exit code. */
export async function runCommandLine(
  [name = 'help', ...rest]: string[],
  environment: NodeJS.ProcessEnv,
  { say, complain }: Output,
): Promise<number> {
  if (['help', '--help', '-h'].includes(name)) {
    const { showHelp } = await import('./commands.ts');
    say(showHelp());
    return 0;
  }
  const command = await findCommand(name);
  if (command === undefined) {
    complain(`There is no command "${name}". See overworld help.`);
    return 1;
  }
  try {
    return (await runCommand(command, rest, environment, { say, complain })) ?? 0;
  } catch (error) {
    complain(explain(error));
    return 1;
  }
}

/**
 * Finds a command by its name. For `start`, only the module of this command is loaded. The other commands
 * need most modules of the server. `start` loads those itself, while PostgreSQL starts.
 */
async function findCommand(name: string): Promise<Command | undefined> {
  if (name === startCommand.name) return startCommand;
  const { COMMANDS } = await import('./commands.ts');
  return COMMANDS.find((candidate) => candidate.name === name);
}

async function runCommand(
  command: Command,
  args: string[],
  environment: NodeJS.ProcessEnv,
  { say, complain }: Output,
): Promise<ExitCode | void> {
  const { values, positionals } = parseArgs({
    args,
    options: { ...command.options, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  if (values.help) return say(`overworld ${command.name} ${command.usage}\n\n${command.summary}.`);
  const most_words = command.words + (command.optional_words ?? 0);
  if (positionals.length < command.words || positionals.length > most_words) {
    throw new CommandError(`Usage: overworld ${command.name} ${command.usage}`.trim());
  }
  return command.run({
    config: readConfig(environment),
    environment,
    words: positionals,
    options: values as Record<string, string | boolean | undefined>,
    say,
    tell: complain,
    under_npm: environment.npm_lifecycle_event !== undefined,
  });
}

/** Explains an error: in a sentence if the user can fix it, else by its stack, for a report. */
function explain(error: unknown): string {
  const forUser =
    error instanceof StoreError ||
    error instanceof CommandError ||
    error instanceof ConfigError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof MigrationError;
  if (forUser) return error.message;
  const isUsage = error instanceof TypeError && 'code' in error;
  if (isUsage && String(error.code).startsWith('ERR_PARSE_ARGS')) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
