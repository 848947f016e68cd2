import { hash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { DEFINITION_KINDS } from '@overworld/contract/definitions/kinds';
import type { DefinitionKindName } from '@overworld/contract/definitions/kinds';
import { Document } from 'yaml';
import { CommandError } from '../command.ts';
import { FileProblems } from './problems.ts';
import type { Problem } from './problems.ts';
import { readDefinition } from './read-file.ts';
import type { Definition, FileDefinition } from './read-file.ts';
import { WRITE_OPTIONS } from './rewrite-file.ts';
import { DOCUMENT_OPTIONS, toYaml } from './yaml-numbers.ts';

const FOLDERS: Record<DefinitionKindName, string> = {
  stat: 'stats',
  achievement: 'achievements',
  leaderboard: 'leaderboards',
  event_schema: 'event-schemas',
  metric: 'metrics',
  remote_config: 'remote-config',
  experiment: 'experiments',
  segment: 'segments',
  saved_report: 'saved-reports',
  dashboard: 'dashboards',
  alert: 'alerts',
  player_verification: 'player-verification',
  shares: 'shares',
  revenue_settings: 'revenue-settings',
  game_settings: 'settings',
  webhook: 'webhooks',
  login_provider: 'login-providers',
};

/** The most bytes of a file. */
const MAX_FILE_BYTES = 1024 * 1024;

/**
 * Reads all files of a folder.
 * @param must_exist False for a folder that a pull may make; then a missing one has no files.
 * @throws CommandError that names file and line of each mistake. A file that would not be read is a mistake too,
 * because its definition would count as deleted.
 */
export async function readFolder(folder: string, must_exist: boolean): Promise<FileDefinition[]> {
  const read: FileDefinition[] = [];
  const mistakes: Problem[] = [];
  const known = new Map<string, string>();
  const folders = new Map(DEFINITION_KINDS.map((kind) => [FOLDERS[kind], kind]));
  for (const entry of await listEntries(folder, must_exist)) {
    const path = join(folder, entry.name);
    if (folders.has(entry.name)) {
      if (!(await leadsOut(folder, path))) continue;
      mistakes.push({ file: path, line: null, error: 'leads out of the folder' });
    } else if (await isFolder(folder, entry)) {
      const error = `no kind of definitions has this folder: they are ${[...folders.keys()].join(', ')}`;
      mistakes.push({ file: path, line: null, error });
    }
  }
  for (const [name, kind] of folders) {
    for (const entry of await listEntries(join(folder, name), false)) {
      const file = join(folder, name, entry.name);
      const found = await readEntry(kind, folder, file, entry);
      if (found === null) continue;
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

/** Lists what is in a folder, without hidden entries, by name. */
async function listEntries(folder: string, must_exist: boolean): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && !must_exist) return [];
      const reason = error.code === 'ENOENT' ? 'there is no such folder' : error.message;
      throw new CommandError(`${folder} cannot be read: ${reason}`);
    },
  );
  return entries
    .filter(({ name }) => !name.startsWith('.'))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const isFolder = async (folder: string, entry: Dirent): Promise<boolean> =>
  entry.isDirectory() ||
  (entry.isSymbolicLink() && (await stat(join(folder, entry.name))).isDirectory());

/** Tells whether a link leads out of the folder. A pull must not write there. */
async function leadsOut(root: string, path: string): Promise<boolean> {
  const place = relative(await realpath(root), await realpath(path));
  return place.startsWith('..') || isAbsolute(place);
}

/** @returns null for a text for readers, such as README.md. */
async function readEntry(
  kind: DefinitionKindName,
  root: string,
  file: string,
  entry: Dirent,
): Promise<FileDefinition | Problem | null> {
  const mistake = (error: string): Problem => ({ file, line: null, error });
  if (/\.(md|txt)$/i.test(entry.name)) return null;
  try {
    if (await leadsOut(root, file)) return mistake('leads out of the folder');
    const { size, isFile } = await stat(file).then((it) => ({
      size: it.size,
      isFile: it.isFile(),
    }));
    if (!isFile) return mistake('only files may be here, and no folders');
    if (!/\.(ya?ml|json)$/.test(entry.name)) {
      return mistake('the name must end with .yaml, .yml or .json');
    }
    if (size > MAX_FILE_BYTES) return mistake('the file has more than 1 MB');
    return readDefinition(kind, file, await readFile(file, 'utf8'));
  } catch (error) {
    return mistake(`cannot be read: ${(error as Error).message}`);
  }
}

/** Makes a new file of a definition, with a comment that leads editors to its schema. */
export function makeFile(folder: string, url: string, it: Definition) {
  const document = new Document(
    { key: it.key, ...(toYaml(it.definition) as object) },
    DOCUMENT_OPTIONS,
  );
  document.commentBefore = ` yaml-language-server: $schema=${url}/v1/definition-schemas/${it.kind}`;
  const file = join(folder, FOLDERS[it.kind], `${fileNameOf(it.key)}.yaml`);
  return { file, text: document.toString(WRITE_OPTIONS) };
}

/** Makes a file name of a key. Two keys never get the same one, also where case does not count. */
function fileNameOf(key: string): string {
  const escaped = escapeKey(key);
  const name = DEVICE.test(escaped)
    ? `%${Buffer.from(key[0]!).toString('hex')}${escaped.slice(1)}`
    : escaped;
  if (name.length <= MAX_NAME_LENGTH) return name;
  return `${name.slice(0, MAX_NAME_LENGTH - 17)}-${hash('sha256', key).slice(0, 16)}`;
}

const MAX_NAME_LENGTH = 200;

/** On Windows, these are names of devices and not of files. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/;

const escapeKey = (key: string): string =>
  Array.from(key, (character) =>
    /[a-z0-9_-]/.test(character)
      ? character
      : `%${Buffer.from(character).toString('hex').toUpperCase()}`,
  ).join('');
