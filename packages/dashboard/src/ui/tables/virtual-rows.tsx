import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { TableRow } from './table-row.tsx';
import type { RowsProps } from './table-row.tsx';

/** The number of rows above and below the visible part that are also on the page. */
const OVERSCAN = 10;

/**
 * The rows of a long list. Only the rows near the visible part are on the page. When the reader reaches
 * the end of the list, further rows are loaded.
 */
export function VirtualRows<Row>(props: RowsProps<Row>) {
  const { rows, columns, below: lower, rowKey, rowHref, more } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count: rows.length,
    estimateSize: () => 40,
    overscan: OVERSCAN,
    scrollMargin: top,
    measureElement: heightOf,
    getItemKey: (index) => rowKey(rows[index]!),
  });
  useLayoutEffect(() => {
    const now = Math.round(body.current!.getBoundingClientRect().top + scrollY);
    if (now !== top) setTop(now);
  });
  const items = virtualizer.getVirtualItems();
  useFixedWidths(body, items.length > 0);

  const last = items.at(-1)?.index ?? 0;
  const readsOn = more?.available && !more.busy && last >= rows.length - OVERSCAN;
  useEffect(() => {
    if (readsOn) more.load();
  });

  const above = items.length > 0 ? items[0]!.start - top : 0;
  const below = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top);
  return (
    <tbody ref={body}>
      <Space height={above} columns={columns.length} />
      {items.map(({ index, key }) => (
        <TableRow
          key={String(key)}
          row={rows[index]!}
          columns={columns}
          below={lower}
          rowHref={rowHref}
          index={index}
          measure={virtualizer.measureElement}
        />
      ))}
      <Space height={below} columns={columns.length} />
    </tbody>
  );
}

/** Measures the height of a row, including the cells below it. */
const heightOf = (row: HTMLTableRowElement): number => {
  const next = row.dataset.continues ? (row.nextElementSibling as HTMLElement) : null;
  return row.offsetHeight + (next?.offsetHeight ?? 0);
};

/** Takes up the height of the rows that are not on the page. */
function Space({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

/**
 * Fixes the widths of the columns at those of the first rows, because other rows would change the
 * widths.
 */
function useFixedWidths(body: { current: HTMLTableSectionElement | null }, isFilled: boolean) {
  useLayoutEffect(() => {
    const table = body.current?.closest('table');
    const heads = table?.tHead?.rows[0]?.cells;
    if (!isFilled || !table || !heads) return;
    const cells = [...heads];
    const chosen = cells.map(({ style }) => style.width);
    const free = () => {
      Object.assign(table.style, { tableLayout: '', width: '' });
      cells.forEach((cell, index) => (cell.style.width = chosen[index]!));
    };
    const fix = () => {
      free();
      const widths = cells.map((cell) => cell.getBoundingClientRect().width);
      const width = table.getBoundingClientRect().width;
      cells.forEach((cell, index) => (cell.style.width = `${widths[index]}px`));
      Object.assign(table.style, { tableLayout: 'fixed', width: `${width}px` });
    };
    fix();
    addEventListener('resize', fix);
    return () => {
      removeEventListener('resize', fix);
      free();
    };
  }, [body, isFilled]);
}
