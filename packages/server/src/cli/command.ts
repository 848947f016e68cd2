import type { ParseArgsConfig } from 'node:util';
import type { Actor } from '../platform/audit.ts';
import type { Config } from '../platform/config.ts';

/** A failure that the user can fix; the message is one plain sentence. */
export class CommandError extends Error {}

/** The actor of changes from the command line. In the audit log they have no account. */
export const COMMAND_LINE: Actor = { account: null, ip: null };

/** The arguments and settings of a command. */
export interface CommandContext {
  config: Config;
  /** Words that are not options. */
  words: string[];
  options: Record<string, string | boolean | undefined>;
  /** Prints a line for the user. */
  say: (line: string) => void;
  /** True if an npm script started the command. */
  under_npm: boolean;
}

export interface Command {
  name: string;
  /** Words and options, such as `<e-mail> [--administrator]`. */
  usage: string;
  /** One line for the help page. */
  summary: string;
  options?: ParseArgsConfig['options'];
  /** The number of words that the command needs. */
  words: number;
  /** The number of further words that may follow. */
  optional_words?: number;
  run: (context: CommandContext) => Promise<void>;
}
