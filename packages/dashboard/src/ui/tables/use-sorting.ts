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
  sortable?: boolean;
  value?: (row: Row) => SortValue;
}

const words = new Intl.Collator('en', { numeric: true });

/**
 * Returns the rows in the order that the reader has chosen, and a way to sort by each column. The server
 * sorts if it can; otherwise the browser does. The browser sorts only complete lists.
 */
export function useSorting<Row>(list: {
  rows: Row[] | undefined;
  columns: readonly SortedColumn<Row>[];
  /** The order in which the server sorts. */
  sorting?: Sorting;
  /** True if all rows of the list are loaded. */
  isWhole: boolean;
}) {
  const { rows, columns, sorting: byServer, isWhole } = list;
  const [chosen, setChosen] = useState<{ by: string; descending: boolean } | null>(null);
  const valueOf = isWhole ? columns.find(({ id }) => id === chosen?.by)?.value : undefined;
  const order = valueOf && chosen;

  const here: Sorting = {
    by: order?.by ?? '',
    descending: order?.descending ?? false,
    onChange(by, descending) {
      const value = columns.find(({ id }) => id === by)?.value;
      const first = rows?.find((row) => value?.(row) !== null);
      // Names go from A to Z, but the largest number and the newest time come first.
      const isText = value && first !== undefined && typeof value(first) === 'string';
      setChosen({ by, descending: by === order?.by ? descending : !isText });
    },
  };
  const there: Sorting | undefined = byServer && {
    ...byServer,
    by: order ? '' : byServer.by,
    onChange(by, descending) {
      setChosen(null);
      byServer.onChange(by, descending);
    },
  };
  const sortingOf = ({ sortable, value }: SortedColumn<Row>): Sorting | null => {
    if (there && sortable) return there;
    return isWhole && value ? here : null;
  };
  if (rows === undefined || !order || !valueOf) return { rows, sortingOf };
  const sign = order.descending ? -1 : 1;
  const sorted = rows.toSorted((a, b) => {
    const [first, second] = [valueOf(a), valueOf(b)];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    return sign * compare(first, second);
  });
  return { rows: sorted, sortingOf };
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return words.compare(String(a), String(b));
}
