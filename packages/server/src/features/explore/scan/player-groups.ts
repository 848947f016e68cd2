import type { GroupLabel, Groups } from './groups.ts';
import type { PlayerSet } from './player-set.ts';

/** The groups of a report that is split by a property of players, and the group of each value of it. */
export interface ChosenGroups {
  labels: GroupLabel[];
  /** For each number of a value: the index of the label of its group. */
  label_of: Uint32Array;
}

/** The entry in `label_of` for a value that no player of the report has. */
export const NO_GROUP = 0xffff_ffff;

/**
 * Chooses the groups that are not empty. Each of the largest values has its own group; then come `other` and
 * `none`.
 * @param values Each value as a JSON text; null for `none`. The index is the number of the value.
 * @param sizes For each number of a value: the size by which the largest values are found.
 */
export function chooseGroups(
  values: readonly (string | null)[],
  sizes: Uint32Array,
  limit: number,
): ChosenGroups {
  const order = (a: number, b: number) =>
    sizes[b]! - sizes[a]! || (values[a]! < values[b]! ? -1 : 1);
  const largest: number[] = [];
  let value_count = 0;
  let none = -1;
  for (let number = 0; number < values.length; number++) {
    if (values[number] === null) none = number;
    if (number === none || !sizes[number]) continue;
    value_count++;
    if (largest.length === limit && order(largest[limit - 1]!, number) < 0) continue;
    largest.push(number);
    largest.sort(order);
    if (largest.length > limit) largest.pop();
  }
  const labels: GroupLabel[] = largest.map((number) => ({
    kind: 'value',
    value: JSON.parse(values[number]!) as string,
  }));
  const has_other = value_count > largest.length;
  const label_of = new Uint32Array(values.length).fill(has_other ? labels.length : NO_GROUP);
  if (has_other) labels.push({ kind: 'other', value: null });
  largest.forEach((number, label) => {
    label_of[number] = label;
  });
  if (none !== -1) {
    const is_empty = sizes[none] === 0;
    label_of[none] = is_empty ? NO_GROUP : labels.length;
    if (!is_empty) labels.push({ kind: 'none', value: null });
  }
  return { labels, label_of };
}

/**
 * Makes a grouping of events: an event is in the group of its player's value. Events of players outside the
 * set, or without a player, are in no group.
 */
export function createPlayerGroups({ values, valueOf }: PlayerSet): Groups {
  const outside = values.length;
  return {
    field: null,
    numberOf(high, low) {
      const value = valueOf(high, low);
      return value === -1 ? outside : value;
    },
    count: () => values.length + 1,
    async choose(sizes, limit) {
      const { labels, label_of } = chooseGroups(values, sizes, limit);
      const with_outside = new Uint32Array(values.length + 1).fill(labels.length);
      label_of.forEach((label, value) => {
        if (label !== NO_GROUP) with_outside[value] = label;
      });
      return { labels, label_of: with_outside };
    },
  };
}
