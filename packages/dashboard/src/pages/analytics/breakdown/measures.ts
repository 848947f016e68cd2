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

/** Sorts the groups: the largest first, and the groups `other` and `none` last. */
export const rankGroups = (groups: readonly BreakdownGroup[], measure: Measure) =>
  groups.toSorted(
    (a, b) =>
      Number(a.kind !== 'value') - Number(b.kind !== 'value') ||
      (b[measure.value] ?? -Infinity) - (a[measure.value] ?? -Infinity),
  );
