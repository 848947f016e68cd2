import type { ReactNode } from 'react';
import { Ago } from '../time/moment.tsx';
import { showName } from '../shown-name.ts';
import { formatCalendarDay, formatCount } from '../format.ts';
import type { SortValue } from './use-sorting.ts';

export interface Column<Row> {
  /** The unique id of the column. `Sorting` refers to columns by this id. */
  id: string;
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  align?: 'end';
  width?: number | string;
  /**
   * True if the cell moves below the other cells when the table is too wide, so that nobody has to scroll
   * sideways to the buttons in the cell.
   */
  below?: boolean;
  /** True if the cell stays in sight at the end of the row while the other cells scroll. */
  kept?: boolean;
  /** True if the server can sort by the column. */
  sortable?: boolean;
  /** The browser sorts by this value once it has all rows, unless the server sorts by the column. */
  value?: (row: Row) => SortValue;
}

type Cell<Row> = Column<Row>['cell'];
type Look<Row> = Omit<Column<Row>, 'id' | 'head' | 'cell'>;

/** Makes a column whose cells may show anything. `look` has further options, such as the alignment. */
export function column<Row>(id: string, head: ReactNode, cell: Cell<Row>): Column<Row>;
export function column<Row>(
  id: string,
  head: ReactNode,
  look: Look<Row>,
  cell: Cell<Row>,
): Column<Row>;
export function column<Row>(
  id: string,
  head: ReactNode,
  ...rest: [Cell<Row>] | [Look<Row>, Cell<Row>]
): Column<Row> {
  const [look, cell] = rest.length === 1 ? [{}, rest[0]] : rest;
  return { id, head, ...look, cell };
}

type SortedMember<Row> = {
  [Member in keyof Row]: Row[Member] extends SortValue ? Member : never;
}[keyof Row] &
  string;

/**
 * Makes a column whose cells may show anything. The column is sorted by the value of `member` in each row.
 */
export const sortedColumn = <Row,>(
  member: SortedMember<Row>,
  head: ReactNode,
  cell: Cell<Row>,
  look: Look<Row> = {},
): Column<Row> => ({ id: member, head, ...look, value: (row) => row[member] as SortValue, cell });

/** Makes a column of numbers, sorted by size. A dash stands for null. */
export const numberColumn = <Row,>(
  id: string,
  head: ReactNode,
  numberOf: (row: Row) => number | null,
  write: (number: number) => ReactNode = formatCount,
): Column<Row> => ({
  id,
  head,
  align: 'end',
  value: numberOf,
  cell: (row) => {
    const number = numberOf(row);
    return number === null ? '–' : write(number);
  },
});

/** Makes a column of numbers, from the value of `member` in each row. */
export const memberColumn = <Member extends string>(
  member: Member,
  head: ReactNode,
  write?: (number: number) => ReactNode,
): Column<Record<Member, number | null>> => numberColumn(member, head, (row) => row[member], write);

/** Makes a column of times, from the value of `member` in each row. A cell shows the time since then. */
export const agoColumn = <Member extends string>(
  member: Member,
  head: string,
  options: { align?: 'end'; missing?: string } = {},
): Column<Record<Member, string | null>> => ({
  id: member,
  head,
  align: options.align,
  value: (row) => row[member] && Date.parse(row[member]),
  cell: (row) => <Ago at={row[member]} missing={options.missing} />,
});

export const dayColumn = <Row extends { day: string }>(): Column<Row> => ({
  id: 'day',
  head: 'Day',
  value: ({ day }) => day,
  cell: ({ day }) => formatCalendarDay(day),
});

/** Makes a column of names of any length: `text` suits people and keys, `code` suits events. */
export const nameColumn = <Row,>(
  id: string,
  head: string,
  nameOf: (row: Row) => string,
  look: 'text' | 'code' = 'text',
): Column<Row> => ({
  id,
  head,
  value: nameOf,
  cell: (row) =>
    look === 'code' ? (
      <code className="truncate">{showName(nameOf(row))}</code>
    ) : (
      <span className="name">{showName(nameOf(row))}</span>
    ),
});

/** Makes the column with the buttons of each row. */
export const actionsColumn = <Row,>(
  cell: (row: Row) => ReactNode,
  width?: number,
): Column<Row> => ({
  id: 'actions',
  head: <span className="visually-hidden">Actions</span>,
  align: 'end',
  width,
  below: true,
  cell,
});

/** Makes the column with the menu of each row. */
export const menuColumn = <Row,>(cell: (row: Row) => ReactNode, width?: number): Column<Row> => ({
  id: 'actions',
  head: <span className="visually-hidden">Actions</span>,
  align: 'end',
  width,
  kept: true,
  cell,
});
