import { chooseGroups } from '../scan/choose-groups.ts';
import type { ChosenGroups } from '../scan/choose-groups.ts';
import type { Groups } from '../scan/groups.ts';
import type { PlayerSet } from './player-set.ts';

/**
 * Chooses the groups of a report that is split by players.
 * @param values Each value as a JSON text; null for `none`. The index is the number of the value.
 */
export const choosePlayerGroups = (
  values: PlayerSet['values'],
  sizes: Uint32Array,
  limit: number,
): Promise<ChosenGroups> =>
  chooseGroups(
    {
      none: values.indexOf(null),
      compare: (a, b) => (values[a]! < values[b]! ? -1 : 1),
      read: async (numbers) =>
        numbers.map((number) => ({ number, value: JSON.parse(values[number]!) as string })),
    },
    sizes,
    limit,
  );

/**
 * Makes a grouping of events: an event is in the group of its player's value. Events of players outside the
 * set, or without a player, are in no group.
 */
export function createPlayerGroups({ values, valueOf }: PlayerSet): Groups {
  const outside = values.length;
  return {
    property: null,
    numberOf(high, low) {
      const value = valueOf(high, low);
      return value === -1 ? outside : value;
    },
    count: () => outside + 1,
    async choose(sizes, limit) {
      const inside = await choosePlayerGroups(values, sizes.subarray(0, outside), limit);
      const label_of = new Uint32Array(outside + 1).fill(inside.labels.length);
      label_of.set(inside.label_of);
      return { labels: inside.labels, label_of };
    },
  };
}
