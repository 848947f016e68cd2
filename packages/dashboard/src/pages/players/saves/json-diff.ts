import { isContainer } from '../../../api/exact-json.ts';

/** One difference between two JSON values, at a path such as `inventory[2].count`. */
export interface Difference {
  path: string;
  kind: 'added' | 'removed' | 'changed';
  before?: unknown;
  after?: unknown;
}

/** Lists the differences between two JSON values, in the order of the first value. */
export function diffJson(before: unknown, after: unknown, path = ''): Difference[] {
  if (Array.isArray(before) && Array.isArray(after)) return diffLists(before, after, path);
  if (
    isContainer(before) &&
    isContainer(after) &&
    !Array.isArray(before) &&
    !Array.isArray(after)
  ) {
    return diffObjects(before, after, path);
  }
  return isSame(before, after) ? [] : [{ path, kind: 'changed', before, after }];
}

function diffObjects(before: object, after: object, path: string): Difference[] {
  const old = new Map(Object.entries(before));
  const next = new Map(Object.entries(after));
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((name): Difference[] => {
    const place = path ? `${path}.${name}` : name;
    if (!next.has(name)) return [{ path: place, kind: 'removed', before: old.get(name) }];
    if (!old.has(name)) return [{ path: place, kind: 'added', after: next.get(name) }];
    return diffJson(old.get(name), next.get(name), place);
  });
}

/**
 * Lists the differences between two lists. Items that are equal at the starts or at the ends of both lists
 * are skipped. So one item that was added or removed in the middle gives one difference.
 */
function diffLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
): Difference[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isSame(before[start], after[start])) start++;
  let same_end = 0;
  while (same_end < shorter - start && isSame(before.at(-1 - same_end), after.at(-1 - same_end))) {
    same_end++;
  }
  const old = before.slice(start, before.length - same_end);
  const next = after.slice(start, after.length - same_end);
  return Array.from({ length: Math.max(old.length, next.length) }, (_, index): Difference[] => {
    const place = `${path}[${start + index}]`;
    if (index >= next.length) return [{ path: place, kind: 'removed', before: old[index] }];
    if (index >= old.length) return [{ path: place, kind: 'added', after: next[index] }];
    return diffJson(old[index], next[index], place);
  }).flat();
}

const isSame = (a: unknown, b: unknown): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);
