import type { getBreakdown } from '@overworld/contract/analytics/breakdown';
import type { SuccessOf } from '@overworld/contract/operation';

/** The value that the members of a group share. */
export type GroupLabel = Pick<SuccessOf<typeof getBreakdown>['groups'][number], 'kind' | 'value'>;

/** The groups of a report, and the group of each value. */
export interface ChosenGroups {
  labels: GroupLabel[];
  /** For each number of a value: the index of the label of its group. A value without a group has `labels.length`. */
  label_of: Uint32Array;
}

/** The values by which a report is grouped. Each value has a number. */
interface GroupedValues {
  /** The number of the value that makes the group `none`; -1 if there is no such value. */
  none: number;
  /** Decides which of two values of equal size gets a group of its own. */
  compare(a: number, b: number): number;
  /** Reads the texts of values, and lists them in the order of their groups. */
  read(numbers: readonly number[]): Promise<{ number: number; value: string }[]>;
}

/**
 * Chooses the groups that are not empty: the largest values, each on its own, then `other` and `none`.
 * @param sizes The size of each value, by its number.
 */
export async function chooseGroups(
  { none, compare, read }: GroupedValues,
  sizes: Uint32Array,
  limit: number,
): Promise<ChosenGroups> {
  const order = (a: number, b: number) => sizes[b]! - sizes[a]! || compare(a, b);
  // Only the few listed values are sorted, because sorting millions would take seconds.
  const largest: number[] = [];
  let value_count = 0;
  for (let number = 0; number < sizes.length; number++) {
    if (number === none || !sizes[number]) continue;
    value_count++;
    if (largest.length === limit && order(largest[limit - 1]!, number) < 0) continue;
    let [low, high] = [0, largest.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (order(largest[middle]!, number) < 0) low = middle + 1;
      else high = middle;
    }
    largest.splice(low, 0, number);
    if (largest.length > limit) largest.pop();
  }
  const listed = largest.length === 0 ? [] : await read(largest);
  const labels: GroupLabel[] = listed.map(({ value }) => ({ kind: 'value', value }));
  const other = value_count > listed.length ? labels.push({ kind: 'other', value: null }) - 1 : -1;
  if (sizes[none]) labels.push({ kind: 'none', value: null });
  const label_of = new Uint32Array(sizes.length).fill(other === -1 ? labels.length : other);
  listed.forEach(({ number }, label) => {
    label_of[number] = label;
  });
  if (none !== -1) label_of[none] = sizes[none] ? labels.length - 1 : labels.length;
  return { labels, label_of };
}
