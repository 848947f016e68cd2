import type { ParseArgsConfig } from 'node:util';
import type { Actor } from '../platform/audit.ts';
import type { Config } from '../platform/config.ts';

/** A failure that the user can fix; the message is one plain sentence. */
export class CommandError extends Error {}

/** In the audit log a change from the command line has no account. */
export const COMMAND_LINE: Actor = { account: null, ip: null };

/** The arguments and settings of a command. */
export interface CommandContext {
  config: Config;
  /** Words that are not options. */
  words: string[];
  options: Record<string, string | boolean | undefined>;
  /** Prints a line for the user. */
  say: (line: string) => void;
  /** True if an npm script started it. */
  under_npm: boolean;
}

export interface Command {
  name: string;
  /** Words and options, such as `<e-mail> [--administrator]`. */
  usage: string;
  /** One line for the help page. */
  summary: string;
  options?: ParseArgsConfig['options'];
  /** Words that it needs. */
  words: number;
  /** Words that may follow. */
  optional_words?: number;
  run: (context: CommandContext) => Promise<void>;
}
