import { ENVIRONMENTS } from '@overworld/contract/common';
import type { Environment } from '@overworld/contract/common';
import { copyToEnvironment, ENVIRONMENT_KINDS } from '@overworld/contract/definitions/environments';
import { CommandError } from '../command.ts';
import type { CommandContext } from '../command.ts';
import type { FileDefinition } from './read-file.ts';

/**
 * Chooses the files of a plan. With `--from` and `--to`, those of one environment are planned for the other one,
 * and all others are left out. `--kinds` leaves out more.
 */
export function chooseFiles(
  files: FileDefinition[],
  folder: string,
  { from, to, kinds, prune }: CommandContext['options'],
): FileDefinition[] {
  if (from === undefined && to === undefined && kinds === undefined) return files;
  if (!isEnvironment(from) || !isEnvironment(to) || from === to) {
    throw new CommandError(
      'Name both environments of a copy, such as --from=development --to=production.',
    );
  }
  if (prune === true) {
    throw new CommandError('A copy is of one environment, and --prune is about all files.');
  }
  const copied = copyToEnvironment(files, from, to, readKinds(kinds));
  if (copied.length === 0) throw new CommandError(`${folder} has no such files of ${from}.`);
  return copied;
}

const isEnvironment = (text: unknown): text is Environment =>
  ENVIRONMENTS.some((name) => name === text);

/** @returns null for all kinds. */
function readKinds(text: string | boolean | undefined): string[] | null {
  if (typeof text !== 'string') return null;
  const known: readonly string[] = ENVIRONMENT_KINDS;
  const kinds = text.split(',');
  const other = kinds.find((kind) => !known.includes(kind));
  if (other === undefined) return kinds;
  throw new CommandError(`Environments have no ${other} of their own, but ${known.join(', ')}.`);
}
