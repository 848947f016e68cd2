import { MAX_COLORED_GROUPS } from '../../theme/group-colors.ts';

/** The line of a group in a chart. */
export interface GroupLine {
  key: string;
  name: string;
  /** A number for each period; null if the group has none. */
  values: readonly (number | null)[];
  color: string;
  /** Words that say why the line is grey, such as `few players`. */
  greyed?: string;
}

/** How a chart shows groups: a line each, or their numbers on top of each other, or their shares of all. */
export const GROUP_FORMS = ['lines', 'stacked', 'shares'] as const;
export type GroupForm = (typeof GROUP_FORMS)[number];

/** A group that can have a line. Only groups of the kind `value` get a colour. */
interface Colored {
  kind: 'value' | 'other' | 'none';
}

/**
 * Divides the groups of a report into those with a line of their own, and the values that are too many for
 * the colours. The latter belong to the line of all others, with the group `other`.
 */
export function chooseLines<G extends Colored>(groups: readonly G[]) {
  const values = groups.filter(({ kind }) => kind === 'value');
  return {
    own: values.slice(0, MAX_COLORED_GROUPS),
    others: [...values.slice(MAX_COLORED_GROUPS), ...groups.filter(({ kind }) => kind === 'other')],
    none: groups.find(({ kind }) => kind === 'none'),
  };
}

/** Returns the bottom and the top of each line in each period, with the lines on top of each other. */
export function stackLines(
  lines: readonly (readonly (number | null)[])[],
  asShares: boolean,
): (readonly [bottom: number, top: number])[][] {
  const places = Array.from({ length: lines[0]?.length ?? 0 }, (_, place) => place);
  const totals = places.map((place) =>
    lines.reduce((total, values) => total + (values[place] ?? 0), 0),
  );
  const below = places.map(() => 0);
  return lines.map((values) =>
    places.map((place) => {
      const whole = asShares ? totals[place]! || 1 : 1;
      const bottom = below[place]!;
      const top = bottom + (values[place] ?? 0) / whole;
      below[place] = top;
      return [bottom, top] as const;
    }),
  );
}

/**
 * Moves labels apart that would overlap, as little as possible and in their order from top to bottom.
 * @param wanted The wished middle of each label, in pixels from the top.
 * @returns the middle of each label: at least `gap` apart, between `top` and `bottom` if there is room.
 */
export function placeLabels(
  wanted: readonly number[],
  { gap, top, bottom }: { gap: number; top: number; bottom: number },
): number[] {
  const order = wanted.map((_y, index) => index).toSorted((a, b) => wanted[a]! - wanted[b]!);
  const placed = Array.from(wanted, () => 0);
  let lowest = top - gap;
  for (const index of order) placed[index] = lowest = Math.max(wanted[index]!, lowest + gap);
  let highest = Math.max(bottom, top + gap * (wanted.length - 1)) + gap;
  for (const index of order.toReversed()) {
    placed[index] = highest = Math.min(placed[index]!, highest - gap);
  }
  return placed;
}
