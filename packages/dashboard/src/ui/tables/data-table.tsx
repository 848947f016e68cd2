import { Button, Skeleton } from '@mantine/core';
import type { ListTotal } from '@overworld/contract/list-total';
import { IconArrowDown, IconArrowUp, IconSelector } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import type { ReactNode } from 'react';
import type { Column } from './columns.tsx';
import classes from './data-table.module.css';
import { useDensityChoice } from './density.ts';
import type { Density } from './density.ts';
import { EmptyState } from '../empty-state.tsx';
import { ReadProblem } from '../page.tsx';
import type { Failable } from '../page.tsx';
import { classOf, TableRow } from './table-row.tsx';
import type { RowsProps } from './table-row.tsx';
import { useOverflow } from './use-overflow.ts';
import { totalWords } from './total-words.ts';
import { useSorting } from './use-sorting.ts';
import type { Sorting } from './use-sorting.ts';

/** If a list is longer than this, only the rows near the visible part are on the page. */
const MAX_PLAIN_ROWS = 100;

const VirtualRows = lazy(async () => ({
  default: (await import('./virtual-rows.tsx')).VirtualRows,
})) as <Row>(props: RowsProps<Row>) => ReactNode;

export interface DataTableProps<Row> extends Pick<RowsProps<Row>, 'rowKey' | 'rowHref' | 'more'> {
  /** Names the table for readers who cannot see it. */
  label: string;
  columns: Column<Row>[];
  /** Undefined while the rows are being loaded. */
  rows: Row[] | undefined;
  /** The title of the text that replaces an empty table. Without a title, nothing replaces it. */
  emptyTitle?: string;
  emptyWords?: ReactNode;
  /** The next thing to do, shown below the words. */
  emptyAction?: ReactNode;
  /** The query that loads the rows. */
  query?: Failable;
  /** The order in which the server sorts. */
  sorting?: Sorting;
  /** The number of rows of the whole list. */
  total?: ListTotal;
  /** Overrides the reader's choice of density. */
  density?: Density;
  /**
   * The minimum width of the table, in pixels. In a narrower place the table scrolls. In a place that is wide
   * enough it does not scroll, because long cells are cut.
   */
  minWidth?: number;
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rowKey, rowHref, query, more, total } = props;
  const overflow = useOverflow();
  const { value: density } = useDensityChoice();
  const below = overflow.isTight ? props.columns.filter((column) => column.below) : [];
  const columns = props.columns.filter((column) => !below.includes(column));
  const { rows, sortingOf } = useSorting({ ...props, isWhole: !more?.available });

  if (rows === undefined && query?.error) {
    return (
      <div style={{ padding: 16 }}>
        <ReadProblem query={query} />
      </div>
    );
  }
  if (rows?.length === 0) {
    const { emptyTitle, emptyWords, emptyAction } = props;
    if (emptyTitle === undefined) return null;
    return (
      <EmptyState title={emptyTitle} action={emptyAction}>
        {emptyWords}
      </EmptyState>
    );
  }

  const body = { columns, below, rowKey, rowHref, more };
  const isVirtual = rows !== undefined && rows.length > MAX_PLAIN_ROWS;

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
          // -1 stands for an unknown number of rows.
          aria-rowcount={isVirtual ? (more?.available ? -1 : rows.length + 1) : undefined}
        >
          <thead>
            <tr>
              {columns.map((column) => (
                <Head key={column.id} column={column} sorting={sortingOf(column)} />
              ))}
            </tr>
          </thead>
          {rows === undefined ? (
            <tbody>
              <SkeletonRows columns={columns.length} />
            </tbody>
          ) : !isVirtual ? (
            <PlainRows {...body} rows={rows} />
          ) : (
            <Suspense fallback={<PlainRows {...body} rows={rows.slice(0, MAX_PLAIN_ROWS)} />}>
              <VirtualRows {...body} rows={rows} />
            </Suspense>
          )}
        </table>
      </div>
      {rows && (total || more?.available) && (
        <div className={classes.foot}>
          <span>{total && totalWords(rows.length, total)}</span>
          {more?.available && (
            <Button variant="subtle" size="xs" loading={more.busy} onClick={more.load}>
              Show more
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function PlainRows<Row>({ rows, rowKey, ...row }: RowsProps<Row>) {
  return (
    <tbody>
      {rows.map((each) => (
        <TableRow
          key={rowKey(each)}
          row={each}
          columns={row.columns}
          below={row.below}
          rowHref={row.rowHref}
        />
      ))}
    </tbody>
  );
}

function Head<Row>({ column, sorting }: { column: Column<Row>; sorting: Sorting | null }) {
  const active = sorting?.by === column.id;
  const direction = active ? (sorting.descending ? 'descending' : 'ascending') : 'none';
  const Arrow = !active ? IconSelector : sorting.descending ? IconArrowDown : IconArrowUp;
  return (
    <th
      scope="col"
      className={classOf(column)}
      style={{ width: column.width }}
      aria-sort={sorting ? direction : undefined}
    >
      {sorting ? (
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

function SkeletonRows({ columns }: { columns: number }) {
  return Array.from({ length: 8 }, (_, row) => (
    <tr key={row}>
      {Array.from({ length: columns }, (__, column) => (
        <td key={column}>
          <Skeleton height={12} my={4} width={column === 0 ? '60%' : '40%'} />
        </td>
      ))}
    </tr>
  ));
}
