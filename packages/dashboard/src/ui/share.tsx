import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { isFew, writeShare } from './format.ts';
import type { Column } from './tables/columns.tsx';

/** Words about so few players, sessions or events that they say little. They are grey. */
export const Few = ({ children }: { children: ReactNode }) => (
  <Text span inherit c="dimmed" fw={400}>
    {children}
  </Text>
);

/** A part of a whole as a share. A share of a whole that is too small is written as `2 of 3`, in grey. */
export function Share({ part, whole }: { part: number; whole: number }) {
  const words = writeShare(part, whole);
  return isFew(whole) ? <Few>{words}</Few> : words;
}

/**
 * Makes a column of shares. Shares of a whole that is too small come last, however the table is sorted.
 * @param partsOf Returns the part and the whole of a row.
 */
export const shareColumn = <Row,>(
  id: string,
  head: Column<Row>['head'],
  partsOf: (row: Row) => readonly [part: number, whole: number] | null,
): Column<Row> => ({
  id,
  head,
  align: 'end',
  value: (row) => {
    const [part = 0, whole = 0] = partsOf(row) ?? [];
    return isFew(whole) ? null : part / whole;
  },
  cell: (row) => {
    const [part = 0, whole = 0] = partsOf(row) ?? [];
    return <Share part={part} whole={whole} />;
  },
});
