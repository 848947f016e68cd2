import { isContainer } from '../../../api/exact-json.ts';

/** One difference between two JSON values, at a path such as `inventory[2].count`. */
interface Difference {
  path: string;
  kind: 'added' | 'removed' | 'changed';
  before?: unknown;
  after?: unknown;
}

const isSameKind = (a: object, b: object) => Array.isArray(a) === Array.isArray(b);

/** The differences between two JSON values, in the order of the first. */
export function diffJson(before: unknown, after: unknown, path = ''): Difference[] {
  if (isContainer(before) && isContainer(after) && isSameKind(before, after)) {
    const old = new Map(Object.entries(before));
    const next = new Map(Object.entries(after));
    const names = [...new Set([...old.keys(), ...next.keys()])];
    return names.flatMap((name) => {
      const place = Array.isArray(after) ? `${path}[${name}]` : path ? `${path}.${name}` : name;
      if (!next.has(name)) return [{ path: place, kind: 'removed', before: old.get(name) }];
      if (!old.has(name)) return [{ path: place, kind: 'added', after: next.get(name) }];
      return diffJson(old.get(name), next.get(name), place);
    });
  }
  return before === after || JSON.stringify(before) === JSON.stringify(after)
    ? []
    : [{ path, kind: 'changed', before, after }];
}
