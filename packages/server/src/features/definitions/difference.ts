import type { DefinitionKindName } from '@overworld/contract/definitions/kinds';
import { writeExactly } from '../../platform/json/exact-json.ts';
import type { Definition } from '../../platform/definitions/definition-kind.ts';

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
}

/** Lists the members that differ, in the order of the places where they first appear. */
export function compareDefinitions(before: Definition, after: Definition): ChangedField[] {
  const fields: ChangedField[] = [];
  compareObjects(before, after, '', fields);
  return fields;
}

function compareObjects(before: Definition, after: Definition, path: string, to: ChangedField[]) {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, current] = [memberOf(before, name), memberOf(after, name)];
    const place = path === '' ? name : `${path}.${name}`;
    if (isObject(old) && isObject(current)) compareObjects(old, current, place, to);
    else if (writeSorted(old) !== writeSorted(current)) {
      to.push({
        path: place,
        ...(old !== undefined && { before: old }),
        ...(current !== undefined && { after: current }),
      });
    }
  }
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
