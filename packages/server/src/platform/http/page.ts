import { MAX_COUNTED } from '@overworld/contract/list-total';
import type { ListTotal } from '@overworld/contract/list-total';
import type { Queryable } from '../database/database.ts';
import { isTimestampText, sql } from '../database/sql.ts';
import type { Sql } from '../database/sql.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { isUuid } from './validation.ts';

/**
 * Makes a page from rows that were read with `LIMIT limit + 1`. The extra row shows that there is a next
 * page.
 * @param keyOf Gives the sort key of a row, for the cursor.
 */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => readonly string[],
): { page: Row[]; next_cursor: string | null } {
  const page = rows.slice(0, limit);
  return { page, next_cursor: rows.length > limit ? encodeCursor(keyOf(page.at(-1)!)) : null };
}

/** A row's place in a list ordered by creation time, then id. */
export interface PagePosition {
  /**
   * The creation time as `created_at::text`, with microseconds. Timestamps in answers have only
   * milliseconds.
   */
  created: string;
  id: string;
}

/** The rows to read from a list ordered by creation time, then id. */
export interface PageRange {
  /** The row after which the page begins; null for the first page. */
  after: PagePosition | null;
  count: number;
}

/** The part of a query that chooses the page of a list. */
export interface PageQuery {
  cursor?: string;
  limit: number;
  with_total?: boolean;
}

/** For each type of column, a function that tells whether a text in a cursor is a value of this type. */
const KEY_TYPES = {
  text: () => true,
  uuid: isUuid,
  /** A timestamp as text, in microseconds. */
  time: isTimestampText,
  integer: (text: string) => /^\d{1,9}$/.test(text),
  bigint: (text: string) => /^\d{1,16}$/.test(text),
};

/** The columns of a list's sort key, in their order. Together their values identify a row. */
type SortKey = Record<string, keyof typeof KEY_TYPES>;

/** A row's place in a list. */
type Place<Key extends SortKey> = {
  [Name in keyof Key]: Key[Name] extends 'integer' | 'bigint' ? number : string;
};

/**
 * Reads a page of a list, and with `with_total` also counts the list.
 * @param list Reads up to `count` rows after the row `after`, with one statement. It must use the connection
 * `from`, because `countRows` passes a connection that only counts rows.
 * @throws ApiError 400 when the cursor does not come from a list with the same sort key.
 */
export async function readList<Key extends SortKey, Row extends Place<Key>>(
  database: Queryable,
  query: PageQuery,
  key: Key,
  list: (from: Queryable, after: Place<Key> | null, count: number) => Promise<Row[]>,
): Promise<{ page: Row[]; next_cursor: string | null; total?: ListTotal }> {
  const { cursor, limit } = query;
  const rows = await list(database, readPlace(key, cursor), limit + 1);
  const cut = cutPage(rows, limit, (row) => Object.keys(key).map((name) => String(row[name])));
  const total = await readTotal(query, cut, () =>
    countRows(database, (from, count) => list(from, null, count)),
  );
  return { ...cut, ...total };
}

function readPlace<Key extends SortKey>(key: Key, cursor: string | undefined): Place<Key> | null {
  const columns = Object.entries(key);
  const texts = decodeCursor(
    cursor,
    (given) =>
      given.length === columns.length &&
      columns.every(([, type], index) => KEY_TYPES[type](given[index]!)),
  );
  if (texts === null) return null;
  const values = columns.map(([name, type], index) => {
    const isNumber = type === 'integer' || type === 'bigint';
    return [name, isNumber ? Number(texts[index]) : texts[index]!];
  });
  return Object.fromEntries(values) as Place<Key>;
}

/** Reads a page of a list ordered by creation time, then id; see `readList`. */
export async function readPage<Row extends PagePosition>(
  database: Queryable,
  query: PageQuery,
  list: (database: Queryable, range: PageRange) => Promise<Row[]>,
): Promise<{ page: Omit<Row, 'created'>[]; next_cursor: string | null; total?: ListTotal }> {
  const key = { created: 'time', id: 'uuid' } as const;
  const { page, ...rest } = await readList(database, query, key, (from, after, count) =>
    list(from, { after, count }),
  );
  return { page: page.map(({ created: _created, ...row }) => row), ...rest };
}

/**
 * Returns the `total` for the answer with a page, or an empty object if the query does not request the total.
 * If the list has only one page, its rows are not counted again.
 */
export async function readTotal(
  { with_total = false, cursor }: PageQuery,
  { page, next_cursor }: { page: readonly unknown[]; next_cursor: string | null },
  count: () => Promise<ListTotal>,
): Promise<{ total?: ListTotal }> {
  if (!with_total) return {};
  const isWhole = cursor === undefined && next_cursor === null;
  return { total: isWhole ? { count: page.length, is_exact: true } : await count() };
}

/**
 * Counts the entries of a list, up to `max`.
 * @param list Reads up to `count` entries from the beginning of the list, with one statement. The connection
 * `from` counts the rows of the statement instead of returning them, so a list needs no second statement to
 * count its entries.
 */
export async function countRows(
  database: Queryable,
  list: (from: Queryable, count: number) => Promise<unknown>,
  max = MAX_COUNTED,
): Promise<ListTotal> {
  let counted = 0;
  const from: Queryable = {
    ...database,
    async query(statement) {
      const rows = sql`SELECT count(*) FROM (${statement}) AS listed`;
      counted = (await database.queryOne<{ count: number }>(rows))!.count;
      return [];
    },
  };
  await list(from, max + 1);
  return { count: Math.min(counted, max), is_exact: counted <= max };
}

/**
 * Makes an SQL condition that is true for the rows after a position.
 * @param columns The columns of the creation time and the id.
 */
export function isAfter(
  columns: Sql,
  order: 'oldest_first' | 'newest_first',
  after: PagePosition | null,
): Sql {
  if (after === null) return sql`true`;
  const comparison = order === 'oldest_first' ? sql`>` : sql`<`;
  return sql`(${columns}) ${comparison} (${after.created}::timestamptz, ${after.id}::uuid)`;
}
