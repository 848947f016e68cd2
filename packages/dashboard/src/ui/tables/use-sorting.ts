import { useState } from 'react';

/** A value to sort by. Null comes last in both directions. */
export type SortValue = string | number | null;

export interface Sorting {
  by: string;
  descending: boolean;
  onChange: (by: string, descending: boolean) => void;
}

interface SortedColumn<Row> {
  id: string;
  value?: (row: Row) => SortValue;
}

const words = new Intl.Collator('en', { numeric: true });

/** Sorts rows in the browser by the column that the reader chooses. Until then they keep their order. */
export function useSorting<Row>(rows: Row[] | undefined, columns: SortedColumn<Row>[]) {
  const [chosen, setChosen] = useState<{ by: string; descending: boolean } | null>(null);
  const valueOf = columns.find(({ id }) => id === chosen?.by)?.value;
  const sorting: Sorting = {
    by: chosen?.by ?? '',
    descending: chosen?.descending ?? false,
    onChange(by, descending) {
      const value = columns.find(({ id }) => id === by)?.value;
      const first = rows?.[0];
      // Names go from A to Z, but the largest number and the newest time come first.
      const isText = value && first !== undefined && typeof value(first) === 'string';
      setChosen({ by, descending: by === chosen?.by ? descending : !isText });
    },
  };
  if (rows === undefined || chosen === null || valueOf === undefined) return { rows, sorting };
  const sign = chosen.descending ? -1 : 1;
  const sorted = rows.toSorted((a, b) => {
    const [first, second] = [valueOf(a), valueOf(b)];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    return sign * compare(first, second);
  });
  return { rows: sorted, sorting };
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return words.compare(String(a), String(b));
}
