import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFINITION_KINDS } from '@overworld/contract/definitions/kinds';
import type { DefinitionKindName } from '@overworld/contract/definitions/kinds';
import { isMap, LineCounter, parseDocument, Document } from 'yaml';
import { CommandError } from '../command.ts';
import { FileProblems } from './problems.ts';
import type { Problem } from './problems.ts';

export interface Definition {
  kind: DefinitionKindName;
  key: string;
  definition: Record<string, unknown>;
}

/** A definition with the file that has it. */
export interface FileDefinition extends Definition {
  file: string;
  document: Document;
  /** Returns the line of a member, such as `points`; the first line if the file lacks it. */
  lineOf: (member: string) => number;
}

const FOLDERS: Record<DefinitionKindName, string> = {
  achievement: 'achievements',
  leaderboard: 'leaderboards',
  event_schema: 'event-schemas',
  remote_config: 'remote-config',
  segment: 'segments',
};

/** The most bytes of a file. */
const MAX_FILE_BYTES = 1024 * 1024;

/**
 * Reads all files of a folder. A folder that does not exist has none.
 * @throws CommandError that names file and line of each mistake.
 */
export async function readFolder(folder: string): Promise<FileDefinition[]> {
  const read: FileDefinition[] = [];
  const mistakes: Problem[] = [];
  const known = new Map<string, string>();
  for (const kind of DEFINITION_KINDS) {
    for (const name of await listFiles(join(folder, FOLDERS[kind]))) {
      const file = join(folder, FOLDERS[kind], name);
      const text = await readFile(file, 'utf8');
      if (Buffer.byteLength(text) > MAX_FILE_BYTES) {
        mistakes.push({ file, line: null, error: 'the file has more than 1 MB' });
        continue;
      }
      const found = readOne(kind, file, text);
      if ('error' in found) {
        mistakes.push(found);
        continue;
      }
      const id = `${kind} ${found.key}`;
      const other = known.get(id);
      if (other !== undefined) {
        const error = `${other} has the key ${found.key} too`;
        mistakes.push({ file, line: found.lineOf('key'), error });
      }
      known.set(id, file);
      read.push(found);
    }
  }
  if (mistakes.length > 0) throw new FileProblems(mistakes);
  return read;
}

async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new CommandError(`${folder} cannot be read: ${error.message}`);
  });
  return names.filter((name) => /\.(ya?ml|json)$/.test(name)).toSorted();
}

/** @returns the definition, or the mistake. */
function readOne(kind: DefinitionKindName, file: string, text: string): FileDefinition | Problem {
  const mistake = (line: number, words: string): Problem => ({ file, line, error: words });
  const lines = new LineCounter();
  // Aliases could make a small file huge, and merge keys would be lost by a pull.
  const document = parseDocument(text, { lineCounter: lines, intAsBigInt: true });
  const [error] = document.errors;
  if (error !== undefined) {
    return mistake(error.linePos?.[0].line ?? 1, error.message.split('\n', 1)[0]!);
  }
  if (!isMap(document.contents)) return mistake(1, 'the file must have members, such as key');
  const { contents } = document;
  const lineOf = (member: string) => {
    const pair = contents.items.find(({ key }) => String(key) === member);
    const range = (pair?.key as { range?: [number, number, number] } | undefined)?.range;
    return range ? lines.linePos(range[0]).line : 1;
  };
  let value: Record<string, unknown>;
  try {
    value = plain(document.toJS({ maxAliasCount: 0 })) as Record<string, unknown>;
  } catch (cause) {
    if (cause instanceof UnwritableText) return mistake(1, 'texts must not contain \\0');
    return mistake(1, 'aliases are not allowed');
  }
  const { key, ...definition } = value;
  if (typeof key !== 'string') return mistake(lineOf('key'), 'key must be a string');
  return { kind, key, definition, file, document, lineOf };
}

/** A text has a NUL, which marks digits in `parseExactly`, and which the server cannot store. */
class UnwritableText extends Error {}

/** Turns whole numbers into numbers, or, if they are too large, into the marked digits of `parseExactly`. */
function plain(value: unknown): unknown {
  if (typeof value === 'string' && value.includes('\0')) throw new UnwritableText();
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : `\0${value}`;
  }
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

/** Turns the marked digits of `parseExactly` into whole numbers that YAML writes with all digits. */
function toYaml(value: unknown): unknown {
  if (typeof value === 'string' && value.startsWith('\0')) {
    const digits = value.slice(1);
    return /^-?\d+$/.test(digits) ? BigInt(digits) : Number(digits);
  }
  if (Array.isArray(value)) return value.map(toYaml);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toYaml(member)]));
}

const OPTIONS = { lineWidth: 0 } as const;

/** Makes a new file of a definition, with a comment that leads editors to its schema. */
export function makeFile(folder: string, url: string, it: Definition) {
  const document = new Document({ key: it.key, ...(toYaml(it.definition) as object) });
  document.commentBefore = ` yaml-language-server: $schema=${url}/v1/definition-schemas/${it.kind}`;
  const file = join(folder, FOLDERS[it.kind], `${fileNameOf(it.key)}.yaml`);
  return { file, text: document.toString(OPTIONS) };
}

/**
 * Writes the changed members into the text of a file. Comments, and the order of all other members, stay.
 * @param differs Tells which members differ. A file need not state members that have their defaults.
 */
export function rewrite(
  file: FileDefinition,
  definition: Definition['definition'],
  differs: (member: string) => boolean,
): string {
  const pick = (from: Definition['definition']) =>
    Object.fromEntries(Object.entries(from).filter(([name]) => differs(name)));
  merge(file.document, [], pick(file.definition), pick(definition));
  return file.document.toString(OPTIONS);
}

function merge(
  document: Document,
  path: string[],
  old: Record<string, unknown>,
  current: Record<string, unknown>,
): void {
  for (const name of Object.keys(old)) {
    if (!Object.hasOwn(current, name)) document.deleteIn([...path, name]);
  }
  for (const [name, value] of Object.entries(current)) {
    const before = Object.hasOwn(old, name) ? old[name] : undefined;
    if (JSON.stringify(before) === JSON.stringify(value)) continue;
    if (isObject(before) && isObject(value)) merge(document, [...path, name], before, value);
    else document.setIn([...path, name], toNode(document, toYaml(value)));
  }
}

/** A scalar is set as it is: YAML then keeps the comment of the scalar that it replaces. */
const toNode = (document: Document, value: unknown): unknown =>
  typeof value === 'object' && value !== null ? document.createNode(value) : value;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Makes a file name of a key. Two keys never get the same one, also where case does not count. */
function fileNameOf(key: string): string {
  const name = escapeKey(key);
  if (name.length <= MAX_NAME_LENGTH) return name;
  return `${name.slice(0, MAX_NAME_LENGTH - 17)}-${hash('sha256', key).slice(0, 16)}`;
}

const MAX_NAME_LENGTH = 200;

const escapeKey = (key: string): string =>
  Array.from(key, (character) =>
    /[a-z0-9_-]/.test(character)
      ? character
      : `%${Buffer.from(character).toString('hex').toUpperCase()}`,
  ).join('');
