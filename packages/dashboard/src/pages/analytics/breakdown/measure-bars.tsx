import type { ReactNode } from 'react';
import { RankedBars } from '../../../ui/charts/ranked-bars.tsx';
import { writeMeasure } from './measures.ts';
import type { BreakdownNumbers, Measure } from './measures.ts';

type Row = BreakdownNumbers & { kind: string; value: string | null };

/** Draws a bar for each row of a breakdown, such as a group. */
export function MeasureBars<R extends Row>(props: {
  measure: Measure;
  rows: readonly R[];
  nameOf: (row: R) => ReactNode;
}) {
  const { measure, rows, nameOf } = props;
  return (
    <RankedBars
      label={`${measure.name} by group`}
      bars={rows.map((row) => ({
        key: `${row.kind} ${row.value}`,
        name: nameOf(row),
        value: row[measure.value],
        text: writeMeasure(measure, row),
        isAside: row.kind === 'other' || row.kind === 'none',
      }))}
    />
  );
}
