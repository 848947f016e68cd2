import { CommandError } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';

/** A mistake in a file. */
export interface Problem {
  /** Null if no file has the definition. */
  file: string | null;
  line: number | null;
  error: string;
}

/** Mistakes in files, or reasons against the changes that files ask for. */
export class FileProblems extends CommandError {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(inWords).join('\n'));
    this.problems = problems;
  }
}

const inWords = ({ file, line, error }: Problem): string =>
  file === null ? error : line === null ? `${file}: ${error}` : `${file}:${line}: ${error}`;

/** With `--json`, prints a failure as JSON on standard output, for programs. The exit code is 1 all the same. */
export const withJsonFailures =
  (run: Command['run']): Command['run'] =>
  async (context: CommandContext) => {
    try {
      return await run(context);
    } catch (error) {
      if (!(error instanceof CommandError) || context.options.json !== true) throw error;
      const problems = error instanceof FileProblems ? error.problems : [];
      context.say(JSON.stringify({ error: error.message, problems }));
      return 1;
    }
  };
