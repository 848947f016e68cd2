import { Children, memo } from 'react';
import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router';
import type { Column } from './columns.tsx';
import classes from './data-table.module.css';

export interface RowsProps<Row> {
  rows: Row[];
  columns: Column<Row>[];
  /** The columns whose cells are in a second line below the other cells. */
  below: Column<Row>[];
  rowKey: (row: Row) => string;
  /** The target of a click on the row. A link in one of the row's cells should lead to the same target. */
  rowHref?: (row: Row) => string;
  more?: { available: boolean; busy: boolean; load: () => void };
}

/** The class of all cells of a column. */
export const classOf = <Row,>({ align, kept }: Column<Row>) =>
  [align && classes.end, kept && classes.kept].filter(Boolean).join(' ') || undefined;

/** A row that renders only when its props change, because a long list renders at each scroll step. */
export const TableRow = memo(PlainRow) as typeof PlainRow;

function PlainRow<Row>(props: {
  row: Row;
  columns: Column<Row>[];
  below: Column<Row>[];
  rowHref?: (row: Row) => string;
  /** The index of the row in the whole list, if only a part of the rows is on the page. */
  index?: number;
  measure?: (element: HTMLTableRowElement | null) => void;
}) {
  const { row, columns, below, rowHref, index, measure } = props;
  const navigate = useNavigate();
  const follow = (event: MouseEvent) => {
    const inside = (event.target as HTMLElement).closest('a, button, input, label');
    if (rowHref && !inside && !getSelection()?.toString()) void navigate(rowHref(row));
  };
  const cells = below.map((column) => column.cell(row)).filter(Boolean);
  return (
    <>
      <tr
        ref={measure}
        data-index={index}
        // Rows are numbered from 1, and the head of the table is the first row.
        aria-rowindex={index === undefined ? undefined : index + 2}
        data-link={rowHref ? true : undefined}
        data-continues={cells.length > 0 || undefined}
        onClick={rowHref && follow}
      >
        {columns.map((column) => (
          <td key={column.id} className={classOf(column)}>
            {column.cell(row)}
          </td>
        ))}
      </tr>
      {cells.length > 0 && (
        <tr>
          <td colSpan={columns.length} className={classes.below}>
            <div>{Children.toArray(cells)}</div>
          </td>
        </tr>
      )}
    </>
  );
}
