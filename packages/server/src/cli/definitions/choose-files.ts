import { ENVIRONMENTS } from '@overworld/contract/common';
import type { Environment } from '@overworld/contract/common';
import { copyToEnvironment } from '@overworld/contract/definitions/environments';
import { CommandError } from '../command.ts';
import type { CommandContext } from '../command.ts';
import type { FileDefinition } from './read-file.ts';

/**
 * Chooses the files of a plan. With `--from` and `--to`, those of one environment are planned for the other one,
 * and all others are left out.
 */
export function chooseFiles(
  files: FileDefinition[],
  folder: string,
  { from, to, prune }: CommandContext['options'],
): FileDefinition[] {
  if (from === undefined && to === undefined) return files;
  if (!isEnvironment(from) || !isEnvironment(to) || from === to) {
    throw new CommandError(
      'Name both environments of a copy, such as --from=development --to=production.',
    );
  }
  if (prune === true) {
    throw new CommandError('A copy is of one environment, and --prune is about all files.');
  }
  const copied = copyToEnvironment(files, from, to);
  if (copied.length === 0) throw new CommandError(`${folder} has no files of ${from}.`);
  return copied;
}

const isEnvironment = (text: unknown): text is Environment =>
  ENVIRONMENTS.some((name) => name === text);
