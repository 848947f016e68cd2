import { isUuid } from '../../../platform/http/validation.ts';
import type { ArchiveHeader, ArchiveLine, TableLine } from './format.ts';

/** TENANT_GROUPS cannot be larger. */
const MAX_GROUPS = 1_024;

/** Reads the first line of an archive. Returns null if an archive cannot begin with it. */
export function readHeader(value: unknown): ArchiveHeader | null {
  if (!isObject(value)) return null;
  const { overworld, migration, groups = 1, game_id } = value;
  if (overworld !== 'installation' && overworld !== 'game') return null;
  if (typeof migration !== 'string' || !isCount(groups) || groups < 1 || groups > MAX_GROUPS) {
    return null;
  }
  if (overworld === 'installation') return value as unknown as ArchiveHeader;
  if (typeof game_id !== 'string' || !isUuid(game_id)) return null;
  return { ...value, game_id: game_id.toLowerCase() } as unknown as ArchiveHeader;
}

/** Reads a line after the first one. Returns null if it is of no kind that an archive has. */
export function readLine(value: unknown): Exclude<ArchiveLine, ArchiveHeader> | null {
  if (Array.isArray(value)) {
    const isRow = value.every((text) => text === null || typeof text === 'string');
    return isRow ? value : null;
  }
  if (!isObject(value)) return null;
  if (value.complete === true) return { complete: true, rows: Number(value.rows) };
  const { table, group = 0, columns, partitions } = value;
  const isTable =
    typeof table === 'string' &&
    isCount(group) &&
    isListOf(columns, (name) => typeof name === 'string') &&
    new Set(columns).size === columns.length &&
    isListOf(partitions, (partition) => isObject(partition) && typeof partition.name === 'string');
  return isTable ? (value as unknown as TableLine) : null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

const isListOf = (value: unknown, isElement: (element: unknown) => boolean): value is unknown[] =>
  Array.isArray(value) && value.every(isElement);
