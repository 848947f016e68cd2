import type { DefinitionKindName } from '@overworld/contract/definitions/kinds';
import type { Role } from '@overworld/contract/operation';
import { writeExactly } from '../../platform/json/exact-json.ts';
import type { Definition, Versions } from '../../platform/definitions/definition-kind.ts';

/** A member that a change gives another value. The value that is left out does not exist. */
interface ChangedField {
  /** Its place, such as `parameters.daily_reward.value`. */
  path: string;
  before?: unknown;
  after?: unknown;
}

/** A definition that would be made, changed or deleted. */
export interface ChangedDefinition {
  action: 'create' | 'update' | 'delete';
  kind: DefinitionKindName;
  key: string;
  fields: ChangedField[];
  /** The role that a member needs for the change. */
  role: Role;
  /** Set by an apply. */
  version?: Versions;
}

/** The most characters that the places of all changes of a plan have in all. */
export const MAX_PATH_CHARACTERS = 2_000_000;
/** The most members of a definition whose places are shown. */
const MAX_FIELDS = 1_000;
/** Longer places are not shown: the member around them stands for them. */
const MAX_PATH_LENGTH = 600;
/** The levels down to which members are compared one by one. The next number is tried if there are too many. */
const DEPTHS = [8, 2, 1];

/**
 * Lists the members that differ, in the order of the places where they first appear. If there are too many, or
 * their places are too long, the members around them are listed instead: a plan is never much larger than the
 * definitions in it.
 * @param budget The characters that the places may still have. It is reduced by those of the result.
 */
export function compareDefinitions(
  before: Definition,
  after: Definition,
  budget: { characters: number },
): ChangedField[] {
  for (const depth of DEPTHS) {
    const fields: ChangedField[] = [];
    const is_complete = compareObjects(before, after, { path: '', depth, fields });
    const characters = fields.reduce((sum, { path }) => sum + path.length, 0);
    const fits = is_complete && characters <= budget.characters;
    if (fits || depth === 1) {
      budget.characters -= characters;
      return fields;
    }
  }
  return [];
}

/** @returns false if there are too many members; then the list is not complete. */
function compareObjects(
  before: Definition,
  after: Definition,
  { path, depth, fields }: { path: string; depth: number; fields: ChangedField[] },
): boolean {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (fields.length >= MAX_FIELDS) return false;
    const [old, current] = [memberOf(before, name), memberOf(after, name)];
    const place = placeOf(path, name);
    const goes_deeper = depth > 1 && isObject(old) && isObject(current);
    if (goes_deeper && hasShortPlaces(place, old, current)) {
      if (!compareObjects(old, current, { path: place, depth: depth - 1, fields })) return false;
    } else if (writeSorted(old) !== writeSorted(current)) {
      fields.push({
        path: place,
        ...(old !== undefined && { before: old }),
        ...(current !== undefined && { after: current }),
      });
    }
  }
  return true;
}

const hasShortPlaces = (path: string, ...objects: Definition[]): boolean =>
  objects.every((object) =>
    Object.keys(object).every((name) => placeOf(path, name).length <= MAX_PATH_LENGTH),
  );

/** Writes the place of a member: `rules.max`, or `rules["a.b"]` for a name that would be mistaken for two. */
function placeOf(path: string, name: string): string {
  if (/[.[\]"]/.test(name) || name === '') return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

const memberOf = (object: Definition, name: string) =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const isObject = (value: unknown): value is Definition =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Writes a value as JSON with the members of its objects in the order of their names. */
export const writeSorted = (value: unknown): string =>
  value === undefined ? '' : writeExactly(sortMembers(value));

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sortMembers(member)]));
}
