import {
  MAX_DEFINITION_BYTES,
  MAX_DEFINITIONS_BYTES,
} from '@overworld/contract/definitions/definitions';
import { writeExactly } from '../../platform/json/exact-json.ts';
import { CommandError } from '../command.ts';
import { FileProblems } from './problems.ts';
import type { Definition, FileDefinition } from './read-file.ts';

/** The bytes that a body may have besides the definitions, with the commas between them. */
const REST_BYTES = 64 * 1024;
const MAX_BYTES_IN_ALL = MAX_DEFINITIONS_BYTES - REST_BYTES;
/** The number of the largest files that a sentence names. */
const NAMED_FILES = 5;

const inKb = (bytes: number): string => `${Math.ceil(bytes / 1024).toLocaleString('en')} KB`;

const bytesOf = ({ kind, key, definition }: Definition): number =>
  Buffer.byteLength(writeExactly({ kind, key, definition }));

const sayLarge = (bytes: number): string =>
  `has ${inKb(bytes)} as JSON, and a plan takes at most ${inKb(MAX_DEFINITION_BYTES)}`;

const sayLargeInAll = (bytes: number): string =>
  `${inKb(bytes)} in all as JSON, and a plan takes at most ${inKb(MAX_BYTES_IN_ALL)}`;

/** The advice about a file, and about a folder, that is too large. */
interface Advice {
  file: string;
  folder: string;
}

export const FOR_PLAN: Advice = {
  file: 'divide it, or move it out of the folder and plan without --prune',
  folder: 'move some of them out of the folder, and plan without --prune',
};
export const FOR_PULL: Advice = {
  file: 'delete the file, and the next pull writes it anew',
  folder: 'pull into an empty folder',
};

/** @throws CommandError that names the files which are too large for a plan, and says what to do. */
export function requireFit(files: readonly FileDefinition[], advice: Advice): void {
  const sizes = files.map((it) => ({ file: it.file, bytes: bytesOf(it) }));
  const large = sizes.filter(({ bytes }) => bytes > MAX_DEFINITION_BYTES);
  if (large.length > 0) {
    throw new FileProblems(
      large.map(({ file, bytes }) => ({
        file,
        line: null,
        error: `${sayLarge(bytes)}: ${advice.file}`,
      })),
    );
  }
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  if (all <= MAX_BYTES_IN_ALL) return;
  const largest = sizes
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, NAMED_FILES)
    .map(({ file, bytes }) => `${file} (${inKb(bytes)})`);
  throw new CommandError(
    `The files have ${sayLargeInAll(all)}: ${advice.folder}. The largest are ${largest.join(', ')}.`,
  );
}

/** Says which definitions of a game a plan will not take, as files or all together. */
export function listSizeProblems(
  definitions: readonly { file: string; definition: Definition }[],
): string[] {
  const sizes = definitions.map(({ file, definition }) => ({ file, bytes: bytesOf(definition) }));
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  return [
    ...sizes
      .filter(({ bytes }) => bytes > MAX_DEFINITION_BYTES)
      .map(({ file, bytes }) => `${file}: ${sayLarge(bytes)}`),
    ...(all > MAX_BYTES_IN_ALL ? [`The files have ${sayLargeInAll(all)}.`] : []),
  ];
}
