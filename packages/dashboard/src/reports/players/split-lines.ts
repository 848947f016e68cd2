import { FEW } from '@overworld/contract/percents';
import { MAX_COLORED_GROUPS } from '../../theme/group-colors.ts';
import { chooseLines } from '../../ui/charts/group-lines.ts';
import type { GroupLine } from '../../ui/charts/group-lines.ts';
import { isFew } from '../../ui/format.ts';
import { groupWords } from '../group-words.ts';
import { sum } from '../summary.ts';
import type { PlayerGroup } from './player-selection.ts';

const GREY = 'var(--chart-compared)';

/** The part of a metric that joins the numbers of groups. */
export interface FoldedMetric<Day> {
  of: (day: Day) => number | null;
  isSum?: boolean;
  whole?: (day: Day) => number;
  base?: (day: Day) => number;
  isApart?: boolean;
}

/** The line of one group before it has a colour, or of the groups that share the line of all others. */
export interface MadeLine {
  values: readonly (number | null)[];
  /** The number of players behind the values. */
  players: number;
}

/**
 * Makes a line for each group: up to eight values in colours of their own, then all others, and the players
 * without a value. Groups of few players are grey.
 * @param make Makes the line of one group, or of several together. Null if they have no common number.
 * @param few Names the things of which a group has too few.
 */
export function linesOf<G extends PlayerGroup>(
  groups: readonly G[],
  make: (of: readonly G[]) => MadeLine | null,
  few = 'few players',
): GroupLine[] {
  const { own, others, none } = chooseLines(groups);
  const lineOf = (of: readonly G[], key: string, name: string, color: string): GroupLine[] => {
    const made = of.length === 0 ? null : make(of);
    if (made === null) return [];
    const isSmall = isFew(made.players);
    return [
      {
        key,
        name,
        values: made.values,
        color: isSmall ? GREY : color,
        ...(isSmall && { greyed: few }),
      },
    ];
  };
  return [
    ...own.flatMap((group, index) =>
      lineOf([group], `value ${group.value}`, groupWords(group), `var(--group-${index + 1})`),
    ),
    ...lineOf(others, 'other', 'All others', 'var(--mantine-color-dimmed)'),
    ...(none === undefined ? [] : lineOf([none], 'none', groupWords(none), 'var(--mark)')),
  ];
}

/** Says which groups are grey, and how many share a line; empty if there is nothing to say. */
export function sayLines(groups: readonly PlayerGroup[], lines: readonly GroupLine[]): string {
  const grey = lines.filter(({ greyed }) => greyed !== undefined);
  const folded = groups.filter(({ kind }) => kind === 'value').length - MAX_COLORED_GROUPS;
  return [
    grey.length > 0 && `Grey lines are of ${grey[0]!.greyed}, fewer than ${FEW}: they say little.`,
    folded > 0 && `The ${MAX_COLORED_GROUPS} largest groups have lines of their own.`,
  ]
    .filter((each) => each !== false)
    .join(' ');
}

/**
 * Makes the line of a metric for some groups together, which have the same days.
 * @param sizeOf Returns the number of players behind the numbers of a group.
 */
export const metricLine =
  <Day, G extends { days: readonly Day[] }>(
    metric: FoldedMetric<Day>,
    sizeOf: (days: readonly Day[]) => number,
  ) =>
  (groups: readonly G[]): MadeLine => {
    const days = groups[0]!.days.map((_day, place) => groups.map((group) => group.days[place]!));
    return {
      values: days.map((of) => foldMetric(metric, of)),
      players: sum(groups.map((group) => sizeOf(group.days))),
    };
  };

/** Joins the numbers of several groups on a day: sums are added up, and ratios are weighted by their whole. */
export function foldMetric<Day>(metric: FoldedMetric<Day>, days: readonly Day[]): number | null {
  const { of, isSum = false, whole = metric.base } = metric;
  if (days.length === 1) return of(days[0]!);
  if (metric.isApart) return null;
  const told = days.filter((day) => of(day) !== null);
  if (told.length === 0) return null;
  if (isSum || whole === undefined) return sum(told.map((day) => of(day)!));
  const weight = sum(told.map(whole));
  return weight === 0 ? null : sum(told.map((day) => of(day)! * whole(day))) / weight;
}
