import type { DefinitionsByKey } from './definition-kind.ts';

/*
 * Places of definitions that have an order. In files only the order counts, so that a thing can be put between
 * others without a change of all of them.
 */

/**
 * Gives the wanted definitions their places (`position`) among all, from 1 and without gaps. Those without a place in their
 * file keep the one that they have among the others, and new ones come last.
 */
export function settlePlaces(
  wanted: DefinitionsByKey,
  present: DefinitionsByKey,
): DefinitionsByKey {
  const placeIn = (definitions: DefinitionsByKey) => (key: string) =>
    (definitions.get(key)?.position as number | undefined) ?? Infinity;
  const all = [...new Set([...wanted.keys(), ...present.keys()])].toSorted();
  const isPlaced = (key: string) => wanted.get(key)?.position !== undefined;
  const placed = all.filter(isPlaced).toSorted(byPlace(placeIn(wanted)));
  const others = all.filter((key) => !isPlaced(key)).toSorted(byPlace(placeIn(present)));
  const places = new Map<string, number>();
  for (let place = 1, [next, other] = [0, 0]; place <= all.length; place++) {
    const key = placed[next];
    const takes_it = key !== undefined && (wanted.get(key)!.position as number) <= place;
    places.set(takes_it || other >= others.length ? placed[next++]! : others[other++]!, place);
  }
  return new Map([...wanted].map(([key, it]) => [key, { ...it, position: places.get(key)! }]));
}

/** Sorts keys by their places. Sorting is stable, so keys of one place keep their order. */
const byPlace = (place: (key: string) => number) => (a: string, b: string) => {
  const [first, second] = [place(a), place(b)];
  return first === second ? 0 : first - second;
};

/** Orders all keys: those of wanted definitions by their settled places, the others around them as they were. */
export function orderAll(keys: readonly string[], wanted: DefinitionsByKey): string[] {
  const placed = new Map([...wanted].map(([key, { position }]) => [position as number, key]));
  const others = keys.filter((key) => !wanted.has(key));
  return keys.map((_, index) => placed.get(index + 1) ?? others.shift()!);
}
