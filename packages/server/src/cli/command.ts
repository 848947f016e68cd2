import type { ParseArgsConfig } from 'node:util';
import type { Actor } from '../platform/audit.ts';
import type { Config } from '../platform/config.ts';

/** A failure that the user can fix. Its message is one plain sentence. */
export class CommandError extends Error {}

/** The exit code of a command, if its work is done and has another result than usual. */
export type ExitCode = number;

/** The author of changes from the command line. The audit log shows no account for them. */
export const COMMAND_LINE: Actor = { account: null, ip: null };

/** The arguments and settings of a command. */
export interface CommandContext {
  config: Config;
  /** All environment variables, for values that are no settings of a server. */
  environment: NodeJS.ProcessEnv;
  /** The arguments that are not options. */
  words: string[];
  options: Record<string, string | boolean | undefined>;
  /** Prints a line of the result, on standard output. */
  say: (line: string) => void;
  /** Tells the user about the work, on standard error. */
  tell: (line: string) => void;
  /** True if an npm script started the command. */
  under_npm: boolean;
}

export interface Command {
  name: string;
  /** The arguments and options for the help page, such as `<e-mail> [--administrator]`. */
  usage: string;
  /** One line for the help page. */
  summary: string;
  options?: ParseArgsConfig['options'];
  /** The number of arguments that the command requires, without options. */
  words: number;
  /** The number of optional arguments that may follow. */
  optional_words?: number;
  /** Resolves to the exit code; 0 if it is left out. */
  run: (context: CommandContext) => Promise<ExitCode | void>;
}
