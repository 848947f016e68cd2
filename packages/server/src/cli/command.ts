import type { ParseArgsConfig } from 'node:util';
import type { Config } from '../platform/config.ts';

/** A failure that the user can mend; the message is one plain sentence. */
export class CommandError extends Error {}

/** What a command of the `overworld` tool is given. */
export interface CommandContext {
  config: Config;
  /** Words that are no options. */
  words: string[];
  options: Record<string, string | boolean | undefined>;
  /** Says something to the user, a line at a time. */
  say: (line: string) => void;
  /** Whether an npm script started it. */
  under_npm: boolean;
}

export interface Command {
  name: string;
  /** Words and options, such as `<e-mail> [--administrator]`. */
  usage: string;
  /** One line for the page of help. */
  summary: string;
  options?: ParseArgsConfig['options'];
  /** How many words it takes. */
  words: number;
  /** How many more it may take. */
  optional_words?: number;
  run: (context: CommandContext) => Promise<void>;
}
