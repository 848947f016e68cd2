import { isSeq } from 'yaml';
import type { Document } from 'yaml';
import type { Definition, FileDefinition } from './read-file.ts';
import { toYaml } from './yaml-numbers.ts';

export const WRITE_OPTIONS = { lineWidth: 0 } as const;
/** Keeps a JSON file JSON: new names and texts are in quotation marks. */
const JSON_OPTIONS = {
  ...WRITE_OPTIONS,
  defaultKeyType: 'QUOTE_DOUBLE',
  defaultStringType: 'QUOTE_DOUBLE',
  doubleQuotedAsJSON: true,
} as const;

type Path = readonly (string | number)[];

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
  mergeMembers(file.document, [], pick(file.definition), pick(definition));
  return file.document.toString(file.file.endsWith('.json') ? JSON_OPTIONS : WRITE_OPTIONS);
}

function mergeMembers(
  document: Document,
  path: Path,
  old: Record<string, unknown>,
  current: Record<string, unknown>,
): void {
  for (const name of Object.keys(old)) {
    if (!Object.hasOwn(current, name)) document.deleteIn([...path, name]);
  }
  for (const [name, value] of Object.entries(current)) {
    merge(document, [...path, name], Object.hasOwn(old, name) ? old[name] : undefined, value);
  }
}

function merge(document: Document, path: Path, before: unknown, value: unknown): void {
  if (isSame(before, value)) return;
  if (isObject(before) && isObject(value)) mergeMembers(document, path, before, value);
  else if (Array.isArray(before) && Array.isArray(value)) {
    mergeElements(document, path, before, value);
  } else document.setIn(path, toNode(document, value));
}

/** An element keeps its comments wherever it goes, also if some of its members change. */
function mergeElements(
  document: Document,
  path: Path,
  before: readonly unknown[],
  value: readonly unknown[],
): void {
  const list = document.getIn(path, true);
  if (!isSeq(list)) return document.setIn(path, toNode(document, value));
  const nodes = [...list.items];
  const from = pairElements(before, value);
  list.items = from.map((index, place) =>
    index === null ? document.createNode(toYaml(value[place])) : nodes[index],
  );
  for (const [place, index] of from.entries()) {
    if (index !== null) merge(document, [...path, place], before[index], value[place]);
  }
}

/** The most pairs of elements that are compared. Elements of longer lists are those of the same place. */
const MAX_PAIRS = 10_000;

/** Finds the old element of each element: the one that is most like it; null if none is left. */
function pairElements(before: readonly unknown[], value: readonly unknown[]): (number | null)[] {
  const from = value.map((): number | null => null);
  const free = new Set(before.keys());
  const take = (place: number, index: number) => {
    if (from[place] !== null || !free.delete(index)) return;
    from[place] = index;
  };
  if (before.length * value.length <= MAX_PAIRS) {
    const pairs = value.flatMap((element, place) =>
      before.map((old, index) => ({ place, index, likeness: likenessOf(old, element) })),
    );
    const distance = ({ place, index }: { place: number; index: number }) =>
      Math.abs(place - index);
    const best = pairs
      .filter(({ likeness }) => likeness > 0)
      .toSorted((a, b) => b.likeness - a.likeness || distance(a) - distance(b));
    for (const { place, index } of best) take(place, index);
  }
  for (const place of from.keys()) take(place, place);
  return from;
}

/** Counts the members that two elements have in common. Equal elements are like each other most. */
function likenessOf(old: unknown, element: unknown): number {
  if (isSame(old, element)) return Number.MAX_VALUE;
  if (!isObject(old) || !isObject(element)) return 0;
  const names = Object.keys(old).filter((name) => Object.hasOwn(element, name));
  return names.filter((name) => isSame(old[name], element[name])).length;
}

/** A scalar is set as it is: YAML then keeps the comment of the scalar that it replaces. */
function toNode(document: Document, value: unknown): unknown {
  const written = toYaml(value);
  return typeof written === 'object' && written !== null ? document.createNode(written) : written;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
