import { compareNaturally } from '@overworld/contract/natural-order';
import type { ReportData } from '../../../reports/report-data.ts';
import { formatCount, formatScore } from '../../../ui/format.ts';

export type Breakdown = ReportData['breakdown'];
export type BreakdownNumbers = Breakdown['total'];
export type BreakdownGroup = Breakdown['groups'][number];

/** Writes a number with two digits after the point, or with more for numbers below 1. */
const formatNumber = (value: number) =>
  formatScore(Math.abs(value) >= 1 ? Math.round(value * 100) / 100 : Number(value.toPrecision(3)));

const counted = { isOfProperty: false, write: formatCount };
const measured = { isOfProperty: true, write: formatNumber };

export const MEASURES = [
  { value: 'events', name: 'Events', ...counted },
  { value: 'players', name: 'Unique players', ...counted },
  { value: 'sum', name: 'Sum', ...measured },
  { value: 'average', name: 'Average', ...measured },
  { value: 'minimum', name: 'Smallest', ...measured },
  { value: 'p25', name: 'First quartile', ...measured },
  { value: 'median', name: 'Median', ...measured },
  { value: 'p75', name: 'Third quartile', ...measured },
  { value: 'p90', name: '90th percentile', ...measured },
  { value: 'p99', name: '99th percentile', ...measured },
  { value: 'maximum', name: 'Largest', ...measured },
] as const;
export type Measure = (typeof MEASURES)[number];

/** Writes a measure as text, or as a dash if the group has no value for it. */
export function writeMeasure(measure: Measure, numbers: BreakdownNumbers): string {
  const value = numbers[measure.value];
  return value === null ? '–' : measure.write(value);
}

/** Matches values that have an order of their own: numbers, and texts such as `1-2` that begin with one. */
const NUMBERED = /^-?\d/;

/**
 * Sorts the groups: in their natural order if all values are numbers, such as levels, or else the largest
 * first. The groups `other` and `none` are last.
 */
export function rankGroups(groups: readonly BreakdownGroup[], measure: Measure): BreakdownGroup[] {
  const isNumbered = groups.every(({ kind, value }) => kind !== 'value' || NUMBERED.test(value!));
  return groups.toSorted(
    (a, b) =>
      Number(a.kind !== 'value') - Number(b.kind !== 'value') ||
      (isNumbered && a.kind === 'value' && b.kind === 'value'
        ? compareNaturally(a.value!, b.value!)
        : (b[measure.value] ?? -Infinity) - (a[measure.value] ?? -Infinity)),
  );
}

/** Finds the value with the largest measure; undefined if no value has one. */
export const largestOf = (groups: readonly BreakdownGroup[], measure: Measure) =>
  groups
    .filter(({ kind }) => kind === 'value')
    .toSorted((a, b) => (b[measure.value] ?? -Infinity) - (a[measure.value] ?? -Infinity))[0];
