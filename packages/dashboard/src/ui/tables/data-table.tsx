import { Button, Skeleton } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { useNavigate } from 'react-router';
import classes from './data-table.module.css';
import type { Density } from './density.tsx';
import { useDensity } from './density.tsx';
import { IconArrowDown, IconArrowUp, IconSelector } from '../icons.ts';
import { ReadProblem } from '../page.tsx';
import { useOverflow } from './use-overflow.ts';
import { useSorting } from './use-sorting.ts';
import type { Sorting, SortValue } from './use-sorting.ts';

export interface Column<Row> {
  /** Unique; also the name that sorting uses. */
  id: string;
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  align?: 'end';
  width?: number | string;
  /** Where the server sorts by it. */
  sortable?: boolean;
  /** What the browser sorts by, as soon as all rows are here. */
  value?: (row: Row) => SortValue;
}

export interface DataTableProps<Row> {
  /** What the table lists, for those who cannot see it. */
  label: string;
  columns: Column<Row>[];
  /** Undefined while they are read. */
  rows: Row[] | undefined;
  /** How many rows its skeleton has. */
  expectedRows?: number;
  rowKey: (row: Row) => string;
  /** Where a click on the row leads; a link in one of its cells should lead there too. */
  rowHref?: (row: Row) => string;
  /** In place of a table without rows. */
  empty?: ReactNode;
  error?: unknown;
  onRetry?: () => void;
  /** How the server sorts; without it the browser does, by the columns that have a value. */
  sorting?: Sorting;
  more?: { available: boolean; busy: boolean; load: () => void };
  /** Instead of the reader's own choice. */
  density?: Density;
  /** As wide as its place, and cells are cut; below so many pixels it is scrolled. */
  minWidth?: number;
}

/** A table with its skeleton, empty state, failure and further pages. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rowKey, rowHref, empty, error, onRetry, more } = props;
  const navigate = useNavigate();
  const overflow = useOverflow();
  const [density] = useDensity();
  const sorted = useSorting(props.rows, columns);
  const isSortedHere = props.sorting === undefined && !more?.available;
  const rows = isSortedHere ? sorted.rows : props.rows;

  if (rows === undefined && error) {
    return (
      <div style={{ padding: 16 }}>
        <ReadProblem error={error} onRetry={() => onRetry?.()} />
      </div>
    );
  }
  if (rows?.length === 0) return empty;

  const follow = (event: MouseEvent, row: Row) => {
    const inside = (event.target as HTMLElement).closest('a, button, input, label');
    if (rowHref && !inside && !getSelection()?.toString()) void navigate(rowHref(row));
  };

  return (
    <>
      <div
        ref={overflow.ref}
        className={classes.scroll}
        data-scrolls={overflow.scrolls || undefined}
        data-more={overflow.hasMore || undefined}
        tabIndex={overflow.scrolls ? 0 : undefined}
        role="region"
        aria-label={label}
      >
        <table
          className={classes.table}
          data-density={props.density ?? density}
          data-fixed={props.minWidth !== undefined || undefined}
          style={{ minWidth: props.minWidth }}
          aria-busy={!rows}
        >
          <thead>
            <tr>
              {columns.map((column) => (
                <Head
                  key={column.id}
                  column={column}
                  sorting={isSortedHere ? sorted.sorting : props.sorting}
                  isSortable={isSortedHere ? column.value !== undefined : column.sortable === true}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows?.map((row) => (
              <tr
                key={rowKey(row)}
                data-link={rowHref ? true : undefined}
                onClick={rowHref && ((event) => follow(event, row))}
              >
                {columns.map((column) => (
                  <td key={column.id} className={column.align && classes.end}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            )) ?? <SkeletonRows rows={props.expectedRows ?? 8} columns={columns.length} />}
          </tbody>
        </table>
      </div>
      {more?.available && (
        <div className={classes.more}>
          <Button variant="subtle" size="xs" loading={more.busy} onClick={more.load}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

function Head<Row>(props: { column: Column<Row>; sorting?: Sorting; isSortable: boolean }) {
  const { column, sorting, isSortable } = props;
  const active = sorting?.by === column.id;
  const direction = active ? (sorting.descending ? 'descending' : 'ascending') : 'none';
  const Arrow = !active ? IconSelector : sorting.descending ? IconArrowDown : IconArrowUp;
  return (
    <th
      scope="col"
      className={column.align && classes.end}
      style={{ width: column.width }}
      aria-sort={isSortable ? direction : undefined}
    >
      {isSortable && sorting ? (
        <button
          type="button"
          className={classes.sort}
          data-active={active || undefined}
          onClick={() => sorting.onChange(column.id, active ? !sorting.descending : true)}
        >
          {column.head}
          <Arrow size={14} aria-hidden />
        </button>
      ) : (
        column.head
      )}
    </th>
  );
}

function SkeletonRows({ rows, columns }: { rows: number; columns: number }) {
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row}>
      {Array.from({ length: columns }, (__, column) => (
        <td key={column}>
          <Skeleton height={12} my={4} width={column === 0 ? '60%' : '40%'} />
        </td>
      ))}
    </tr>
  ));
}
